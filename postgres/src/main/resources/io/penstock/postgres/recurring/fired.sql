-- How the schedules stand after a firing, and the instants that came. The rows are locked already.
-- An instant can have come before only for another schedule of the same id: its key has told.
with
s as materialized (
  select *
  from unnest(:schedules, :nexts, :fired, :refused, :tooOld, :merged)
    as s(schedule_id, next_us, fired, refused, too_old, merged)
),
f as materialized (
  select schedule_id, 'epoch'::timestamptz + at_us * interval '1 microsecond' as at, event_id,
    problem
  from unnest(:firedSchedules, :ats, :events, :problems) as f(schedule_id, at_us, event_id, problem)
),
written as (
  insert into penstock.schedule_firing (shard, schedule_id, at, fired_at, event_id, problem)
  select :shard, schedule_id, at, :now, event_id, problem
  from f
)
update penstock.schedule o
set next_at = 'epoch'::timestamptz + s.next_us * interval '1 microsecond',
  fired = s.fired, refused = s.refused, too_old = s.too_old, merged = s.merged,
  last_at = coalesce(l.at, last_at),
  last_fired_at = case when l.at is null then last_fired_at else :now end,
  last_event_id = case when l.at is null then last_event_id else l.event_id end,
  last_problem = coalesce(l.problem, last_problem)
from s
left join lateral (
  select at, event_id, problem from f where f.schedule_id = s.schedule_id order by at desc limit 1
) l on true
where o.shard = :shard and o.schedule_id = s.schedule_id
