-- The first of each lane and urgency of some destinations, in the order of service.
select d.destination_id, r.lane, r.urgency, w.event_id, w.attempt, w.not_before, w.age_from
from unnest(:destinations::text[]) as d(destination_id)
cross join (values (0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)) as r(lane, urgency)
cross join lateral (
  select event_id, attempt, not_before, age_from, position
  from penstock.delivery
  where shard = :shard and destination_id = d.destination_id
    and lane = r.lane and urgency = r.urgency and state in ('pending', 'retrying')
  order by not_before, position
  limit :most) w
order by d.destination_id, r.lane, r.urgency, w.not_before, w.position
