select d.*, x.dead_letter_no is not null as departed,
  e.size is not null as payload_kept, e.size as payload_size
from penstock.dead_letter d
left join penstock.shelf_departure x
  on x.shard = d.shard and x.dead_letter_no = d.dead_letter_no
left join lateral (
  select size from penstock.event where shard = d.shard and event_id = d.event_id
  union all
  select size from penstock.event_kept where shard = d.shard and event_id = d.event_id
  limit 1) e on true
where d.shard = any(:shards) and d.dead_letter_no = :number
