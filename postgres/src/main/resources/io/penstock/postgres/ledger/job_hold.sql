-- Who holds what was leased. A row that an ended lease left behind is taken over.
insert into penstock.tube_lease (shard, destination_id, event_id, lease_no, worker, pool_id,
  held_from, charged_us, lent, generation, probe, item)
select :shard, destination_id, event_id, lease_no, worker, pool_id,
  :now, charged_us, lent, generation, probe, item
from unnest(:destinations, :events, :leaseNos, :workers, :pools, :charged, :lent, :generations,
    :probes, :items)
  as h(destination_id, event_id, lease_no, worker, pool_id, charged_us, lent, generation, probe,
    item)
on conflict (shard, destination_id, event_id) do update
set lease_no = excluded.lease_no, worker = excluded.worker, pool_id = excluded.pool_id,
  held_from = excluded.held_from, charged_us = excluded.charged_us, lent = excluded.lent,
  generation = excluded.generation, probe = excluded.probe, item = excluded.item
