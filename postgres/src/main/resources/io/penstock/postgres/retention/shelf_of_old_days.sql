-- Only what the shelf still has a record of: a tenant or a reason may be kept for less.
with
dead as materialized (
  select o.shard, o.destination_id, o.event_id, o.day
  from penstock.delivery_done o
  where o.day < :firstKept and o.state = 'dead'
    and (select true
      from penstock.dead_letter l
      where l.shard = o.shard and l.destination_id = o.destination_id
        and l.event_id = o.event_id and l.lease_no = o.lease_no
      limit 1)
  limit :most
  for update skip locked
)
update penstock.delivery_done d
set day = 'infinity'
from dead
where d.shard = dead.shard and d.destination_id = dead.destination_id
  and d.event_id = dead.event_id and d.day = dead.day
