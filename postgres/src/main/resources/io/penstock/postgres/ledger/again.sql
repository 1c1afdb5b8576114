-- Takes finished rows away and puts fresh ones into the hot table, under the next lease number. The
-- event is kept beyond its day: the row that says it is needed may come after the day's last look at
-- what is needed. Without an event nothing happens. A row that somebody else takes meanwhile falls
-- out, which is right.
--
-- Rows are found one by one by primary key (a lateral limit can be planned in no other way), between
-- the days that they may lie in, so that a known day asks one partition; and they are deleted by the
-- whole key.
with
wanted as materialized (
  select *
  from unnest(:events, :leaseNos, :firstDays, :lastDays)
    as w(event_id, lease_no, first_day, last_day)
),
found as materialized (
  select w.event_id, d.day
  from wanted w
  cross join lateral (
    select day
    from penstock.delivery_done
    where shard = :shard and destination_id = :destination and event_id = w.event_id
      and day between w.first_day and w.last_day
      and state = :state and (w.lease_no < 0 or lease_no = w.lease_no)
    limit 1) d
  cross join lateral (
    select from penstock.event_kept where shard = :shard and event_id = w.event_id
    union all
    select from penstock.event where shard = :shard and event_id = w.event_id
    limit 1) k
),
done as (
  delete from penstock.delivery_done d
  using found f
  where d.shard = :shard and d.destination_id = :destination and d.event_id = f.event_id
    and d.day = f.day and d.state = :state
  returning d.*
),
saved as (
  insert into penstock.event_kept
  select e.*
  from done d
  cross join lateral (
    select * from penstock.event where shard = :shard and event_id = d.event_id limit 1) e
  on conflict do nothing
)
insert into penstock.delivery (shard, destination_id, event_id, tenant_id, position, lane, urgency,
  state, attempt, not_before, age_from, lease_no, last_status, redrive_count, size)
select shard, destination_id, event_id, tenant_id, position, 2, urgency,
  'pending', 0, :now, :now, lease_no + 1, last_status, redrive_count + 1, size
from done
order by position
returning event_id, lease_no, redrive_count
