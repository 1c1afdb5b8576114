-- A loose index scan: one look-up of the waiting index finds the next destination, six find the
-- heads of its lanes, whatever waits behind them.
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
select d.destination_id, min(h.not_before) as not_before, min(h.age_from) as age_from
from destinations d
cross join (values (0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)) as r(lane, urgency)
cross join lateral (
  select not_before, age_from
  from penstock.delivery
  where shard = :shard and destination_id = d.destination_id
    and lane = r.lane and urgency = r.urgency and state in ('pending', 'retrying')
  order by not_before, position
  limit 1) h
group by d.destination_id
order by d.destination_id
