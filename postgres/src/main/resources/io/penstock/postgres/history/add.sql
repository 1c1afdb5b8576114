-- Adds points; two nodes may have seen the same second. In key order, so that they do not wait for
-- each other in a ring.
insert into penstock.history as h (shard, destination_id, at, kind, span, rate, ceiling, knee,
  throttled, times, before, failures, cause)
select shard, destination_id, 'epoch'::timestamptz + at_us * interval '1 microsecond', kind, span,
  rate, ceiling, nullif(knee, -1), throttled, times, nullif(before, -1), failures, cause
from unnest(:shards, :destinations, :atMicros, :kinds, :spans, :rates, :ceilings, :knees,
    :throttled, :times, :befores, :failures, :causes)
  as n(shard, destination_id, at_us, kind, span, rate, ceiling, knee, throttled, times, before,
    failures, cause)
order by shard, destination_id, at_us, kind
on conflict (shard, destination_id, at, kind) do update
set rate = excluded.rate,
  ceiling = excluded.ceiling,
  knee = excluded.knee,
  throttled = h.throttled + excluded.throttled,
  times = h.times + excluded.times,
  failures = excluded.failures,
  cause = excluded.cause
