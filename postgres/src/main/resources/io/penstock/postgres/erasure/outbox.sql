delete from penstock.outbox
where ctid = any(array(
  select ctid
  from penstock.outbox
  where tenant_id = :tenant
  limit :most
  for update skip locked))
