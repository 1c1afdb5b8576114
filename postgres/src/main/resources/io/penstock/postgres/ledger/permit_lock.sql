select penstock.hot_path();

-- As for a claim, but waiting for whoever has the budget.
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

-- The clock and the gate come after the lock: what they say is not older than the budget.
select clock_timestamp() as now;

select destination_id, budget_id, config_no, gate_no, deleted, disabled, paused, held,
  reopened_at
from penstock.gate
where shard = :shard and destination_id = any(:destinations)
