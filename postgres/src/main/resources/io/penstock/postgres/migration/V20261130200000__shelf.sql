-- The shelf: what its list filters by, who has left it, and its groups.

alter table penstock.dead_letter
  add column event_type text collate "C",
  add constraint dead_letter_reason check (reason ~ '^[a-z_]{1,40}$' and reason <> 'cancelled'),
  add constraint dead_letter_status check (last_status = 0 or last_status between 100 and 999),
  add constraint dead_letter_counts check (attempts >= 0 and lease_no >= 0),
  add constraint dead_letter_bounds check (
    length(response_head) <= 4096 and (event_hash is null or length(event_hash) = 32));
create index dead_letter_of_tenant
  on penstock.dead_letter (shard, tenant_id, dead_letter_no);
create index dead_letter_of_event
  on penstock.dead_letter (shard, destination_id, event_id);
comment on column penstock.dead_letter.event_type is
  'Type of the event; null for records from before this column, or when the event was gone.';

create function penstock.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'penstock.% is never changed: % refused', tg_table_name, lower(tg_op)
    using errcode = 'restrict_violation',
      hint = 'Rows are written once. Old ones go by retention, and a tenant''s by erasure.';
end $$;
comment on function penstock.refuse_change() is
  'For tables whose rows are records: whatever tries to change one is a bug.';

create trigger dead_letter_immutable before update on penstock.dead_letter
  for each statement execute function penstock.refuse_change();

create table penstock.shelf_departure (
  shard           smallint    not null,
  dead_letter_no  bigint      not null,
  counted         boolean     not null default false,
  primary key (shard, dead_letter_no)
);
create index shelf_departure_uncounted
  on penstock.shelf_departure (shard, dead_letter_no) where not counted;
comment on table penstock.shelf_departure is
  'Dead letters whose delivery has left the shelf: it was released and goes again. counted = its '
  'group knows. A row goes with its dead letter.';

-- A rule of the table and not of a statement: whatever releases a dead delivery takes its row away
-- from delivery_done, and none of them can forget to say so. Dropping or moving days fires nothing.
create function penstock.depart() returns trigger language plpgsql as $$
begin
  insert into penstock.shelf_departure (shard, dead_letter_no)
  select g.shard, l.dead_letter_no
  from gone g
  -- One by one by its index: a transition table has no statistics.
  cross join lateral (
    select dead_letter_no
    from penstock.dead_letter
    where shard = g.shard and destination_id = g.destination_id and event_id = g.event_id
      and lease_no = g.lease_no
    limit 1) l
  where g.state = 'dead'
  on conflict do nothing;
  return null;
end $$;
create trigger delivery_done_departs after delete on penstock.delivery_done
  referencing old table as gone
  for each statement execute function penstock.depart();

create table penstock.shelf_group (
  shard           smallint    not null,
  destination_id  text        collate "C" not null,
  tenant_id       text        collate "C" not null,
  reason          text        collate "C" not null,
  last_status     smallint    not null,
  phrase          text        collate "C" not null check (length(phrase) <= 80),
  group_no        bigint      not null generated always as identity,
  letters         bigint      not null check (letters > 0),
  first_at        timestamptz not null,
  last_at         timestamptz not null,
  example_no      bigint      not null,
  primary key (shard, destination_id, reason, last_status, phrase)
) with (fillfactor = 70);
create index shelf_group_by_size on penstock.shelf_group (letters desc, group_no desc);
create index shelf_group_of_tenant
  on penstock.shelf_group (tenant_id, letters desc, group_no desc);
comment on table penstock.shelf_group is
  'What lies on the shelf, counted by cause. One task writes it, from the numbers that are '
  'committed: no settle ever does.';

create table penstock.shelf_count (
  shard           smallint    primary key,
  normaliser      integer     not null,
  counted_no      bigint      not null,
  barrier_no      bigint      not null,
  barrier_xid     xid8        not null,
  counted_at      timestamptz not null
);
comment on table penstock.shelf_count is
  'How far the groups have been counted. Numbers commit out of order: those up to barrier_no are '
  'all there once no transaction from before barrier_xid runs any more. Its row lock keeps '
  'counting, retention and erasure apart.';

-- The audit: more to ask it by, and nobody changes it.

alter table penstock.audit add column tenant_id text collate "C";
create index audit_of_tenant on penstock.audit (tenant_id, audit_no);
create index audit_by_subject on penstock.audit (subject collate "C" text_pattern_ops, audit_no);
create function penstock.guard_audit() returns trigger language plpgsql as $$
begin
  if current_setting('penstock.maintenance', true) = 'audit' then
    return null;
  end if;
  raise exception 'penstock.audit is insert-only: % refused', lower(tg_op)
    using errcode = 'restrict_violation',
      hint = 'Retention and legal deletion run as the maintenance role and leave a tombstone.';
end $$;
create trigger audit_insert_only before update or delete on penstock.audit
  for each statement execute function penstock.guard_audit();
comment on table penstock.audit is
  'Who did what, why and when. Insert only: by privilege for the service''s role (penstock roles), '
  'and by a trigger for everybody, against mistakes.';

-- The service's role owns no table, and yet makes the days that it writes to.
alter function penstock.add_day(date) security definer set search_path = penstock, pg_temp;
