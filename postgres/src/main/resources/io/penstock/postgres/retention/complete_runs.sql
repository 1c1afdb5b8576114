delete from penstock.complete_run
where ctid = any(array(
  select ctid
  from penstock.complete_run
  where completed_at <= :before
  order by completed_at
  limit :most
  for update skip locked))
