-- Events that came before under the same id, with the answer they got. A delivery that was born
-- dead never had a lease.
select e.event_id, (array_agg(e.body_hash))[1] as body_hash,
  concat_ws(e'\n',
    string_agg(
      f.destination_id || case when d.reason is null then ' pending' else ' dead ' || d.reason end,
      e'\n' order by f.destination_id),
    max(e.suppressed)) as answer
from penstock.event e
left join lateral unnest(e.destination_ids) as f(destination_id) on true
left join penstock.delivery_done d
  on d.shard = e.shard and d.destination_id = f.destination_id and d.event_id = e.event_id
    and d.state = 'dead' and d.lease_no = 0
    and d.reason in ('destination_disabled', 'backlog_full')
where e.shard = any(:shards) and e.event_id = any(:events)
group by e.event_id
