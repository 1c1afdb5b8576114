-- Points in the order of time, and the last rate before them, from which a drawing begins.
select at, kind, span, rate, ceiling, knee, throttled, times, before, failures, cause
from (
  (select *
  from penstock.history
  where shard = :shard and destination_id = :destination and at < :from and kind = 'rate'
  order by at desc
  limit 1)
  union all
  (select *
  from penstock.history
  where shard = :shard and destination_id = :destination and at >= :from and at < :to
  order by at
  limit :most)) p
order by at, kind
