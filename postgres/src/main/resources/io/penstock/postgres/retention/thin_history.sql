-- Makes few points of many old ones: one of each kind per longer span. The rate is the mean, so that
-- the area under the curve stays; cuts and failed probes keep how often they came.
with
old as materialized (
  select ctid as tid
  from penstock.history
  where span = :from and at < :before
  order by at
  limit :most
  for update skip locked
),
gone as (
  delete from penstock.history
  where ctid = any(array(select tid from old))
  returning *
),
thin as materialized (
  select shard, destination_id, kind,
    date_bin(:to * interval '1 second', at, 'epoch'::timestamptz) as bin,
    avg(rate) as rate, (array_agg(ceiling order by at desc))[1] as ceiling,
    (array_agg(knee order by at desc))[1] as knee, sum(throttled)::integer as throttled,
    sum(times)::integer as times, (array_agg(before order by at))[1] as before,
    max(failures) as failures, (array_agg(cause order by at desc))[1] as cause
  from gone
  group by shard, destination_id, kind, bin
),
added as (
  insert into penstock.history as h (shard, destination_id, at, kind, span, rate, ceiling, knee,
    throttled, times, before, failures, cause)
  select shard, destination_id, bin, kind, :to, rate, ceiling, knee, throttled, times, before,
    failures, cause
  from thin
  order by shard, destination_id, bin, kind
  on conflict (shard, destination_id, at, kind) do update
  set span = excluded.span,
    rate = excluded.rate,
    ceiling = excluded.ceiling,
    knee = excluded.knee,
    throttled = h.throttled + excluded.throttled,
    times = h.times + excluded.times,
    failures = greatest(h.failures, excluded.failures),
    cause = excluded.cause
)
select count(*) from gone
