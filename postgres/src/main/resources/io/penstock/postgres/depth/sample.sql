-- What waits for the next destinations after one, by lane. Counts from the waiting index alone.
with recursive
destinations as (
  (select destination_id, 1 as n
   from penstock.delivery
   where shard = :shard and state in ('pending', 'retrying') and destination_id > :after
   order by shard, destination_id, lane, urgency, not_before, position
   limit 1)
  union all
  select next.destination_id, d.n + 1
  from destinations d
  cross join lateral (
    select destination_id
    from penstock.delivery
    where shard = :shard and state in ('pending', 'retrying')
      and destination_id > d.destination_id
    order by shard, destination_id, lane, urgency, not_before, position
    limit 1) next
  where d.n < :most
)
select d.destination_id, g.tenant_id, w.lane, w.ready, w.later, w.oldest,
  g.deleted or g.disabled or g.paused or g.held as closed
from destinations d
join penstock.gate g on g.shard = :shard and g.destination_id = d.destination_id
cross join lateral (
  select lane,
    count(*) filter (where not_before <= :now) as ready,
    count(*) filter (where not_before > :now) as later,
    min(not_before) filter (where not_before <= :now) as oldest
  from penstock.delivery
  where shard = :shard and destination_id = d.destination_id and state in ('pending', 'retrying')
  group by lane) w
order by d.destination_id, w.lane
