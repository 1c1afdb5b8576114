-- A loose index scan: one look-up of the waiting index finds the next destination, six find the
-- heads of its lanes, whatever waits behind them. A head below the mark at which claims begin to
-- look (an accept took longer than they allow for) lowers it: what no hint tells, a walk finds.
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
),
heads as materialized (
  select d.destination_id, r.lane, r.urgency, h.not_before, h.age_from
  from destinations d
  cross join (values (0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)) as r(lane, urgency)
  cross join lateral (
    select not_before, age_from
    from penstock.delivery
    where shard = :shard and destination_id = d.destination_id
      and lane = r.lane and urgency = r.urgency and state in ('pending', 'retrying')
    order by not_before, position
    limit 1) h
),
high as materialized (
  select h.destination_id, min(h.not_before) as first
  from heads h
  cross join lateral (
    select
    from penstock.waiting_from
    where shard = :shard and destination_id between h.destination_id and h.destination_id
      and h.not_before < since[1 + 2 * h.lane + h.urgency]
    order by destination_id desc
    limit 1) f
  group by h.destination_id
),
lowered as (
  update penstock.waiting_from w
  set since = array(
    select least(since, (m.firsts ->> w.destination_id)::timestamptz)
    from unnest(w.since) as since)
  from (select jsonb_object_agg(destination_id, first) as firsts from high) m
  where w.shard = :shard and w.destination_id = any(array(select destination_id from high))
)
select destination_id, min(not_before) as not_before, min(age_from) as age_from
from heads
group by destination_id
order by destination_id
