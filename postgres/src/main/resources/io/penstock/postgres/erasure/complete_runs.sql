delete from penstock.complete_run
where ctid = any(array(
  select ctid
  from penstock.complete_run
  where shard = :shard and destination_id = :destination
  order by destination_id, item, artifacts_hash
  limit :most
  for update skip locked))
