-- Takes keys in key order, so that two batches cannot wait for each other. A key that has run out
-- is taken over. What is not returned belongs to an event that came before.
insert into penstock.idempotency as i
  (shard, tenant_id, key_hash, event_id, body_hash, answer, expires_at)
select :shard, k.tenant_id, k.key_hash, k.event_id, k.body_hash, k.answer, :expires
from unnest(:tenants, :keyHashes, :events, :bodyHashes, :answers)
  as k(tenant_id, key_hash, event_id, body_hash, answer)
order by k.tenant_id collate "C", k.key_hash
on conflict (shard, tenant_id, key_hash) do update
set event_id = excluded.event_id, body_hash = excluded.body_hash, answer = excluded.answer,
  expires_at = excluded.expires_at
where i.expires_at <= :now
returning i.event_id
