-- Adds what ended to the counts of each tube. One row per tube, in key order.
insert into penstock.tube as t (shard, destination_id, completed, failed, lost, released,
  worked_us, yielded, empty_runs, last_run_at, last_success_at, last_yield_at)
select :shard, destination_id, completed, failed, lost, released,
  worked_us, yielded, empty_runs, :now,
  case when completed > 0 then cast(:now as timestamptz) end,
  case when any_yield then cast(:now as timestamptz) end
from unnest(:destinations, :completed, :failed, :lost, :released, :worked, :yielded, :empty,
    :anyYield)
  as c(destination_id, completed, failed, lost, released, worked_us, yielded, empty_runs,
    any_yield)
order by destination_id
on conflict (shard, destination_id) do update
set completed = t.completed + excluded.completed,
  failed = t.failed + excluded.failed,
  lost = t.lost + excluded.lost,
  released = t.released + excluded.released,
  worked_us = t.worked_us + excluded.worked_us,
  yielded = t.yielded + excluded.yielded,
  empty_runs = case when excluded.last_yield_at is null
    then t.empty_runs + excluded.empty_runs else excluded.empty_runs end,
  last_run_at = excluded.last_run_at,
  last_success_at = coalesce(excluded.last_success_at, t.last_success_at),
  last_yield_at = coalesce(excluded.last_yield_at, t.last_yield_at)
