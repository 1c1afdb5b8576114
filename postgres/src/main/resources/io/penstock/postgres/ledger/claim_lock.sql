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
  for no key update skip locked) b;

-- The clock and the gates come after the locks: what they say is not older than the budgets.
select clock_timestamp() as now;

select destination_id, budget_id, mode, config_no, gate_no, deleted, disabled, paused, held,
  reopened_at
from penstock.gate
where shard = :shard and destination_id = any(:destinations)
