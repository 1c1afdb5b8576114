select penstock.hot_path();

select clock_timestamp() as now;

select tenant_id from penstock.tenant where tenant_id = any(:tenants) and erased_at is null;

-- The fan-out by subscription; the empty type means all.
select s.tenant_id, s.type, g.destination_id, g.shard, g.disabled
from penstock.subscription s
join penstock.gate g on g.shard = s.shard and g.destination_id = s.destination_id
where s.tenant_id = any(:subscribers) and s.type = any(:types)
order by s.tenant_id, g.destination_id;

select tenant_id, destination_id, shard, disabled
from penstock.gate
where shard = any(:shards) and destination_id = any(:destinations) and not deleted
