select shard, dead_letter_no, destination_id, event_id, tenant_id, lease_no, reason,
  last_status, substring(response_head from 1 for :headBytes) as head, last_seen
from penstock.dead_letter
where shard = :shard and dead_letter_no > :after
order by dead_letter_no
limit :most
for update skip locked
