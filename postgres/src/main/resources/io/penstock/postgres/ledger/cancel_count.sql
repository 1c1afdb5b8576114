with
looked as materialized (
  select event_id, age_from, tenant_id, lease_until
  from penstock.delivery
  where shard = :shard and destination_id = :destination and event_id > :after
  order by destination_id, event_id
  limit :most
),
matching as materialized (
  select l.lease_until
  from looked l
  where l.age_from < :agedBefore
    and (cast(:tenant as text) is null or l.tenant_id = :tenant)
    and (cast(:type as text) is null or (
      select type from penstock.event where shard = :shard and event_id = l.event_id
      union all
      select type from penstock.event_kept where shard = :shard and event_id = l.event_id
      limit 1) = :type)
)
select
  (select count(*) from matching) as deliveries,
  (select count(*) from matching where lease_until is not null) as leased,
  (select event_id from looked
    where (select count(*) from looked) >= :most
    order by event_id desc limit 1) as last
