-- Lets claims begin to look no later than here. Hardly ever is there anything to lower: when the
-- clock stepped back, or an accept took longer than a claim allows for. What is too high is found
-- first, and written by key: a mark that somebody else lowers meanwhile has left its place, and is
-- lowered all the same. The array leaves the planner no way but a look-up for each of
-- them, and the times are looked up in one jsonb value: nothing joins two lists of the batch.
with
high as materialized (
  select l.destination_id, l.first
  from (
    select destination_id, min(timestamptz 'epoch' + due_us * interval '1 microsecond') as first
    from unnest(:waitDestinations, :waitDues) as d(destination_id, due_us)
    group by destination_id) l
  cross join lateral (
    select
    from penstock.waiting_from
    where shard = :shard and destination_id between l.destination_id and l.destination_id
      and l.first < any(since)
    order by destination_id desc
    limit 1) f
)
update penstock.waiting_from w
set since = array(
  select least(since, (m.firsts ->> w.destination_id)::timestamptz)
  from unnest(w.since) as since)
from (select jsonb_object_agg(destination_id, first) as firsts from high) m
where w.shard = :shard and w.destination_id = any(array(select destination_id from high))
