-- What is held just now is left: its end needs it.
delete from penstock.tube_lease
where ctid = any(array(
  select t.ctid
  from penstock.tube_lease t
  where t.shard = :shard and t.destination_id = :destination
    and not exists (
      select
      from penstock.delivery d
      where d.shard = :shard and d.destination_id = t.destination_id and d.event_id = t.event_id
        and d.lease_no = t.lease_no and d.lease_until is not null)
  limit :most
  for update of t skip locked))
