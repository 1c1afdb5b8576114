-- Notes when workers were heard of. One that only renewed keeps what it asked for last.
insert into penstock.worker as w (worker, pool_id, tubes, node, first_seen, last_seen)
select worker, pool_id, string_to_array(tubes, ' '), :node,
  timestamptz 'epoch' + at_us * interval '1 microsecond',
  timestamptz 'epoch' + at_us * interval '1 microsecond'
from unnest(:workers, :pools, :tubes, :at) as s(worker, pool_id, tubes, at_us)
order by worker
on conflict (worker) do update
set pool_id = excluded.pool_id,
  tubes = case when cardinality(excluded.tubes) = 0 then w.tubes else excluded.tubes end,
  node = excluded.node,
  last_seen = greatest(w.last_seen, excluded.last_seen)
