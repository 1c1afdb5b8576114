-- Jobs of tubes are left out: expired_jobs.sql finds them, with what they were charged.
select d.destination_id, d.event_id, d.tenant_id, d.position, d.lane, d.urgency, d.attempt,
  d.not_before, d.age_from, d.lease_no, d.lease_until, d.redrive_count, d.size,
  e.type, e.content_type, e.headers, e.idempotency_key, e.body, e.item
from (
  select l.*
  from penstock.delivery l
  where l.shard = :shard and l.state = 'leased' and l.lease_until <= :now
    and not exists (
      select
      from penstock.tube_lease t
      where t.shard = :shard and t.destination_id = l.destination_id and t.event_id = l.event_id
        and t.lease_no = l.lease_no
      offset 0)
  order by l.lease_until, l.position
  limit :most) d
left join lateral (
  select type, content_type, headers, idempotency_key, item,
    case when size <= :inlineBytes then body end as body
  from penstock.event
  where shard = :shard and event_id = d.event_id
  union all
  select type, content_type, headers, idempotency_key, item,
    case when size <= :inlineBytes then body end
  from penstock.event_kept
  where shard = :shard and event_id = d.event_id
  limit 1) e on true
order by d.lease_until, d.position
