-- The records of the shelf are asked, not its rows: they are fewer to look through, and name some
-- events too many at worst. What is sent again later is kept by whoever sends it again.
with
needed as materialized (
  select shard, event_id from penstock.delivery where event_id < :before
  union
  select shard, event_id from penstock.dead_letter where event_id < :before
)
insert into penstock.event_kept
select e.*
from needed n
join penstock.event e on e.shard = n.shard and e.event_id = n.event_id and e.event_id < :before
where not exists (
  select from penstock.event_kept k where k.shard = n.shard and k.event_id = n.event_id)
limit :most
on conflict do nothing
