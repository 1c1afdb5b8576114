-- The head of the index of what comes, for each shard: one look-up, however many schedules there are.
select s.shard, n.next_at
from unnest(:shards) as s(shard)
cross join lateral (
  select next_at
  from penstock.schedule
  where shard = s.shard and next_at is not null
  order by next_at
  limit 1) n
