-- What a snapshot that is kept elsewhere must not make slower and slower (ADR 012, LongSnapshotTest):
-- no version of a row can be taken away meanwhile.

-- Once the table was analysed beside thousands of dead versions, the planner took all of a budget's
-- index entries into a bitmap and sorted what it found, to return the newest alone. The statements of
-- the hot path find their rows by index, in its order, or by place.
create or replace function penstock.hot_path() returns void language sql as $$
  select
    set_config('statement_timeout', '5s', true),
    set_config('lock_timeout', '1s', true),
    set_config('idle_in_transaction_session_timeout', '2s', true),
    set_config('synchronous_commit', 'on', true),
    set_config('enable_seqscan', 'off', true),
    set_config('enable_bitmapscan', 'off', true),
    set_config('plan_cache_mode', 'force_generic_plan', true),
    set_config('jit', 'off', true);
$$;
comment on function penstock.hot_path() is
  'The first call of every transaction on the hot path. A process that is stopped between two '
  'statements loses its locks after two seconds; nothing is acknowledged before it is on disk; a '
  'plan that was cached while a table was empty does not scan it when it is full, nor sort what an '
  'index gives in order. Compiling takes longer than any of these statements, and so does planning '
  'them anew each time.';

-- An update that leaves its page makes an index entry, and the key asks of each earlier entry of the
-- budget whether its row still lives. With this much room it leaves one time in ten, not in three.
alter table penstock.budget set (fillfactor = 10);
comment on table penstock.budget is
  'The state of each budget, one hot row; destinations share a budget within their shard. No index '
  'but the key and the lowest fill factor, so that nearly every update stays in its page.';
