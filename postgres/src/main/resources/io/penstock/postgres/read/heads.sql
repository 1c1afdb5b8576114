select r.lane, r.urgency, h.not_before, h.age_from
from (values (0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)) as r(lane, urgency)
cross join lateral (
  select not_before, age_from
  from penstock.delivery
  where shard = :shard and destination_id = :destination
    and lane = r.lane and urgency = r.urgency and state in ('pending', 'retrying')
  order by not_before, position
  limit 1) h
order by r.lane, r.urgency
