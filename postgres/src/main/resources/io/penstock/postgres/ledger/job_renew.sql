-- Moves the end of leases, and notes what they are charged by now. Rows are found one by one by
-- primary key and updated by place, as in a settle.
with
s as materialized (
  select *
  from unnest(:destinations, :events, :leaseNos, :untilMicros, :charged, :places) with ordinality
    as s(destination_id, event_id, lease_no, until_us, charged_us, place, n)
),
found as materialized (
  select s.*, d.tid
  from s
  cross join lateral (
    select ctid as tid
    from penstock.delivery
    where shard = :shard and destination_id = s.destination_id and event_id = s.event_id
      and lease_no = s.lease_no and lease_until is not null
    limit 1) d
),
kept as (
  update penstock.delivery d
  set lease_until = timestamptz 'epoch' + s.until_us * interval '1 microsecond'
  from found s
  where d.ctid = s.tid
  returning s.n
),
charged as (
  update penstock.tube_lease t
  set charged_us = s.charged_us
  from found s
  where t.ctid = s.place::tid and t.charged_us <> s.charged_us
)
select n from kept
