-- The records, the marks of those that had left, and the rows that were kept beyond their day only
-- for them. A departed one that its group does not know of yet counts as still there: its number
-- is not returned.
with
gone as (
  delete from penstock.dead_letter where shard = :shard and dead_letter_no = any(:numbers)
),
marks as (
  delete from penstock.shelf_departure
  where shard = :shard and dead_letter_no = any(:numbers)
  returning dead_letter_no, counted
),
kept as (
  delete from penstock.delivery_done_kept
  where ctid = any(array(
    select k.tid
    from unnest(:destinations, :events, :leaseNos) as l(destination_id, event_id, lease_no)
    cross join lateral (
      select ctid as tid
      from penstock.delivery_done_kept
      where shard = :shard and destination_id = l.destination_id and event_id = l.event_id
        and day = 'infinity' and lease_no = l.lease_no
      limit 1) k))
)
select dead_letter_no from marks where counted
