-- Newest first. Of some tenants: by their own index, one after the other when they are several.
select outbox_no, enqueued_at, refused_at, tenant_id, type, octet_length(payload) as size,
  idempotency_key, reason, detail,
  array(select d from unnest(destination_ids) d where d is not null) as destination_ids
from penstock.outbox_refused
where outbox_no < :before and (cast(:tenants as text[]) is null or tenant_id = any(:tenants))
order by outbox_no desc
limit :limit
