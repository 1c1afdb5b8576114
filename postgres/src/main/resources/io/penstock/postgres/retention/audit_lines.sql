-- Numbers ascend with time, so only the first ones can be old: no more is looked at. Tombstones of
-- erased tenants stay.
with
first as materialized (
  select audit_no, at, action
  from penstock.audit
  order by audit_no
  limit :most
),
gone as (
  delete from penstock.audit a
  using first f
  where a.audit_no = f.audit_no and f.at < :before and f.action <> 'tenant.erased'
  returning a.audit_no
)
select count(*) as lines, coalesce(min(audit_no), 0) as first_no, coalesce(max(audit_no), 0) as last_no
from gone
