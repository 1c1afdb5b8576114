-- Not the hot path: a plan is asked for by a person, for a bounded number of destinations. Each is
-- one range of the key.
select r.destination_id, r.minute, r.admitted
from unnest(cast(:shards as integer[]), cast(:ids as text[])) as d (shard, destination_id)
join penstock.rollup r
  on r.shard = d.shard and r.destination_id = d.destination_id
where r.minute >= :from and r.admitted > 0
order by r.destination_id, r.minute
