insert into penstock.event (shard, event_id, tenant_id, type, content_type, headers,
  idempotency_key, size, body_hash, destination_ids, body, item, suppressed)
select :shard, e.event_id, e.tenant_id, e.type, e.content_type, e.headers,
  e.idempotency_key, e.size, e.body_hash, string_to_array(e.destination_ids, ' '), e.body, e.item,
  e.suppressed
from unnest(:events, :tenants, :types, :contentTypes, :headers, :keys, :sizes, :bodyHashes,
    :fans, :bodies, :items, :suppressed)
  as e(event_id, tenant_id, type, content_type, headers, idempotency_key, size, body_hash,
    destination_ids, body, item, suppressed);

insert into penstock.delivery (shard, destination_id, event_id, tenant_id, lane, urgency, state,
  attempt, not_before, age_from, lease_no, redrive_count, size)
select :shard, d.destination_id, d.event_id, d.tenant_id, 0, d.urgency, 'pending',
  0, d.due, d.due, 0, 0, d.size
from unnest(:waitDestinations, :waitEvents, :waitTenants, :waitUrgencies, :waitSizes, :waitDues)
  with ordinality as w(destination_id, event_id, tenant_id, urgency, size, due_us, n)
cross join lateral (
  -- Its age counts from when it is due: a week's wave must not grow too old in its own window.
  select w.*, 'epoch'::timestamptz + w.due_us * interval '1 microsecond' as due) d
order by d.n
