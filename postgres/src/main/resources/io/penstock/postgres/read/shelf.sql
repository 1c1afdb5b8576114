-- A page of the shelf, newest first, from the index that the question has: of the destination, of
-- the tenants, or of all. A branch that is not asked for is not run. What has no index of its own
-- is asked of a bounded number of records per shard (and tenant); below the floor not all of them
-- have been looked at, so the page ends there.
with
looked as materialized (
  select l.*
  from unnest(cast(:shards as int[])) as s(shard)
  cross join lateral (
    select shard, dead_letter_no, tenant_id, outcome, reason, last_status, event_type, last_seen
    from penstock.dead_letter
    where :by = 'all' and shard = s.shard
      and dead_letter_no < :before and dead_letter_no >= :from
    order by dead_letter_no desc
    limit :scan) l
  union all
  select l.*
  from unnest(cast(:shards as int[])) as s(shard)
  cross join unnest(cast(:tenants as text[])) as t(tenant_id)
  cross join lateral (
    select shard, dead_letter_no, tenant_id, outcome, reason, last_status, event_type, last_seen
    from penstock.dead_letter
    where :by = 'tenants' and shard = s.shard and tenant_id = t.tenant_id
      and dead_letter_no < :before and dead_letter_no >= :from
    order by dead_letter_no desc
    limit :scan) l
  union all
  select l.*
  from unnest(cast(:shards as int[])) as s(shard)
  cross join lateral (
    select shard, dead_letter_no, tenant_id, outcome, reason, last_status, event_type, last_seen
    from penstock.dead_letter
    where :by = 'destination' and shard = s.shard and destination_id = :destination
      and dead_letter_no < :before and dead_letter_no >= :from
    order by dead_letter_no desc
    limit :scan) l
),
scans as (
  select min(dead_letter_no) as lowest, count(*) as records
  from looked
  group by shard, case when :by = 'tenants' then tenant_id end
),
floor as materialized (
  select max(lowest) as floor from scans where records >= :scan
),
found as materialized (
  select l.shard, l.dead_letter_no, l.departed
  from (
    select *,
      -- Asked one by one: a scalar subquery is never turned into a hash of the whole table.
      (select true
        from penstock.shelf_departure x
        where x.shard = looked.shard and x.dead_letter_no = looked.dead_letter_no
        limit 1) is not null as departed
    from looked
    where dead_letter_no >= coalesce((select floor from floor), 0)
      and (cast(:tenants as text[]) is null or tenant_id = any(:tenants))
      and (cast(:outcome as text) is null or outcome = :outcome)
      and (cast(:reason as text) is null or reason = :reason)
      and (cast(:status as int) is null or last_status = :status)
      and (cast(:type as text) is null or event_type = :type)
      and last_seen >= :since and last_seen < :until) l
  where cast(:departed as boolean) is null or l.departed = :departed
  order by l.dead_letter_no desc
  limit :limit
)
select f.floor, r.*
from floor f
left join lateral (
  select o.departed, d.*
  from found o
  cross join lateral (
    select *
    from penstock.dead_letter
    where shard = o.shard and dead_letter_no = o.dead_letter_no
    limit 1) d) r on true
order by r.dead_letter_no desc
