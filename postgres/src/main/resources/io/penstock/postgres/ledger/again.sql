-- Takes the finished row away and puts a fresh one into the hot table, under the next lease number.
-- The event is kept beyond its day: the row that says it is needed may come after the day's last
-- look at what is needed. Without an event nothing happens.
with
kept as materialized (
  select event_id, null::penstock.event as row from penstock.event_kept
  where shard = :shard and event_id = :event
  union all
  select e.event_id, e from penstock.event e
  where e.shard = :shard and e.event_id = :event
),
done as (
  delete from penstock.delivery_done
  where shard = :shard and destination_id = :destination and event_id = :event and state = :state
    and exists (select from kept)
  returning *
),
saved as (
  insert into penstock.event_kept
  select (k.row).* from kept k join done d on d.event_id = k.event_id
  where (k.row).event_id is not null
  on conflict do nothing
)
insert into penstock.delivery (shard, destination_id, event_id, tenant_id, position, lane, urgency,
  state, attempt, not_before, age_from, lease_no, last_status, redrive_count, size)
select shard, destination_id, event_id, tenant_id, position, 2, urgency,
  'pending', 0, :now, :now, lease_no + 1, last_status, redrive_count + 1, size
from done
