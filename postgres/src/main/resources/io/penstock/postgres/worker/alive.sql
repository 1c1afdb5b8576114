select w.worker, w.pool_id, w.tubes, w.node, w.first_seen, w.last_seen,
  coalesce(t.running, 0) as running,
  coalesce(t.running_in, array[]::text[]) as running_in
from penstock.worker w
left join (
  select worker, count(*) as running, array_agg(distinct destination_id) as running_in
  from penstock.tube_lease
  group by worker) t on t.worker = w.worker
where w.last_seen >= :since and w.worker > :after
order by w.worker
limit :most
