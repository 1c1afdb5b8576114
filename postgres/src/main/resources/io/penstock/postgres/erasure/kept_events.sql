-- In key order through all tenants' events: there is no index by tenant, and none is worth it.
with
looked as materialized (
  select shard, event_id, tenant_id
  from penstock.event_kept
  where (shard, event_id) > (:afterShard, :after)
  order by shard, event_id
  limit :most
),
gone as (
  delete from penstock.event_kept e
  using looked l
  where e.shard = l.shard and e.event_id = l.event_id and l.tenant_id = :tenant
  returning e.event_id
)
select shard, event_id, (select count(*) from gone) as deleted
from looked
order by shard desc, event_id desc
limit 1
