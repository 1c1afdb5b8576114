select shard, budget_id, state
from penstock.budget
where (shard, budget_id) in (
  select shard, budget_id
  from penstock.destination
  where (:tenant::text is null or tenant_id = :tenant)
    and (:destination::text is null or (shard = :shard and destination_id = :destination)))
order by shard, budget_id
for no key update
