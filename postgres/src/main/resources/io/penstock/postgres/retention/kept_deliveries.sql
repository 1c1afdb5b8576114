delete from penstock.delivery_done_kept
where ctid = any(array(
  select ctid
  from penstock.delivery_done_kept
  where done_at < :before
  order by done_at
  limit :most
  for update skip locked))
