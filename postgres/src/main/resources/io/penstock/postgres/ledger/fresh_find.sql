-- Which of these items are fresh in their tubes, by the last run that left them so. This statement
-- alone decides, from one snapshot: a run that commits later has not been.
select k.n, r.event_id, r.lease_no, r.completed_at, r.artifacts
from unnest(:destinations, :items, :requires, :afterMicros) with ordinality
  as k(destination_id, item, requires, after_us, n)
-- The runs of an item are a handful, found by primary key. The fence keeps the time out of that: the
-- index by age would serve both the condition and the order, over the runs of all items.
cross join lateral (
  select event_id, lease_no, completed_at, artifacts
  from (
    select event_id, lease_no, completed_at, artifacts
    from penstock.complete_run
    where shard = :shard and destination_id = k.destination_id and item = k.item
    offset 0) c
  where completed_at > timestamptz 'epoch' + k.after_us * interval '1 microsecond'
    and string_to_array(artifacts, ' ') @> string_to_array(k.requires, ' ')
  order by completed_at desc
  limit 1) r
order by k.n
