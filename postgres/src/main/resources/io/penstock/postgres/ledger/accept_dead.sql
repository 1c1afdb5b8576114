-- Deliveries that are born dead: an end and a place on the shelf at once.
with
d as materialized (
  select *
  from unnest(:destinations, :events, :tenants, :urgencies, :sizes, :reasons, :bodyHashes, :types)
    with ordinality as d(destination_id, event_id, tenant_id, urgency, size, reason, body_hash, type, n)
),
done as (
  insert into penstock.delivery_done (shard, destination_id, event_id, day, tenant_id, position,
    lane, urgency, state, attempt, not_before, age_from, lease_no, reason, redrive_count, size,
    done_at)
  select :shard, destination_id, event_id, :day, tenant_id, nextval('penstock.position'),
    0, urgency, 'dead', 0, :now, :now, 0, reason, 0, size, :now
  from d
  order by n
)
insert into penstock.dead_letter (shard, destination_id, event_id, tenant_id, lease_no, reason,
  response_head, attempts, first_seen, last_seen, event_hash, event_type)
select :shard, destination_id, event_id, tenant_id, 0, reason, '', 0, :now, :now, body_hash, type
from d
order by n
