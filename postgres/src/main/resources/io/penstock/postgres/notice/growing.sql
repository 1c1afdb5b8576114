-- Destinations on whose shelf many arrived since the last count.
with
arrived as materialized (
  select destination_id, tenant_id
  from penstock.dead_letter
  where shard = :shard and dead_letter_no > :after
  order by dead_letter_no
  limit :most
)
insert into penstock.notice (kind, subject, tenant_id, detail, since)
select 'shelf_growing', destination_id, min(tenant_id),
  count(*) || ' deliveries died within ' || :seconds || ' s', :now
from arrived
where tenant_id <> :own
group by destination_id
having count(*) >= :threshold
on conflict (kind, subject) do nothing
