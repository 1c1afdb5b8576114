delete from penstock.history h
using (
  select shard, destination_id, at, kind
  from penstock.history
  where shard = :shard and destination_id = :destination
  limit :most) o
where h.shard = o.shard and h.destination_id = o.destination_id and h.at = o.at and h.kind = o.kind
