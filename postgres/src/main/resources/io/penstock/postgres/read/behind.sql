-- What waits for the next destinations after one, counted up to a bound. The oldest is exact when all
-- of it was counted; above the bound, each destination's oldest event stands for it.
with
behind as materialized (
  select destination_id
  from penstock.destination
  where shard = :shard and destination_id > :after
    and (:tenant::text is null or tenant_id = :tenant)
    and (:destination::text is null or destination_id = :destination)
  order by destination_id
  limit :page
),
counted as materialized (
  select w.age_from
  from behind b
  cross join lateral (
    select age_from
    from penstock.delivery
    where shard = :shard and destination_id = b.destination_id and lease_until is null
    order by event_id
    limit :most) w
  limit :most
),
heads as materialized (
  select w.age_from
  from behind b
  cross join lateral (
    select age_from
    from penstock.delivery
    where shard = :shard and destination_id = b.destination_id and lease_until is null
    order by event_id
    limit 1) w
)
select
  (select count(*) from counted) as waiting,
  least((select min(age_from) from counted), (select min(age_from) from heads)) as oldest,
  (select count(*) from behind) as destinations,
  (select max(destination_id) from behind) as last
