select *
from penstock.schedule
where (:tenants::text[] is null or tenant_id = any(:tenants::text[])) and schedule_id > :after
order by schedule_id
limit :limit
