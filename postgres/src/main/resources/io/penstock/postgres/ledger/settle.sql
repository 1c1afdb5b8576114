-- Books a batch of outcomes.
--
-- The fence is the lease number together with "is leased", asked of lease_until: to ask the state
-- would offer the planner the small index of leases. A lost lease counts only when it has run out.
-- Rows are found one by one by primary key (a lateral limit can be planned in no other way) and
-- moved by place; a join of the batch with the table was planned as a quadratic loop while the
-- table was empty, and stayed so in the cache. A row that somebody moves meanwhile falls out,
-- which is right.
with
s as materialized (
  select *
  from unnest(:destinations, :events, :leaseNos, :lost, :kinds, :attempts, :notBeforeMicros,
      :reasons, :statuses, :startedMicros, :durationMicros, :outcomes, :details, :heads,
      :addresses, :nodes) with ordinality
    as s(destination_id, event_id, lease_no, lost, kind, attempts, not_before_us,
      why, status, started_us, duration_us, outcome, detail, response_head,
      resolved, node, n)
),
found as materialized (
  select s.*, d.tid
  from s
  cross join lateral (
    select ctid as tid
    from penstock.delivery
    where shard = :shard and destination_id = s.destination_id and event_id = s.event_id
      and lease_no = s.lease_no and lease_until is not null
      and (not s.lost or lease_until <= :now)
    limit 1) d
),
ended as (
  delete from penstock.delivery d
  using found s
  where d.ctid = s.tid and s.kind in ('deliver', 'die')
  returning s.n, s.kind, s.attempts, s.why, s.status, s.started_us, s.duration_us, s.outcome,
    s.detail, s.response_head, s.resolved, s.node, d.*
),
kept as (
  update penstock.delivery d
  set state = case when s.kind = 'retry' or d.lane = 1 then 'retrying' else 'pending' end,
    lane = case when s.kind = 'retry' then 1 else d.lane end,
    attempt = s.attempts,
    not_before = case when s.kind = 'retry'
      then timestamptz 'epoch' + s.not_before_us * interval '1 microsecond'
      else d.not_before end,
    last_status = case when s.status > 0 then s.status else d.last_status end,
    lease_until = null,
    leased_by = null
  from found s
  where d.ctid = s.tid and s.kind in ('retry', 'keep')
  returning s.n, s.destination_id, s.event_id, s.lease_no, s.status, s.started_us, s.duration_us,
    s.outcome, s.detail, s.response_head, s.resolved, s.node, d.lane, d.urgency, d.not_before
),
-- What waits again must not lie below where claims begin to look; they hold the same budgets. The
-- marks are written as in waiting_lower.sql: accepts and walks lower them too.
high as materialized (
  select k.destination_id, min(k.not_before) as first
  from kept k
  cross join lateral (
    select
    from penstock.waiting_from
    where shard = :shard and destination_id between k.destination_id and k.destination_id
      and k.not_before < since[1 + 2 * k.lane + k.urgency]
    order by destination_id desc
    limit 1) f
  group by k.destination_id
),
lowered as (
  update penstock.waiting_from w
  set since = array(
    select least(since, (m.firsts ->> w.destination_id)::timestamptz)
    from unnest(w.since) as since)
  from (select jsonb_object_agg(destination_id, first) as firsts from high) m
  where w.shard = :shard and w.destination_id = any(array(select destination_id from high))
),
done as (
  insert into penstock.delivery_done (shard, destination_id, event_id, day, tenant_id, position,
    lane, urgency, state, attempt, not_before, age_from, lease_no, last_status, reason,
    redrive_count, size, done_at)
  select shard, destination_id, event_id, :day, tenant_id, position,
    lane, urgency,
    case when kind = 'deliver' then 'delivered' else 'dead' end,
    attempts, not_before, age_from, lease_no,
    case when status > 0 then status else last_status end,
    why,
    redrive_count, size, :now
  from ended
),
letters as (
  insert into penstock.dead_letter (shard, destination_id, event_id, tenant_id, lease_no, outcome,
    reason, last_status, response_head, attempts, first_seen, last_seen, event_hash, event_type)
  select e.shard, e.destination_id, e.event_id, e.tenant_id, e.lease_no, e.outcome,
    e.why, case when e.status > 0 then e.status else e.last_status end,
    coalesce(e.response_head, ''), e.attempts, e.age_from, :now, h.body_hash, h.type
  from ended e
  left join lateral (
    select body_hash, type from penstock.event where shard = :shard and event_id = e.event_id
    union all
    select body_hash, type from penstock.event_kept where shard = :shard and event_id = e.event_id
    limit 1) h on true
  where e.kind = 'die'
  order by e.n
),
applied as materialized (
  select n, destination_id, event_id, lease_no, status, started_us, duration_us, outcome, detail,
    response_head, resolved, node
  from ended
  union all
  select n, destination_id, event_id, lease_no, status, started_us, duration_us, outcome, detail,
    response_head, resolved, node
  from kept
),
tried as (
  insert into penstock.attempt (shard, destination_id, event_id, lease_no, day, started_at,
    duration_us, outcome, detail, status, response_head, resolved, node)
  select :shard, destination_id, event_id, lease_no, :day,
    timestamptz 'epoch' + started_us * interval '1 microsecond',
    duration_us, outcome, detail, status, response_head, resolved, node
  from applied
  where outcome is not null
)
select n from applied order by n
