delete from penstock.outbox_refused
where ctid = any(array(
  select ctid
  from penstock.outbox_refused
  where tenant_id = :tenant
  order by outbox_no
  limit :most
  for update skip locked))
