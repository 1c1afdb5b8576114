-- The next dead letters to count, and whether they have left already.
select d.shard, d.dead_letter_no, d.destination_id, d.event_id, d.tenant_id, d.lease_no, d.reason,
  d.last_status, substring(d.response_head from 1 for :headBytes) as head, d.last_seen,
  (select true
    from penstock.shelf_departure x
    where x.shard = d.shard and x.dead_letter_no = d.dead_letter_no
    limit 1) is not null as departed
from penstock.dead_letter d
where d.shard = :shard and d.dead_letter_no > :after and d.dead_letter_no <= :upTo
order by d.dead_letter_no
limit :most
