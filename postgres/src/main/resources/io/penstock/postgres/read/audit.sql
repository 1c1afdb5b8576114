-- A page of the audit, newest first; looks at a bounded number of lines, and says where it stopped.
with
looked as materialized (
  select *
  from penstock.audit
  where audit_no < :before and audit_no >= :from
    and (cast(:tenants as text[]) is null or tenant_id = any(:tenants))
    and (cast(:subject as text) is null
      or subject = :subject or starts_with(subject, :subject || '/'))
  order by audit_no desc
  limit :scan
)
select f.floor, r.*
from (select case when count(*) >= :scan then min(audit_no) end as floor from looked) f
left join lateral (
  select audit_no, at, actor, action, subject, tenant_id, reason, detail
  from looked
  where (cast(:actor as text) is null or actor = :actor)
    and (cast(:action as text) is null
      or action = :action or starts_with(action, :action || '.'))
    and at >= :since and at < :until
  order by audit_no desc
  limit :limit) r on true
order by r.audit_no desc
