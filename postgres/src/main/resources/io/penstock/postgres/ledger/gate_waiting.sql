-- What waits behind a gate, counted up to a bound. The oldest is exact below the bound; above it,
-- each destination's oldest event stands for it.
with
behind as materialized (
  select shard, destination_id
  from penstock.destination
  where (:tenant::text is null or tenant_id = :tenant)
    and (:destination::text is null or (shard = :shard and destination_id = :destination))
),
counted as materialized (
  select w.age_from
  from behind b
  cross join lateral (
    select age_from
    from penstock.delivery
    where shard = b.shard and destination_id = b.destination_id and lease_until is null
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
    where shard = b.shard and destination_id = b.destination_id and lease_until is null
    order by event_id
    limit 1) w
)
select
  (select count(*) from counted) as waiting,
  least((select min(age_from) from counted), (select min(age_from) from heads)) as oldest
