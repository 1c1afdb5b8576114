-- Notes complete runs, and forgets sets of artifacts beyond those that are remembered of an item. A
-- set that is noted just now is not forgotten: one statement must not touch a row twice. The fence
-- keeps the order away from the index by age, which would go through the runs of all items.
with
r as materialized (
  select *
  from unnest(:destinations, :items, :hashes, :artifacts, :events, :leaseNos)
    as r(destination_id, item, artifacts_hash, artifacts, event_id, lease_no)
),
forgotten as (
  delete from penstock.complete_run
  where ctid = any(array(
    select c.tid
    from (select distinct destination_id, item from r) k
    cross join lateral (
      select tid, artifacts_hash
      from (
        select ctid as tid, artifacts_hash, completed_at
        from penstock.complete_run
        where shard = :shard and destination_id = k.destination_id and item = k.item
        offset 0) i
      order by completed_at desc
      offset :mostSets - 1) c
    where not exists (
      select
      from r
      where r.destination_id = k.destination_id and r.item = k.item
        and r.artifacts_hash = c.artifacts_hash)))
)
insert into penstock.complete_run (shard, destination_id, item, artifacts_hash, artifacts, event_id,
  lease_no, completed_at)
select :shard, destination_id, item, artifacts_hash, artifacts, event_id, lease_no, :now
from r
order by destination_id, item, artifacts_hash
on conflict (shard, destination_id, item, artifacts_hash) do update
set event_id = excluded.event_id, lease_no = excluded.lease_no,
  completed_at = excluded.completed_at
