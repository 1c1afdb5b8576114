select penstock.hot_path();

-- Budgets in key order. While a long transaction elsewhere keeps old versions, a budget has
-- thousands of them, and the newest lies last: "between" and "desc" make the look-up begin there.
select b.budget_id, b.state, b.place
from (
  select distinct budget_id
  from penstock.destination
  where shard = :shard and destination_id = any(:destinations)
  order by budget_id) a
cross join lateral (
  select budget_id, state, ctid::text as place
  from penstock.budget
  where shard = :shard and budget_id between a.budget_id and a.budget_id
  order by budget_id desc
  limit 1
  for no key update) b;

select clock_timestamp() as now;

select destination_id, budget_id
from penstock.destination
where shard = :shard and destination_id = any(:destinations);

-- The leases come after the locks: whoever charges or ends one has its budget's lock.
select k.n, d.destination_id, d.event_id, d.tenant_id, d.position, d.lane, d.urgency, d.attempt,
  d.not_before, d.age_from, d.lease_no, d.lease_until, d.redrive_count, d.size,
  null::text as type, null::text as content_type, null::text as headers,
  null::text as idempotency_key, null::bytea as body, null::text as item,
  t.worker, t.pool_id, t.held_from, t.charged_us, t.lent, t.generation, t.probe, t.place
from unnest(:destinations, :events, :leaseNos) with ordinality
  as k(destination_id, event_id, lease_no, n)
cross join lateral (
  select worker, pool_id, held_from, charged_us, lent, generation, probe, ctid::text as place
  from penstock.tube_lease
  where shard = :shard and destination_id = k.destination_id and event_id = k.event_id
    and lease_no = k.lease_no
  limit 1) t
cross join lateral (
  select *
  from penstock.delivery
  where shard = :shard and destination_id = k.destination_id and event_id = k.event_id
    and lease_no = k.lease_no and lease_until is not null
  limit 1) d
