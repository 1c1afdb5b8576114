-- The groups for those who may not see what receivers answer: causes without their words.
select *
from (
  select destination_id, tenant_id, reason, last_status, null::text as phrase,
    sum(letters)::bigint as letters, min(first_at) as first_at, max(last_at) as last_at,
    max(example_no) as example_no, min(group_no) as group_no
  from penstock.shelf_group
  where (cast(:tenants as text[]) is null or tenant_id = any(:tenants))
    and (cast(:destination as text) is null or (shard = :shard and destination_id = :destination))
    and (cast(:reason as text) is null or reason = :reason)
  group by destination_id, tenant_id, reason, last_status) c
where (letters, group_no) < (:letters, :group)
order by letters desc, group_no desc
limit :limit
