-- The rows are locked by this transaction.
with gone as (
  delete from penstock.outbox
  where outbox_no = any(:numbers)
  returning *
)
insert into penstock.outbox_refused (outbox_no, enqueued_at, not_before, deferrals, tenant_id, type,
  payload, payload_is_text, content_type, headers, urgency, idempotency_key, operation,
  source_version, destination_ids, reason, detail, refused_at)
select g.outbox_no, g.enqueued_at, g.not_before, g.deferrals, g.tenant_id, g.type,
  g.payload, g.payload_is_text, g.content_type, g.headers, g.urgency, g.idempotency_key, g.operation,
  g.source_version, g.destination_ids, why.reason, why.detail, :now
from gone g
join unnest(:numbers, :reasons, :details) as why(outbox_no, reason, detail)
  on why.outbox_no = g.outbox_no
