delete from penstock.delivery_done d
using (
  select shard, destination_id, event_id, day
  from penstock.delivery_done
  where shard = :shard and destination_id = :destination
  limit :most) o
where d.shard = o.shard and d.destination_id = o.destination_id and d.event_id = o.event_id
  and d.day = o.day
