with
ended as (
  delete from penstock.delivery
  where shard = :shard and destination_id = :destination and event_id = :event
  returning *
),
done as (
  insert into penstock.delivery_done (shard, destination_id, event_id, day, tenant_id, position,
    lane, urgency, state, attempt, not_before, age_from, lease_no, last_status, reason,
    redrive_count, size, done_at)
  select shard, destination_id, event_id, :day, tenant_id, position,
    lane, urgency, 'cancelled', attempt, not_before, age_from, lease_no, last_status, 'cancelled',
    redrive_count, size, :now
  from ended
)
select lease_until is not null as leased from ended
