-- What a redrive's filter matches among the next dead letters of its destination: those that are the
-- last death of a delivery that is dead still ("day" says where its row lies), and those whose
-- delivery has left the shelf since the redrive was started ("day" is null). A record of an earlier
-- death is passed over. Its row lies in the day of the death or, later, in the day of what is kept:
-- the planner asks those two partitions only.
with
looked as materialized (
  select dead_letter_no, event_id, lease_no, outcome, reason, last_status, last_seen
  from penstock.dead_letter
  where shard = :shard and destination_id = :destination
    and dead_letter_no > :after and dead_letter_no <= :bound
  order by dead_letter_no
  limit :scan
),
matching as materialized (
  select l.*, (l.last_seen at time zone 'UTC')::date as died_on
  from looked l
  where (:outcomes::text[] is null or l.outcome = any(:outcomes::text[]))
    and (:reasons::text[] is null or l.reason = any(:reasons::text[]))
    and (:statuses::integer[] is null or l.last_status = any(:statuses::integer[]))
    and (:diedFrom::timestamptz is null or l.last_seen >= :diedFrom::timestamptz)
    and (:diedBefore::timestamptz is null or l.last_seen < :diedBefore::timestamptz)
    and (:eventIds::uuid[] is null or l.event_id = any(:eventIds::uuid[]))
    and (:types::text[] is null or exists (
      select from penstock.event
      where shard = :shard and event_id = l.event_id and type = any(:types::text[])
      union all
      select from penstock.event_kept
      where shard = :shard and event_id = l.event_id and type = any(:types::text[])))
),
judged as materialized (
  select m.*, c.day, o.age_from
  from matching m
  left join lateral (
    select day
    from penstock.delivery_done
    where shard = :shard and destination_id = :destination and event_id = m.event_id
      and day = any(array[m.died_on, 'infinity'::date])
      and lease_no = m.lease_no and state = 'dead'
    limit 1) c on true
  left join lateral (
    select age_from
    from penstock.delivery
    where c.day is null and shard = :shard and destination_id = :destination
      and event_id = m.event_id
    union all
    select age_from
    from penstock.delivery_done
    where c.day is null and shard = :shard and destination_id = :destination
      and event_id = m.event_id
    limit 1) o on true
)
select w.looked, w.looked_to, j.dead_letter_no, j.event_id, j.lease_no, j.outcome, j.reason,
  j.last_status, j.last_seen, j.day = 'infinity' as kept, j.died_on,
  j.day is not null as is_dead
from (select count(*) as looked, max(dead_letter_no) as looked_to from looked) w
left join judged j on j.day is not null or j.age_from >= :started
order by j.dead_letter_no
