with
g as materialized (
  select *
  from unnest(:destinations, :tenants, :reasons, :statuses, :phrases, :letters, :firsts, :lasts,
      :examples)
    as g(destination_id, tenant_id, reason, last_status, phrase, letters, first_us, last_us,
      example_no)
),
empty as (
  delete from penstock.shelf_group
  where ctid = any(array(
    select o.tid
    from g
    cross join lateral (
      select ctid as tid
      from penstock.shelf_group
      where shard = :shard and destination_id = g.destination_id and reason = g.reason
        and last_status = g.last_status and phrase = g.phrase
      limit 1) o
    where g.letters = 0))
)
insert into penstock.shelf_group (shard, destination_id, tenant_id, reason, last_status, phrase,
  letters, first_at, last_at, example_no)
select :shard, destination_id, tenant_id, reason, last_status, phrase,
  letters,
  timestamptz 'epoch' + first_us * interval '1 microsecond',
  timestamptz 'epoch' + last_us * interval '1 microsecond',
  example_no
from g
where letters > 0
order by destination_id, reason, last_status, phrase
on conflict (shard, destination_id, reason, last_status, phrase) do update
set letters = excluded.letters, first_at = excluded.first_at, last_at = excluded.last_at,
  example_no = excluded.example_no
