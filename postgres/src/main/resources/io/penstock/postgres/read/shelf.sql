-- A page of the shelf, newest first; looks at a bounded number of records.
with
looked as materialized (
  select *
  from penstock.dead_letter
  where (:destination::text is null or destination_id = :destination) and dead_letter_no < :before
  order by dead_letter_no desc
  limit :scan
)
select f.floor, r.*
from (
  select case when count(*) >= :scan then min(dead_letter_no) end as floor from looked) f
left join lateral (
  select *
  from looked
  where (:tenants::text[] is null or tenant_id = any(:tenants))
    and (:reason::text is null or reason = :reason)
  order by dead_letter_no desc
  limit :limit) r on true
order by r.dead_letter_no desc
