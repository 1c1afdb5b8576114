with
own as materialized (
  select shard, destination_id from penstock.destination where tenant_id = :tenant
)
select
  (select count(*) from own) as destinations,
  (select count(*) from (
    select 1
    from own o
    join penstock.delivery d on d.shard = o.shard and d.destination_id = o.destination_id
    limit :bound) x) as waiting,
  (select count(*) from (
    select 1
    from own o
    join penstock.delivery_done d on d.shard = o.shard and d.destination_id = o.destination_id
    limit :bound) x) as finished,
  (select count(*) from (
    select 1
    from generate_series(0, (select shards - 1 from penstock.installation)) as s(shard)
    join penstock.dead_letter l on l.shard = s.shard and l.tenant_id = :tenant
    limit :bound) x) as dead_letters
