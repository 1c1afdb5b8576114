select destination_id, tenant_id, reason, last_status, phrase, letters, first_at, last_at,
  example_no, group_no
from penstock.shelf_group
where (cast(:tenants as text[]) is null or tenant_id = any(:tenants))
  and (cast(:destination as text) is null or (shard = :shard and destination_id = :destination))
  and (cast(:reason as text) is null or reason = :reason)
  and (letters, group_no) < (:letters, :group)
order by letters desc, group_no desc
limit :limit
