-- Leases that ran out and are of tubes; those that are not are found by expired_leases.sql.
select d.destination_id, d.event_id, d.tenant_id, d.position, d.lane, d.urgency, d.attempt,
  d.not_before, d.age_from, d.lease_no, d.lease_until, d.redrive_count, d.size,
  null::text as type, null::text as content_type, null::text as headers,
  null::text as idempotency_key, null::bytea as body, null::text as item,
  t.worker, t.pool_id, t.held_from, t.charged_us, t.lent, t.generation, t.probe, t.place
from penstock.delivery d
cross join lateral (
  select worker, pool_id, held_from, charged_us, lent, generation, probe, ctid::text as place
  from penstock.tube_lease
  where shard = :shard and destination_id = d.destination_id and event_id = d.event_id
    and lease_no = d.lease_no
  limit 1) t
where d.shard = :shard and d.state = 'leased' and d.lease_until <= :now
order by d.lease_until, d.position
limit :most
