delete from penstock.redrive_event d
using (
  select e.shard, e.redrive_id, e.destination_id, e.event_id
  from penstock.redrive r
  join penstock.redrive_event e on e.shard = r.shard and e.redrive_id = r.redrive_id
  where r.shard = :shard and r.destination_id = :destination
  limit :most) o
where d.shard = o.shard and d.redrive_id = o.redrive_id and d.destination_id = o.destination_id
  and d.event_id = o.event_id
