-- Numbers ascend with time, so only the first ones can be old: no more is looked at.
with
shards as (
  select generate_series(0, shards - 1) as shard from penstock.installation
),
first as materialized (
  select f.shard, f.dead_letter_no
  from shards s
  cross join lateral (
    select shard, dead_letter_no, last_seen
    from penstock.dead_letter
    where shard = s.shard
    order by dead_letter_no
    limit :most) f
  where f.last_seen < :before
)
delete from penstock.dead_letter d
using first f
where d.shard = f.shard and d.dead_letter_no = f.dead_letter_no
