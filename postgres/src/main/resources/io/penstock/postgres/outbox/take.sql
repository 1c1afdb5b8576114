select penstock.hot_path();

-- By number, in order of number, as all who lock several of them do.
select outbox_no, tenant_id, type, payload, payload_is_text, content_type, headers, urgency,
  idempotency_key, operation, source_version, destination_ids, deferrals
from penstock.outbox
where outbox_no = any(:numbers)
order by outbox_no
for update skip locked
