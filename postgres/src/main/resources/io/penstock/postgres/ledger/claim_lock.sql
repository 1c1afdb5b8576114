select penstock.hot_path();

select budget_id, state
from penstock.budget
where shard = :shard and budget_id = any(array(
  select budget_id from penstock.destination
  where shard = :shard and destination_id = any(:destinations)))
order by budget_id
for no key update skip locked;

-- The clock and the gates come after the locks: what they say is not older than the budgets.
select clock_timestamp() as now;

select destination_id, budget_id, config_no, gate_no, deleted, disabled, paused, held,
  reopened_at
from penstock.gate
where shard = :shard and destination_id = any(:destinations)
