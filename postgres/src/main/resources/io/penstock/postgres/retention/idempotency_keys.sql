delete from penstock.idempotency
where ctid = any(array(
  select ctid
  from penstock.idempotency
  where expires_at <= :now
  order by expires_at
  limit :most
  for update skip locked))
