-- The ledger. Every key of a table on the hot path begins with the shard, so that the tables can be
-- spread later; no foreign key crosses shards. Ids are ASCII and compared by byte.

create table penstock.installation (
  one             boolean     primary key default true check (one),
  shards          smallint    not null check (shards between 1 and 1024),
  changes         bigint      not null default 0,
  disabled        boolean     not null default false,
  paused          boolean     not null default false,
  held            boolean     not null default false,
  gate_no         bigint      not null default 0,
  reopened_at     timestamptz
);
comment on table penstock.installation is
  'One row: what is fixed at installation, the gate of everything, and the count of all gate and '
  'configuration changes. Its row lock is the first that any such change takes.';

create table penstock.tenant (
  tenant_id       text        collate "C" primary key check (tenant_id ~ '^[!-~]{1,64}$'),
  name            text        not null,
  created_at      timestamptz not null,
  disabled        boolean     not null default false,
  paused          boolean     not null default false,
  held            boolean     not null default false,
  gate_no         bigint      not null default 0,
  reopened_at     timestamptz
);
comment on table penstock.tenant is 'The customers whose work it is, each with its gate.';

create table penstock.destination (
  shard           smallint    not null check (shard >= 0),
  destination_id  text        collate "C" not null check (destination_id ~ '^[!-~]{1,64}$'),
  tenant_id       text        collate "C" not null references penstock.tenant,
  mode            text        collate "C" not null check (mode in ('push', 'pull')),
  url             text        not null,
  headers         text        not null,
  secrets         text[]      not null,
  budget_id       text        collate "C" not null,
  config_no       bigint      not null default 0,
  created_at      timestamptz not null,
  deleted_at      timestamptz,
  disabled        boolean     not null default false,
  paused          boolean     not null default false,
  held            boolean     not null default false,
  gate_no         bigint      not null default 0,
  reopened_at     timestamptz,
  primary key (shard, destination_id)
) with (fillfactor = 80);
create index destination_of_tenant on penstock.destination (tenant_id, destination_id);
comment on table penstock.destination is
  'Where work goes, with its gate. The shard follows from the id, so the key makes ids unique. '
  'Headers are lines "Name: value"; secrets are references, never secrets. A deleted one stays for '
  'its history.';

create view penstock.gate as
  select d.shard, d.destination_id, d.tenant_id, d.budget_id, d.config_no,
    d.gate_no + t.gate_no + i.gate_no as gate_no,
    d.deleted_at is not null as deleted,
    d.disabled or t.disabled or i.disabled as disabled,
    d.paused or t.paused or i.paused as paused,
    d.held or t.held or i.held as held,
    greatest(d.reopened_at, t.reopened_at, i.reopened_at) as reopened_at
  from penstock.destination d
  join penstock.tenant t on t.tenant_id = d.tenant_id
  join penstock.installation i on i.one;
comment on view penstock.gate is
  'The gate in force for each destination: its own, its tenant''s and that of everything.';

create table penstock.subscription (
  tenant_id       text        collate "C" not null references penstock.tenant,
  type            text        collate "C" not null,
  shard           smallint    not null,
  destination_id  text        collate "C" not null,
  primary key (tenant_id, type, destination_id),
  foreign key (shard, destination_id) references penstock.destination
);
create index subscription_of_destination on penstock.subscription (shard, destination_id);
comment on table penstock.subscription is
  'Which destination hears which event type of its tenant; the empty type means all.';

create table penstock.budget (
  shard           smallint    not null,
  budget_id       text        collate "C" not null,
  state           text        collate "C" not null,
  primary key (shard, budget_id)
) with (fillfactor = 40, autovacuum_vacuum_scale_factor = 0.05);
comment on table penstock.budget is
  'The state of each budget, one hot row; destinations share a budget within their shard. No index but the key and a low fill factor, so that every '
  'update stays in its page.';

create table penstock.event (
  shard           smallint    not null,
  event_id        uuid        not null,
  tenant_id       text        collate "C" not null,
  type            text        collate "C" not null,
  content_type    text        not null,
  headers         text        not null,
  idempotency_key text,
  size            integer     not null check (size >= 0),
  body_hash       bytea       not null check (length(body_hash) = 32),
  destination_ids text[]      collate "C" not null,
  body            bytea       not null,
  primary key (shard, event_id)
) partition by range (event_id);
comment on table penstock.event is
  'Immutable bytes accepted from producers, once in every shard that delivers them. A day per '
  'partition: event ids are UUIDv7 and begin with the time. No idempotency key = the event id is '
  'the key.';

create table penstock.event_kept (
  like penstock.event including constraints,
  primary key (shard, event_id)
);
comment on table penstock.event_kept is
  'Events whose day was dropped while a waiting delivery or a dead letter still needed them.';

