-- A page of the deliveries of some destinations, newest event first. Each destination gives a
-- bounded number of rows; what lies below the highest place where one of them stopped is left for
-- the next page.
with
behind as materialized (
  select shard, destination_id, disabled or deleted as disabled, paused, held
  from penstock.gate
  where (:tenants::text[] is null or tenant_id = any(:tenants))
    and (:destination::text is null or (shard = :shard and destination_id = :destination))
),
seen as materialized (
  select d.*, penstock.shown_state(d.state, b.disabled, b.paused, b.held) as shown
  from behind b
  cross join lateral (
    select *
    from penstock.any_delivery
    where shard = b.shard and destination_id = b.destination_id
      and event_id <= :beforeEvent
      and (event_id, destination_id) < (:beforeEvent, :beforeDestination)
    order by event_id desc
    limit :scan) d
),
stopped as (
  select (array_agg(event_id order by event_id desc))[:scan] as event_id
  from seen
  group by destination_id
  having count(*) >= :scan
  order by 1 desc
  limit 1
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
