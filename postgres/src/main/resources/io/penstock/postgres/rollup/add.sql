-- Adds what one node counted. In key order, so that two nodes that add at once do not wait for each
-- other in a ring. Gauges (waiting, oldest, rate) are replaced by what is newer.
insert into penstock.rollup as r (shard, destination_id, minute, admitted, sent, delivered,
  throttled, transient, unknown, rejected, unauthorised, gone, unsendable, misconfigured, ours,
  waiting, oldest, rate)
select shard, destination_id, 'epoch'::timestamptz + minute_us * interval '1 microsecond',
  admitted, sent, delivered, throttled, transient, unknown, rejected, unauthorised, gone,
  unsendable, misconfigured, ours, nullif(waiting, -1),
  'epoch'::timestamptz + nullif(oldest_us, -1) * interval '1 microsecond', nullif(rate, -1)
from unnest(:shards, :destinations, :minuteMicros, :admitted, :sent, :delivered, :throttled,
    :transient, :unknown, :rejected, :unauthorised, :gone, :unsendable, :misconfigured, :ours,
    :waiting, :oldestMicros, :rates)
  as n(shard, destination_id, minute_us, admitted, sent, delivered, throttled, transient, unknown,
    rejected, unauthorised, gone, unsendable, misconfigured, ours, waiting, oldest_us, rate)
order by shard, destination_id, minute_us
on conflict (shard, destination_id, minute) do update
set admitted = r.admitted + excluded.admitted,
  sent = r.sent + excluded.sent,
  delivered = r.delivered + excluded.delivered,
  throttled = r.throttled + excluded.throttled,
  transient = r.transient + excluded.transient,
  unknown = r.unknown + excluded.unknown,
  rejected = r.rejected + excluded.rejected,
  unauthorised = r.unauthorised + excluded.unauthorised,
  gone = r.gone + excluded.gone,
  unsendable = r.unsendable + excluded.unsendable,
  misconfigured = r.misconfigured + excluded.misconfigured,
  ours = r.ours + excluded.ours,
  waiting = coalesce(excluded.waiting, r.waiting),
  oldest = case when excluded.waiting is null then r.oldest else excluded.oldest end,
  rate = coalesce(excluded.rate, r.rate)
