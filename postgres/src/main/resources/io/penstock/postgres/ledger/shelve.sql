-- The oldest that wait, dead with a reason. Those that a claim holds are left for the next time. An
-- event is never younger than its delivery's age, so the id bounds the search of a big backlog.
with
picked as materialized (
  select ctid as tid
  from penstock.delivery
  where shard = :shard and destination_id = :destination and lease_until is null
    and age_from < :agedBefore and event_id < :youngest
  order by destination_id, event_id
  limit :most
  for update skip locked
),
ended as (
  delete from penstock.delivery
  where ctid = any(array(select tid from picked))
  returning *
),
done as (
  insert into penstock.delivery_done (shard, destination_id, event_id, day, tenant_id, position,
    lane, urgency, state, attempt, not_before, age_from, lease_no, last_status, reason,
    redrive_count, size, done_at)
  select shard, destination_id, event_id, :day, tenant_id, position,
    lane, urgency, 'dead', attempt, not_before, age_from, lease_no, last_status, :reason,
    redrive_count, size, :now
  from ended
)
insert into penstock.dead_letter (shard, destination_id, event_id, tenant_id, lease_no, outcome,
  reason, last_status, response_head, attempts, first_seen, last_seen, event_hash, event_type)
select e.shard, e.destination_id, e.event_id, e.tenant_id, e.lease_no, a.outcome,
  :reason, e.last_status, coalesce(a.response_head, ''), e.attempt, e.age_from, :now, h.body_hash, h.type
from ended e
left join lateral (
  select body_hash, type from penstock.event where shard = :shard and event_id = e.event_id
  union all
  select body_hash, type from penstock.event_kept where shard = :shard and event_id = e.event_id
  limit 1) h on true
-- What the receiver said last, as long as its attempt is kept; none for what was never tried.
left join lateral (
  select outcome, response_head
  from penstock.attempt
  where shard = :shard and destination_id = e.destination_id and event_id = e.event_id
    and e.lease_no > 0
  order by lease_no desc
  limit 1) a on true
order by e.event_id
