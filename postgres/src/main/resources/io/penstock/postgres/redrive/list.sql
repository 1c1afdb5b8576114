select *
from penstock.redrive
where (:tenants::text[] is null or tenant_id = any(:tenants::text[]))
  and (:destination::text is null or destination_id = :destination)
  and (:active::boolean is null
    or (state in ('starting', 'running', 'paused')) = :active::boolean)
  and (:beforeTime::timestamptz is null
    or (started_at, redrive_id) < (:beforeTime::timestamptz, :beforeId))
order by started_at desc, redrive_id desc
limit :limit
