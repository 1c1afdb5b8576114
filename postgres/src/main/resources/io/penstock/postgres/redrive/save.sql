-- The state after a step; the lease keeps other nodes from asking in vain.
update penstock.redrive
set state = :state, cursor = :cursor, released = :released, skipped = :skipped, waiting = :waiting,
  retrying = :retrying, delivered = :delivered, dead = :dead, cancelled = :cancelled, lost = :lost,
  canary_passed = :canaryPassed, pace_from = :paceFrom, pace_released = :paceReleased,
  looked_at = :lookedAt, look_after = :lookAfter, counted = :counted, counted_to = :countedTo,
  waits_for = :waitsFor, explained = :explained, ended_at = :endedAt, due_at = :dueAt,
  runner = :node, runner_until = :leaseUntil
where shard = :shard and redrive_id = :redrive
