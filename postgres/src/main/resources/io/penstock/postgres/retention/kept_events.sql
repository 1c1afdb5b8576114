with
looked as materialized (
  select shard, event_id, destination_ids
  from penstock.event_kept
  where (shard, event_id) > (:afterShard, :after)
  order by shard, event_id
  limit :most
),
needless as materialized (
  select l.shard, l.event_id
  from looked l
  where not exists (
    select
    from unnest(l.destination_ids) as x(destination_id)
    join penstock.any_delivery d
      on d.shard = l.shard and d.destination_id = x.destination_id and d.event_id = l.event_id
    where d.state not in ('delivered', 'cancelled'))
),
gone as (
  delete from penstock.event_kept k
  using needless n
  where k.shard = n.shard and k.event_id = n.event_id
  returning k.event_id
)
select l.shard, l.event_id, (select count(*) from gone) as deleted
from looked l
order by l.shard desc, l.event_id desc
limit 1
