-- Destinations that are held or disabled, and those whose budget has ever been parked: only a
-- budget that has, holds the part "q", and Java looks into it.
select d.destination_id, d.tenant_id, d.held, d.disabled, b.state
from penstock.destination d
join penstock.budget b on b.shard = d.shard and b.budget_id = d.budget_id
where d.deleted_at is null and d.tenant_id <> :own
  and (d.held or d.disabled or position('q' in b.state) > 0)
order by d.destination_id
