-- Histories whose time is over. Everything so old has the longest span.
delete from penstock.history
where ctid = any(array(
  select ctid
  from penstock.history
  where span = 600 and at < :before
  order by at
  limit :most
  for update skip locked))