create table penstock.idempotency (
  shard           smallint    not null,
  tenant_id       text        collate "C" not null,
  key_hash        bytea       not null check (length(key_hash) = 32),
  event_id        uuid        not null,
  body_hash       bytea       not null check (length(body_hash) = 32),
  answer          text        not null,
  expires_at      timestamptz not null,
  primary key (shard, tenant_id, key_hash)
);
create index idempotency_expiry on penstock.idempotency (expires_at);
comment on table penstock.idempotency is
  'Keys that producers used, with the first answer: one line "destination state reason" per '
  'delivery. Lies in the shard of the tenant id.';

create sequence penstock.position as bigint;

create table penstock.delivery (
  shard           smallint    not null,
  destination_id  text        collate "C" not null,
  event_id        uuid        not null,
  tenant_id       text        collate "C" not null,
  position        bigint      not null default nextval('penstock.position'),
  lane            smallint    not null,
  urgency         smallint    not null,
  state           text        collate "C" not null,
  attempt         integer     not null,
  not_before      timestamptz not null,
  age_from        timestamptz not null,
  lease_no        bigint      not null,
  lease_until     timestamptz,
  leased_by       text        collate "C",
  last_status     smallint    not null default 0,
  redrive_count   integer     not null,
  size            integer     not null,
  primary key (shard, destination_id, event_id),
  constraint delivery_state check (state in ('pending', 'retrying', 'leased')),
  constraint delivery_lease check (
    (state = 'leased') = (lease_until is not null) and (state = 'leased') = (leased_by is not null)),
  constraint delivery_lane check (
    lane between 0 and 2 and urgency between 0 and 1
    and (state = 'leased' or (state = 'retrying') = (lane = 1))),
  constraint delivery_counts check (attempt >= 0 and lease_no >= 0 and redrive_count >= 0)
) with (
  fillfactor = 70,
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_insert_scale_factor = 0.1,
  autovacuum_vacuum_cost_delay = 0
);
create index delivery_waiting
  on penstock.delivery (shard, destination_id, lane, urgency, not_before, position)
  where state in ('pending', 'retrying');
create index delivery_leases
  on penstock.delivery (shard, lease_until)
  where state = 'leased';
comment on table penstock.delivery is
  'What waits or is being sent: the hot table. What has ended leaves it for delivery_done. The '
  'lease number is the fence and only ever rises.';

create table penstock.delivery_done (
  shard           smallint    not null,
  destination_id  text        collate "C" not null,
  event_id        uuid        not null,
  day             date        not null,
  tenant_id       text        collate "C" not null,
  position        bigint      not null,
  lane            smallint    not null,
  urgency         smallint    not null,
  state           text        collate "C" not null,
  attempt         integer     not null,
  not_before      timestamptz not null,
  age_from        timestamptz not null,
  lease_no        bigint      not null,
  last_status     smallint    not null default 0,
  reason          text        collate "C",
  redrive_count   integer     not null,
  size            integer     not null,
  done_at         timestamptz not null,
  primary key (shard, destination_id, event_id, day),
  constraint delivery_done_state check (state in ('delivered', 'dead', 'cancelled')),
  constraint delivery_done_reason check ((state = 'delivered') = (reason is null))
) partition by range (day);
comment on table penstock.delivery_done is
  'Deliveries that have ended, a day per partition, dropped whole. What lies on the shelf when its '
  'day is dropped moves to the day "infinity". A redrive takes its row away again: a delivery has '
  'one row, here or in delivery.';

create table penstock.delivery_done_kept
  partition of penstock.delivery_done for values from ('infinity') to (maxvalue);
create index delivery_done_kept_age on penstock.delivery_done_kept (done_at);

create table penstock.attempt (
  shard           smallint    not null,
  destination_id  text        collate "C" not null,
  event_id        uuid        not null,
  lease_no        bigint      not null,
  day             date        not null,
  started_at      timestamptz not null,
  duration_us     bigint      not null,
  outcome         text        collate "C" not null,
  detail          text        collate "C" not null,
  status          smallint    not null,
  response_head   bytea       not null check (length(response_head) <= 4096),
  resolved        text        collate "C",
  node            text        collate "C" not null,
  primary key (shard, destination_id, event_id, lease_no, day)
) partition by range (day);
comment on table penstock.attempt is 'Every try, append only, a day per partition.';

create table penstock.dead_letter (
  shard           smallint    not null,
  dead_letter_no  bigint      not null generated always as identity,
  destination_id  text        collate "C" not null,
  event_id        uuid        not null,
  tenant_id       text        collate "C" not null,
  lease_no        bigint      not null,
  outcome         text        collate "C",
  reason          text        collate "C" not null,
  last_status     smallint    not null default 0,
  response_head   bytea       not null,
  attempts        integer     not null,
  first_seen      timestamptz not null,
  last_seen       timestamptz not null,
  event_hash      bytea,
  primary key (shard, dead_letter_no)
);
create index dead_letter_of_destination
  on penstock.dead_letter (shard, destination_id, dead_letter_no);
comment on table penstock.dead_letter is
  'The shelf: one immutable record of each arrival. Written with the end of the delivery.';

