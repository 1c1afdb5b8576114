-- Schedules: recurring orders to send an event, and one row for each instant that came.

create table penstock.schedule (
  shard           smallint    not null check (shard >= 0),
  schedule_id     text        collate "C" not null check (schedule_id ~ '^[!-~]{1,64}$'),
  tenant_id       text        collate "C" not null references penstock.tenant,
  every_seconds   integer,
  from_at         timestamptz,
  cron            text        collate "C",
  zone            text        collate "C",
  on_gap          text        collate "C",
  on_repeat       text        collate "C",
  catch_up_seconds integer    not null,
  missed          text        collate "C" not null,
  type            text        collate "C" not null,
  content_type    text        not null,
  headers         text        not null,
  urgency         smallint    not null,
  destination_ids text[]      collate "C" not null,
  over_seconds    integer     not null default 0,
  items           text[]      not null default '{}',
  body            bytea       not null,
  paused          boolean     not null,
  next_at         timestamptz,
  fired           bigint      not null,
  refused         bigint      not null,
  too_old         bigint      not null,
  merged          bigint      not null,
  last_at         timestamptz,
  last_fired_at   timestamptz,
  last_event_id   uuid,
  last_problem    text,
  actor           text        not null,
  reason          text        not null,
  created_at      timestamptz not null,
  primary key (shard, schedule_id),
  constraint schedule_recurrence check (
    (every_seconds is not null and from_at is not null and cron is null and zone is null
      and on_gap is null and on_repeat is null)
    or (every_seconds is null and from_at is null and cron is not null and zone is not null
      and on_gap is not null and on_repeat is not null)),
  constraint schedule_every check (every_seconds > 0),
  constraint schedule_on_gap check (on_gap in ('after', 'skip')),
  constraint schedule_on_repeat check (on_repeat in ('first', 'second', 'both')),
  constraint schedule_missed check (missed in ('once', 'each')),
  constraint schedule_over check (over_seconds between 0 and 604800),
  constraint schedule_counts check (fired >= 0 and refused >= 0 and too_old >= 0 and merged >= 0),
  constraint schedule_paused check (not paused or next_at is null),
  constraint schedule_last check (
    (last_at is null) = (last_fired_at is null) and (last_at is null) = (last_problem is null))
);
create index schedule_due on penstock.schedule (shard, next_at) where next_at is not null;
create index schedule_of_tenant on penstock.schedule (tenant_id, schedule_id);
comment on table penstock.schedule is
  'Recurring orders to send an event. The shard follows from the id, so the key makes ids unique. '
  '"next_at" is the first instant that was not looked at: whoever moves it sends the event in the '
  'same transaction. Its row lock is held by the one firing that runs.';

create table penstock.schedule_firing (
  shard           smallint    not null,
  schedule_id     text        collate "C" not null,
  at              timestamptz not null,
  fired_at        timestamptz not null,
  event_id        uuid,
  problem         text        not null,
  primary key (shard, schedule_id, at),
  constraint schedule_firing_refused check (event_id is not null or problem <> '')
);
create index schedule_firing_old on penstock.schedule_firing (fired_at);
comment on table penstock.schedule_firing is
  'The instants of schedules that came: each once, whatever nodes crash or race.';
