select d.destination_id, d.event_id, d.tenant_id, d.position, d.lane, d.urgency, d.attempt,
  d.not_before, d.age_from, d.lease_no, d.lease_until, d.redrive_count, d.size,
  e.type, e.content_type, e.headers, e.idempotency_key, e.body
from (
  select *
  from penstock.delivery
  where shard = :shard and state = 'leased' and lease_until <= :now
  order by lease_until, position
  limit :most) d
left join lateral (
  select type, content_type, headers, idempotency_key,
    case when size <= :inlineBytes then body end as body
  from penstock.event
  where shard = :shard and event_id = d.event_id
  union all
  select type, content_type, headers, idempotency_key,
    case when size <= :inlineBytes then body end
  from penstock.event_kept
  where shard = :shard and event_id = d.event_id
  limit 1) e on true
order by d.lease_until, d.position
