delete from penstock.rollup r
using (
  select shard, destination_id, minute
  from penstock.rollup
  where shard = :shard and destination_id = :destination
  limit :most) o
where r.shard = o.shard and r.destination_id = o.destination_id and r.minute = o.minute
