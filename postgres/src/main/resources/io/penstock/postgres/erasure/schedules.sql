delete from penstock.schedule
where (shard, schedule_id) in (
  select shard, schedule_id
  from penstock.schedule
  where tenant_id = :tenant
  limit :most)
