-- What became of some of the messages that have not ended, by dead letter number. A row that was put
-- back more often than by this redrive tells nothing about it any more. A finished row lies in the
-- day of the release or later.
with
open as materialized (
  select event_id, dead_letter_no, redrive_count, outcome,
    (at at time zone 'UTC')::date as released_on
  from penstock.redrive_event
  where shard = :shard and redrive_id = :redrive and outcome in ('waiting', 'retrying')
    and dead_letter_no > :after
  order by dead_letter_no
  limit :most
),
seen as materialized (
  select o.event_id, o.outcome as before, o.dead_letter_no,
    case
      when coalesce(h.redrive_count, d.redrive_count) is distinct from o.redrive_count then 'lost'
      when h.redrive_count is not null and h.attempt > 0 then 'retrying'
      when h.redrive_count is not null then 'waiting'
      else d.state
    end as outcome,
    coalesce(d.reason, '') as detail,
    d.done_at
  from open o
  left join lateral (
    select redrive_count, attempt
    from penstock.delivery
    where shard = :shard and destination_id = :destination and event_id = o.event_id
    limit 1) h on true
  left join lateral (
    select redrive_count, state, reason, done_at
    from penstock.delivery_done
    where h.redrive_count is null and shard = :shard and destination_id = :destination
      and event_id = o.event_id and day >= o.released_on
    limit 1) d on true
),
moved as (
  update penstock.redrive_event e
  set outcome = s.outcome, detail = s.detail,
    ended_at = case when s.outcome in ('waiting', 'retrying') then null
      else coalesce(s.done_at, :now) end
  from seen s
  where e.shard = :shard and e.redrive_id = :redrive and e.destination_id = :destination
    and e.event_id = s.event_id and s.outcome <> s.before
  returning s.before, s.outcome
)
select m.before, m.outcome, m.moved, w.looked, w.looked_to
from (select count(*)::integer as looked, max(dead_letter_no) as looked_to from seen) w
left join (select before, outcome, count(*)::integer as moved from moved group by 1, 2) m on true
