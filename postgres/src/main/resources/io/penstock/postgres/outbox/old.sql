delete from penstock.outbox_refused
where ctid = any(array(
  select ctid
  from penstock.outbox_refused
  where refused_at <= :before
  order by refused_at
  limit :most
  for update skip locked))
