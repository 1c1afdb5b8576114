-- Departures that their groups do not know of yet. Those beyond what was counted wait: when their
-- dead letters are counted, they are found to have left. One without a dead letter lost it to
-- retention, which took it out of its group.
with
left_shelf as materialized (
  select shard, dead_letter_no
  from penstock.shelf_departure
  where shard = :shard and not counted and dead_letter_no <= :upTo
  order by dead_letter_no
  limit :most
)
select x.shard, x.dead_letter_no, d.destination_id, d.event_id, d.tenant_id, d.lease_no, d.reason,
  d.last_status, substring(d.response_head from 1 for :headBytes) as head, d.last_seen
from left_shelf x
left join lateral (
  select *
  from penstock.dead_letter
  where shard = x.shard and dead_letter_no = x.dead_letter_no
  limit 1) d on true
