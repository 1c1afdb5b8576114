-- How many of its destination go before a delivery, up to a bound.
select count(*)
from (
  select
  from penstock.delivery me
  join penstock.delivery d
    on d.shard = me.shard and d.destination_id = me.destination_id
      and d.state in ('pending', 'retrying')
      and (d.lane, d.urgency, d.not_before, d.position)
        < (me.lane, me.urgency, me.not_before, me.position)
  where me.shard = :shard and me.destination_id = :destination and me.event_id = :event
  limit :most) counted
