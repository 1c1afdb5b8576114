-- What happened per destination and minute, for charts, forecasts and `limits plan`. Nodes add what
-- they counted in memory every few seconds; what a node had not yet added when it was killed is
-- lost. So figures here are for people and estimates, and no rule may depend on them.
create table penstock.rollup (
  shard           smallint    not null,
  destination_id  text        collate "C" not null,
  minute          timestamptz not null,
  admitted        integer     not null default 0,
  sent            integer     not null default 0,
  delivered       integer     not null default 0,
  throttled       integer     not null default 0,
  transient       integer     not null default 0,
  unknown         integer     not null default 0,
  rejected        integer     not null default 0,
  unauthorised    integer     not null default 0,
  gone            integer     not null default 0,
  unsendable      integer     not null default 0,
  misconfigured   integer     not null default 0,
  ours            integer     not null default 0,
  waiting         bigint,
  oldest          timestamptz,
  rate            double precision,
  primary key (shard, destination_id, minute)
) partition by range (minute);
comment on table penstock.rollup is
  'Per destination and minute (UTC, by the ledger''s clock); no row = nothing happened and nothing '
  'waited. admitted: deliveries born pending. sent: attempts begun. Outcomes: attempts booked, by '
  'class. waiting: deliveries that waited, whatever for, at a sample in that minute, and oldest since '
  'when the oldest ready one of them might have gone; null = not sampled, or none was ready. rate: '
  'the last rate in force that an answer showed; null = no answer. A day per partition.';

-- As before, for every partitioned table that there is, whatever its key's type.
create or replace function penstock.add_day(day date) returns integer language plpgsql as $$
declare
  parent text;
  key_type text;
  child text;
  low text;
  high text;
  made integer := 0;
begin
  -- One at a time, whoever comes; the lock ends with the transaction.
  perform pg_advisory_xact_lock(hashtext('penstock.add_day'));
  for parent, key_type in
    select c.relname, a.atttypid::regtype::text
    from pg_partitioned_table p
    join pg_class c on c.oid = p.partrelid
    join pg_attribute a on a.attrelid = p.partrelid and a.attnum = p.partattrs[0]
    where c.relnamespace = 'penstock'::regnamespace and p.partstrat = 'r'
    order by c.relname
  loop
    child := parent || '_' || to_char(day, 'YYYYMMDD');
    if not exists (
      select from pg_inherits where inhrelid = to_regclass('penstock.' || child)
    ) then
      case key_type
        when 'uuid' then
          low := penstock.lowest_event_id(day);
          high := penstock.lowest_event_id(day + 1);
        when 'date' then
          low := day;
          high := day + 1;
        when 'timestamp with time zone' then
          low := to_char(day, 'YYYY-MM-DD') || 'T00:00:00Z';
          high := to_char(day + 1, 'YYYY-MM-DD') || 'T00:00:00Z';
      end case;
      -- Made apart and attached: that needs no lock that stops reads or writes of the parent.
      execute format(
        'create table if not exists penstock.%I (like penstock.%I including all)', child, parent);
      if parent = 'rollup' then
        -- A row is added to a dozen times within its minute: it stays in its page.
        execute format('alter table penstock.%I set (fillfactor = 50)', child);
      end if;
      execute format(
        'alter table penstock.%I attach partition penstock.%I for values from (%L) to (%L)',
        parent, child, low, high);
      made := made + 1;
    end if;
  end loop;
  return made;
end $$;
