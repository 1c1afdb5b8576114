-- The set is frozen by number: the highest that is committed now. Numbers commit out of order, so a
-- transaction that is still writing dead letters may hold a lower one; they are remembered, and
-- nothing is released before they have ended. They are asked after the bound: whoever has a lower
-- number took its lock before. Short transactions all of them; none waits for this.
insert into penstock.redrive (shard, redrive_id, destination_id, tenant_id, outcomes, reasons,
  statuses, died_from, died_before, types, event_ids, rate_per_minute, low_watermark, canary_first,
  canary_percent, abort_percent, abort_after, bound, writers, state, cursor, released, skipped,
  waiting, retrying, delivered, dead, cancelled, lost, canary_passed, pace_from, pace_released,
  looked_at, waits_for, explained, actor, reason, started_at, due_at)
values (:shard, :redrive, :destination, :tenant, :outcomes, :reasons,
  :statuses, :diedFrom, :diedBefore, :types, :eventIds, :rate, :watermark, :canaryFirst,
  :canaryPercent, :abortPercent, :abortAfter, :bound,
  array(
    select virtualtransaction
    from pg_locks
    where database = (select oid from pg_database where datname = current_database())
      and locktype = 'relation' and relation = 'penstock.dead_letter'::regclass
      and mode = 'RowExclusiveLock' and granted and pid <> pg_backend_pid()),
  :state, 0, 0, 0,
  0, 0, 0, 0, 0, 0, false, :now, 0,
  :lookedAt, :waitsFor, :explained, :actor, :reason, :now, :now)
-- Another active one of the destination, or the same one told twice.
on conflict do nothing
