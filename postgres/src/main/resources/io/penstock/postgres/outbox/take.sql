select penstock.hot_path();

-- By number, in order of number, as all who lock several of them do. A row that was inserted past
-- penstock.enqueue may hold lists of lists and nulls: it is read all the same, and stops nobody.
select outbox_no, tenant_id, type, payload, payload_is_text, content_type, headers, urgency,
  idempotency_key, operation, source_version, deferrals,
  array(select d from unnest(destination_ids) d where d is not null) as destination_ids
from penstock.outbox
where outbox_no = any(:numbers)
order by outbox_no
for update skip locked
