-- The heads of the lanes of some destinations: six look-ups of the waiting index for each, from
-- where claims begin to look.
select d.destination_id, min(h.not_before) as not_before, min(h.age_from) as age_from
from unnest(:destinations) as d(destination_id)
left join lateral (
  select since
  from penstock.waiting_from
  where shard = :shard and destination_id between d.destination_id and d.destination_id
  order by destination_id desc
  limit 1) m on true
cross join (values (0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)) as r(lane, urgency)
cross join lateral (
  select not_before, age_from
  from penstock.delivery
  where shard = :shard and destination_id = d.destination_id
    and lane = r.lane and urgency = r.urgency and state in ('pending', 'retrying')
    and not_before >= coalesce(m.since[1 + 2 * r.lane + r.urgency], 'epoch')
  order by not_before, position
  limit 1) h
group by d.destination_id
order by d.destination_id