create table penstock.audit (
  audit_no        bigint      primary key generated always as identity,
  at              timestamptz not null,
  actor           text        not null,
  action          text        collate "C" not null,
  subject         text        not null,
  reason          text        not null,
  detail          text        not null default ''
);
comment on table penstock.audit is 'Who did what, why and when. Insert only.';

create table penstock.api_key (
  key_id          text        collate "C" primary key,
  name            text        not null,
  hash            bytea       not null unique check (length(hash) = 32),
  scopes          text[]      not null,
  tenant_ids      text[]      not null,
  created_at      timestamptz not null,
  revoked_at      timestamptz
);
comment on table penstock.api_key is 'Keys of callers, by the SHA-256 of the key; never the key.';

create table penstock.node (
  node            text        collate "C" primary key,
  host            text        not null,
  version         text        not null,
  started_at      timestamptz not null,
  last_beat       timestamptz not null
);
comment on table penstock.node is
  'Processes as they report themselves. For people: no lease depends on it.';

create table penstock.limits_version (
  version_no      bigint      primary key generated always as identity,
  content         text        not null,
  content_hash    bytea       not null,
  diff            text        not null,
  author          text        not null,
  reviewer        text        not null,
  commit_ref      text        not null,
  reason          text        not null,
  result          text        not null,
  at              timestamptz not null
);
comment on table penstock.limits_version is 'Every limits file that was applied or refused.';

create function penstock.hot_path() returns void language sql as $$
  select
    set_config('statement_timeout', '5s', true),
    set_config('lock_timeout', '1s', true),
    set_config('idle_in_transaction_session_timeout', '2s', true),
    set_config('synchronous_commit', 'on', true),
    set_config('enable_seqscan', 'off', true),
    set_config('plan_cache_mode', 'force_generic_plan', true),
    set_config('jit', 'off', true);
$$;
comment on function penstock.hot_path() is
  'The first call of every transaction on the hot path. A process that is stopped between two '
  'statements loses its locks after two seconds; nothing is acknowledged before it is on disk; and '
  'a plan that was cached while a table was empty does not scan it when it is full. Compiling '
  'takes longer than any of these statements, and so does planning them anew each time.';

create function penstock.add_day(day date) returns integer language plpgsql as $$
declare
  parent text;
  child text;
  low text;
  high text;
  made integer := 0;
begin
  -- One at a time, whoever comes; the lock ends with the transaction.
  perform pg_advisory_xact_lock(hashtext('penstock.add_day'));
  foreach parent in array array['event', 'delivery_done', 'attempt'] loop
    child := parent || '_' || to_char(day, 'YYYYMMDD');
    if not exists (
      select from pg_inherits where inhrelid = to_regclass('penstock.' || child)
    ) then
      if parent = 'event' then
        low := penstock.lowest_event_id(day);
        high := penstock.lowest_event_id(day + 1);
      else
        low := day;
        high := day + 1;
      end if;
      -- Made apart and attached: that needs no lock that stops reads or writes of the parent.
      execute format(
        'create table if not exists penstock.%I (like penstock.%I including all)', child, parent);
      execute format(
        'alter table penstock.%I attach partition penstock.%I for values from (%L) to (%L)',
        parent, child, low, high);
      made := made + 1;
    end if;
  end loop;
  return made;
end $$;
comment on function penstock.add_day(date) is
  'Makes what is missing of a day''s partitions; returns how many it made.';

create function penstock.lowest_event_id(day date) returns text language sql immutable as $$
  select lpad(to_hex((extract(epoch from day::timestamp) * 1000)::bigint), 12, '0')
    || repeat('0', 20);
$$;
comment on function penstock.lowest_event_id(date) is
  'The bound below every event id of a day (UTC): 48 bits of milliseconds, then zeros.';

create view penstock.any_delivery as
  select shard, destination_id, event_id, tenant_id, lane, urgency, state, attempt, not_before,
    age_from, lease_no, lease_until, leased_by, last_status, null::text collate "C" as reason,
    redrive_count, size, null::timestamptz as done_at
  from penstock.delivery
  union all
  select shard, destination_id, event_id, tenant_id, lane, urgency, state, attempt, not_before,
    age_from, lease_no, null, null, last_status, reason,
    redrive_count, size, done_at
  from penstock.delivery_done;
comment on view penstock.any_delivery is 'All deliveries, waiting and ended, for reading.';

create view penstock.any_event as
  select * from penstock.event
  union all
  select * from penstock.event_kept;
comment on view penstock.any_event is
  'All events, for reading by key. One that was kept for safety may show twice.';

create function penstock.shown_state(state text, disabled boolean, paused boolean, held boolean)
  returns text language sql immutable as $$
  select case
    when state not in ('pending', 'retrying') then state
    when disabled then 'disabled'
    when paused then 'paused'
    when held then 'held'
    else state
  end;
$$;
comment on function penstock.shown_state(text, boolean, boolean, boolean) is
  'The state that people see: what waits behind a closed gate shows the gate.';
