-- Picks what the grants allow, in order, and leases it.
--
-- The plan must be the same on an empty and on a full table, since it is cached:
--  * rows are picked by place (ctid) and updated by a TID scan; to join their keys back by primary
--    key costs three times as much;
--  * the update re-checks that the row still waits. Whoever leases holds the budget's lock, so that
--    nobody can have leased it since the pick; but a Postgres before 15.15 does not ask again for
--    the place of a row that moved, and then this is all that keeps two owners apart (ADR 052). It
--    asks lease_until and hides the shard, so that no index fits and the TID scan is the only way;
--    a ctid cannot change its row while this statement's snapshot lives;
--  * nothing joins two lists of the batch, which would be quadratic: a lease's length is looked up
--    in one jsonb value.
--
-- Each range of the index is read from a mark (waiting_from) below which nothing waits: what has
-- left and cannot be vacuumed, since somebody keeps a snapshot, is not stepped over again and again
-- (ADR 012, LongSnapshotTest). "Between" and "desc" find the newest version of a mark first.
with
granted as materialized (
  select g.*, m.mark, coalesce(m.since, array_fill(timestamptz 'epoch', array[6])) as since
  from unnest(:destinations, :most, :mostRetries, :mostBatch, :leaseMicros) with ordinality
    as g(destination_id, most, most_retries, most_batch, lease_us, place)
  left join lateral (
    select ctid as mark, since
    from penstock.waiting_from
    where shard = :shard and destination_id between g.destination_id and g.destination_id
    order by destination_id desc
    limit 1) m on true
),
-- First attempts, in the order of the grants. Each limit stops what is below it.
firsts as materialized (
  select f.*, g.place, g.destination_id, g.mark, g.since, 0 as lane
  from granted g
  cross join lateral (
    select d.*, r.urgency
    from (values (0, g.most), (1, g.most_batch)) as r(urgency, most)
    cross join lateral (
      select ctid as tid, not_before, position, size
      from penstock.delivery
      where shard = :shard and destination_id = g.destination_id
        and lane = 0 and urgency = r.urgency
        and state in ('pending', 'retrying')
        and not_before >= g.since[1 + r.urgency] and not_before <= :now
      order by not_before, position
      limit r.most) d
    limit g.most) f
  limit :mostDeliveries
),
taken as materialized (
  select place, count(*) as taken, count(*) filter (where urgency = 1) as batch
  from firsts
  group by place
),
-- Retries and redrives, only for slots that no first attempt wants.
rest as materialized (
  select g.place, g.destination_id, g.mark, g.since,
    least(g.most_retries, g.most - coalesce(t.taken, 0)) as most,
    g.most_batch - coalesce(t.batch, 0) as most_batch
  from granted g
  left join taken t on t.place = g.place
  order by g.place
),
others as materialized (
  select f.*, g.place, g.destination_id, g.mark, g.since
  from rest g
  cross join lateral (
    select w.*
    from (
      select d.*, r.lane, r.urgency,
        count(*) filter (where r.urgency = 1) over (rows unbounded preceding) as batch
      from (values (1, 0), (1, 1), (2, 0), (2, 1)) as r(lane, urgency)
      cross join lateral (
        select ctid as tid, not_before, position, size
        from penstock.delivery
        where shard = :shard and destination_id = g.destination_id
          and lane = r.lane and urgency = r.urgency
          and state in ('pending', 'retrying')
          and not_before >= g.since[1 + 2 * r.lane + r.urgency] and not_before <= :now
        order by not_before, position
        limit g.most) d) w
    where w.urgency = 0 or w.batch <= g.most_batch
    limit g.most) f
  limit greatest(0, :mostDeliveries - (select count(*) from firsts))
),
-- As many as the bound on inline bodies allows, but one at least.
picked as materialized (
  select tid, destination_id
  from (
    select tid, destination_id, inline, sum(inline) over (
      order by later, place, lane, urgency, not_before, position rows unbounded preceding) as bytes
    from (
      select tid, destination_id, place, false as later, lane, urgency, not_before, position,
        case when size <= :inlineBytes then size else 0 end as inline
      from firsts
      union all
      select tid, destination_id, place, true, lane, urgency, not_before, position,
        case when size <= :inlineBytes then size else 0 end
      from others) a) p
  where bytes <= :mostBytes or bytes = inline
),
-- The marks after this look. A range that was looked at has nothing below its first row; but what is
-- being accepted now, and not seen yet, may be as old as an accept can last.
marks as materialized (
  select destination_id, mark, since as was, array[
      greatest(since[1], min(first) filter (where lane = 0 and urgency = 0)),
      greatest(since[2], min(first) filter (where lane = 0 and urgency = 1)),
      greatest(since[3], min(first) filter (where lane = 1 and urgency = 0)),
      greatest(since[4], min(first) filter (where lane = 1 and urgency = 1)),
      greatest(since[5], min(first) filter (where lane = 2 and urgency = 0)),
      greatest(since[6], min(first) filter (where lane = 2 and urgency = 1))] as since
  from (
    select destination_id, mark, since, lane, urgency, least(not_before, :quiet) as first
    from firsts
    union all
    select destination_id, mark, since, lane, urgency, least(not_before, :quiet)
    from others) a
  group by destination_id, mark, since
),
-- Not at every claim: a mark is worth a write when it has come some way.
raised as materialized (
  select *
  from marks
  where exists (
    select from unnest(since, was) as m(since, was) where m.since >= m.was + interval '5 seconds')
),
moved as (
  update penstock.waiting_from w
  set since = r.since
  from raised r
  where w.ctid = r.mark and w.since = r.was
),
made as (
  insert into penstock.waiting_from (shard, destination_id, since)
  select :shard, destination_id, since
  from raised
  where mark is null
  order by destination_id
  on conflict do nothing
),
leased as (
  update penstock.delivery d
  set state = 'leased', lease_no = d.lease_no + 1, leased_by = :node,
    lease_until = :now + interval '1 microsecond'
      * ((select jsonb_object_agg(destination_id, lease_us) from granted)
         ->> d.destination_id)::bigint
  where d.ctid = any(array(select tid from picked))
    and d.shard + 0 = :shard and d.lease_until is null
  returning d.*
)
select l.destination_id, l.event_id, l.tenant_id, l.position, l.lane, l.urgency, l.attempt,
  l.not_before, l.age_from, l.lease_no, l.lease_until, l.redrive_count, l.size,
  e.type, e.content_type, e.headers, e.idempotency_key, e.body, e.item, null::bigint as picked
from leased l
-- A lateral limit keeps this an index lookup for each row, in its own partition.
left join lateral (
  select type, content_type, headers, idempotency_key, item,
    case when size <= :inlineBytes then body end as body
  from penstock.event
  where shard = :shard and event_id = l.event_id
  union all
  select type, content_type, headers, idempotency_key, item,
    case when size <= :inlineBytes then body end
  from penstock.event_kept
  where shard = :shard and event_id = l.event_id
  limit 1) e on true
union all
select destination_id, null, null, null, null, null, null,
  null, null, null, null, null, null,
  null, null, null, null, null, null, count(*)
from picked
group by destination_id
