with
dead as materialized (
  select shard, destination_id, event_id, day
  from penstock.delivery_done
  where day < :firstKept and state = 'dead'
  limit :most
  for update skip locked
)
update penstock.delivery_done d
set day = 'infinity'
from dead
where d.shard = dead.shard and d.destination_id = dead.destination_id
  and d.event_id = dead.event_id and d.day = dead.day
