delete from penstock.idempotency
where ctid = any(array(
  select ctid
  from penstock.idempotency
  where shard = :shard and tenant_id = :tenant
  limit :most
  for update skip locked))
