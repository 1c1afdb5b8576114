-- What happened once and was not told: redrives that ended themselves, limits that were refused, and
-- shelves that were found growing.
select 'redrive_aborted' as kind, r.redrive_id as subject, r.tenant_id,
  r.destination_id || ': ' || r.explained as detail, r.ended_at as since
from penstock.redrive r
where r.state = 'aborted' and r.ended_at >= :since and r.tenant_id <> :own
  and not exists (
    select from penstock.notice n where n.kind = 'redrive_aborted' and n.subject = r.redrive_id)
union all
select 'limits_refused', v.version_no::text, '', v.author || ': ' || v.reason, v.at
from penstock.limits_version v
where v.at >= :since and v.result <> 'applied'
  and not exists (
    select from penstock.notice n
    where n.kind = 'limits_refused' and n.subject = v.version_no::text)
union all
select kind, subject, tenant_id, detail, since
from penstock.notice
where told_at is null
order by since
limit :most
