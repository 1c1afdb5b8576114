select d.shard, d.destination_id, d.tenant_id, d.mode, d.url, d.headers, d.secrets, d.budget_id,
  d.config_no, d.created_at,
  d.disabled as own_disabled, d.paused as own_paused, d.held as own_held,
  d.gate_no as own_gate_no, d.reopened_at as own_reopened_at,
  g.deleted, g.disabled, g.paused, g.held, g.gate_no, g.reopened_at,
  b.state as budget_state,
  r.running, w.waiting, h.oldest,
  c.completed, c.failed, c.lost, c.released, c.worked_us, c.yielded, c.empty_runs, c.last_run_at,
  c.last_success_at, c.last_yield_at
from (
  select *
  from penstock.destination
  where mode = 'pull' and deleted_at is null
    and (:tenants::text[] is null or tenant_id = any(:tenants))
    and (:destination::text is null or destination_id = :destination)
    and destination_id > :after
  order by destination_id
  limit :limit) d
join penstock.gate g on g.shard = d.shard and g.destination_id = d.destination_id
join penstock.budget b on b.shard = d.shard and b.budget_id = d.budget_id
left join penstock.tube c on c.shard = d.shard and c.destination_id = d.destination_id
cross join lateral (
  select count(*) as running
  from penstock.tube_lease t
  where t.shard = d.shard and t.destination_id = d.destination_id) r
-- What waits is counted in its index, up to a bound.
cross join lateral (
  select count(*) as waiting
  from (
    select
    from penstock.delivery
    where shard = d.shard and destination_id = d.destination_id
      and state in ('pending', 'retrying')
    limit :bound) x) w
cross join lateral (
  select min(age_from) as oldest
  from (values (0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)) as k(lane, urgency)
  cross join lateral (
    select age_from
    from penstock.delivery
    where shard = d.shard and destination_id = d.destination_id
      and lane = k.lane and urgency = k.urgency and state in ('pending', 'retrying')
    order by not_before, position
    limit 1) x) h
order by d.destination_id
