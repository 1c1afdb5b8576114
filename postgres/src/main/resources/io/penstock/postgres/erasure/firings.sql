-- Before their schedules, which tell whose they are.
delete from penstock.schedule_firing
where (shard, schedule_id, at) in (
  select f.shard, f.schedule_id, f.at
  from penstock.schedule s
  join penstock.schedule_firing f on f.shard = s.shard and f.schedule_id = s.schedule_id
  where s.tenant_id = :tenant
  limit :most)
