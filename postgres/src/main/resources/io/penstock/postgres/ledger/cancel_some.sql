-- The next deliveries of a destination in key order; those that match are cancelled. The budget is
-- locked, so that no claim or settle is at them; what else holds one is about to end it.
with
looked as materialized (
  select ctid as tid, event_id, age_from, tenant_id
  from penstock.delivery
  where shard = :shard and destination_id = :destination and event_id > :after
  order by destination_id, event_id
  limit :most
  for update skip locked
),
matching as materialized (
  select l.tid
  from looked l
  where l.age_from < :agedBefore
    and (cast(:tenant as text) is null or l.tenant_id = :tenant)
    and (cast(:type as text) is null or (
      select type from penstock.event where shard = :shard and event_id = l.event_id
      union all
      select type from penstock.event_kept where shard = :shard and event_id = l.event_id
      limit 1) = :type)
),
ended as (
  delete from penstock.delivery
  where ctid = any(array(select tid from matching))
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
select
  (select count(*) from ended) as deliveries,
  (select count(*) from ended where lease_until is not null) as leased,
  (select event_id from looked
    where (select count(*) from looked) >= :most
    order by event_id desc limit 1) as last
