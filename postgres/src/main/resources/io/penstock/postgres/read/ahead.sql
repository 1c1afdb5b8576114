-- How many of its destination go before a delivery, by lane and urgency, each up to a bound: those
-- that may go themselves by the time that it may.
select r.lane, r.urgency, a.ahead
from penstock.delivery me
cross join (values (0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)) as r(lane, urgency)
cross join lateral (
  select count(*) as ahead
  from (
    select
    from penstock.delivery
    where shard = :shard and destination_id = :destination
      and lane = r.lane and urgency = r.urgency and state in ('pending', 'retrying')
      and not_before <= greatest(:now, me.not_before)
      and ((r.lane, r.urgency) < (me.lane, me.urgency)
        or (not_before, position) < (me.not_before, me.position))
    limit :most) c) a
where me.shard = :shard and me.destination_id = :destination and me.event_id = :event
  and (r.lane, r.urgency) <= (me.lane, me.urgency) and a.ahead > 0
order by r.lane, r.urgency
