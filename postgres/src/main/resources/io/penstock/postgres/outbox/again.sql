-- Back into the outbox under its old number and with its old age; due at once.
with gone as (
  delete from penstock.outbox_refused
  where outbox_no = :number and (cast(:tenants as text[]) is null or tenant_id = any(:tenants))
  returning *
)
insert into penstock.outbox (outbox_no, enqueued_at, tenant_id, type, payload, payload_is_text,
  content_type, headers, urgency, idempotency_key, operation, source_version, destination_ids)
overriding system value
select outbox_no, enqueued_at, tenant_id, type, payload, payload_is_text,
  content_type, headers, urgency, idempotency_key, operation, source_version, destination_ids
from gone
returning tenant_id
