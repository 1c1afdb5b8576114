-- What is being sent is left: its settle needs it.
delete from penstock.delivery
where ctid = any(array(
  select ctid
  from penstock.delivery
  where shard = :shard and destination_id = :destination and lease_until is null
  order by destination_id, event_id
  limit :most
  for update skip locked))
