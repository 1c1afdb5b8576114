select d.shard, d.destination_id, d.tenant_id, d.mode, d.url, d.headers, d.secrets, d.budget_id,
  d.config_no, d.created_at,
  d.disabled as own_disabled, d.paused as own_paused, d.held as own_held,
  d.gate_no as own_gate_no, d.reopened_at as own_reopened_at,
  g.deleted, g.disabled, g.paused, g.held, g.gate_no, g.reopened_at,
  b.state as budget_state
from penstock.destination d
join penstock.gate g on g.shard = d.shard and g.destination_id = d.destination_id
join penstock.budget b on b.shard = d.shard and b.budget_id = d.budget_id
where d.deleted_at is null
  and (:tenants::text[] is null or d.tenant_id = any(:tenants))
  and (:destination::text is null or (d.shard = :shard and d.destination_id = :destination))
  and d.destination_id > :after
order by d.destination_id
limit :limit
