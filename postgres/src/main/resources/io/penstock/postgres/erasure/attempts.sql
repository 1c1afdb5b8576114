delete from penstock.attempt a
using (
  select shard, destination_id, event_id, lease_no, day
  from penstock.attempt
  where shard = :shard and destination_id = :destination
  limit :most) o
where a.shard = o.shard and a.destination_id = o.destination_id and a.event_id = o.event_id
  and a.lease_no = o.lease_no and a.day = o.day
