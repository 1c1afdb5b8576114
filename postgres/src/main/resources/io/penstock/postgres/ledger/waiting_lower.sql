-- Lets claims begin to look no later than here. Hardly ever is there anything to lower: when the
-- clock stepped back, or an accept took longer than a claim allows for.
update penstock.waiting_from w
set since = array(select least(since, m.first) from unnest(w.since) as since)
from (
  select l.first, f.mark
  from (
    select destination_id, min(timestamptz 'epoch' + due_us * interval '1 microsecond') as first
    from unnest(:waitDestinations, :waitDues) as d(destination_id, due_us)
    group by destination_id
    order by destination_id) l
  cross join lateral (
    select ctid as mark
    from penstock.waiting_from
    where shard = :shard and destination_id between l.destination_id and l.destination_id
      and l.first < any(since)
    order by destination_id desc
    limit 1) f) m
where w.ctid = m.mark
