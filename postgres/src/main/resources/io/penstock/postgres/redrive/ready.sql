-- Deliveries that are due, counted up to a bound: one index range per lane and urgency, so that what
-- waits for a later time costs nothing.
select count(*)::integer
from (
  select r.one
  from (values (0), (1), (2)) as l(lane)
  cross join (values (0), (1)) as u(urgency)
  cross join lateral (
    select 1 as one
    from penstock.delivery
    where shard = :shard and destination_id = :destination and lane = l.lane
      and urgency = u.urgency and state in ('pending', 'retrying') and not_before <= :now
    limit :most) r
  limit :most) counted
