select penstock.hot_path();

select budget_id, state
from penstock.budget
where shard = :shard and budget_id = any(array(
  select budget_id from penstock.destination
  where shard = :shard and destination_id = any(:destinations)))
order by budget_id
for no key update;

select clock_timestamp() as now;

select destination_id, budget_id
from penstock.destination
where shard = :shard and destination_id = any(:destinations)
