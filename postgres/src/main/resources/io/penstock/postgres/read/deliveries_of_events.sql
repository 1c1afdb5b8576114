-- A page of the deliveries of the newest events, or of one event. A bounded number of events is
-- looked at; each tells its destinations, so that rows are found by key.
with
looked as materialized (
  select e.shard, e.event_id, e.destination_ids
  from unnest(:shards) as s(shard)
  cross join lateral (
    select shard, event_id, destination_ids
    from penstock.any_event
    where shard = s.shard and event_id <= :beforeEvent
      and (:event::uuid is null or event_id = :event::uuid)
      and (:tenants::text[] is null or tenant_id = any(:tenants))
    order by event_id desc
    limit :scan) e
),
stopped as (
  select (array_agg(event_id order by event_id desc))[:scan] as event_id
  from looked
  group by shard
  having count(*) >= :scan
  order by 1 desc
  limit 1
),
seen as materialized (
  select d.*, penstock.shown_state(d.state, g.disabled or g.deleted, g.paused, g.held) as shown
  from (
    select distinct e.shard, e.event_id, x.destination_id
    from looked e
    cross join lateral unnest(e.destination_ids) as x(destination_id)
    where (e.event_id, x.destination_id collate "C") < (:beforeEvent, :beforeDestination)) k
  cross join lateral (
    select *
    from penstock.any_delivery
    where shard = k.shard and destination_id = k.destination_id and event_id = k.event_id) d
  join penstock.gate g on g.shard = d.shard and g.destination_id = d.destination_id
)
select f.floor, r.*
from (select (select event_id from stopped) as floor) f
left join lateral (
  select *
  from seen
  where (f.floor is null or event_id >= f.floor) and (:state::text is null or shown = :state)
  order by event_id desc, destination_id desc
  limit :limit) r on true
order by r.event_id desc, r.destination_id desc
