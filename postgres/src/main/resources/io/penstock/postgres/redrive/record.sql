-- One event for each message that was released or skipped. An older record of a delivery may have
-- been skipped before its last one is released; nothing else may meet itself here.
insert into penstock.redrive_event (shard, redrive_id, destination_id, event_id, dead_letter_no,
  lease_no, redrive_count, outcome, detail, at, ended_at)
select :shard, :redrive, :destination, n.event_id, n.dead_letter_no, n.lease_no, n.redrive_count,
  n.outcome, n.detail, :now, case when n.outcome = 'skipped' then :now::timestamptz end
from unnest(:events, :letters, :leaseNos, :counts, :outcomes, :details)
  as n(event_id, dead_letter_no, lease_no, redrive_count, outcome, detail)
order by n.dead_letter_no
on conflict (shard, redrive_id, destination_id, event_id) do update
set dead_letter_no = excluded.dead_letter_no, lease_no = excluded.lease_no,
  redrive_count = excluded.redrive_count, outcome = excluded.outcome, detail = excluded.detail,
  at = excluded.at, ended_at = excluded.ended_at
where redrive_event.outcome = 'skipped' and excluded.outcome = 'waiting'
