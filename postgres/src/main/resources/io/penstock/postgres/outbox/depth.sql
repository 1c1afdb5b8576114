select
  (select count(*) from (select from penstock.outbox limit :bound) x) as rows,
  (select o.enqueued_at from penstock.outbox o order by o.outbox_no limit 1) as oldest,
  (select count(*) from (select from penstock.outbox_refused limit :bound) x) as refused
