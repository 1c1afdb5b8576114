-- Redrives: the task with its state, and one event for each of its messages. Both lie in the shard
-- of the destination, so that a release is one transaction of one shard.

create table penstock.redrive (
  shard           smallint    not null,
  redrive_id      text        collate "C" not null check (redrive_id ~ '^[!-~]{1,64}$'),
  destination_id  text        collate "C" not null,
  tenant_id       text        collate "C" not null,
  outcomes        text[]      collate "C" not null,
  reasons         text[]      collate "C" not null,
  statuses        integer[]   not null,
  died_from       timestamptz,
  died_before     timestamptz,
  types           text[]      collate "C" not null,
  event_ids       uuid[]      not null,
  rate_per_minute integer     not null check (rate_per_minute >= 0),
  low_watermark   integer     not null check (low_watermark > 0),
  canary_first    integer     not null check (canary_first >= 0),
  canary_percent  integer     not null check (canary_percent between 0 and 100),
  abort_percent   integer     not null check (abort_percent between 0 and 100),
  abort_after     integer     not null check (abort_after > 0),
  bound           bigint      not null,
  writers         text[]      not null,
  state           text        collate "C" not null,
  cursor          bigint      not null,
  released        bigint      not null,
  skipped         bigint      not null,
  waiting         bigint      not null,
  retrying        bigint      not null,
  delivered       bigint      not null,
  dead            bigint      not null,
  cancelled       bigint      not null,
  lost            bigint      not null,
  canary_passed   boolean     not null,
  pace_from       timestamptz not null,
  pace_released   bigint      not null,
  looked_at       timestamptz not null,
  look_after      bigint      not null default 0,
  counted         bigint      not null default 0,
  counted_to      bigint      not null default 0,
  waits_for       text        collate "C" not null,
  explained       text        not null,
  actor           text        not null,
  reason          text        not null,
  started_at      timestamptz not null,
  ended_at        timestamptz,
  due_at          timestamptz,
  runner          text        collate "C",
  runner_until    timestamptz,
  primary key (shard, redrive_id),
  constraint redrive_state check (
    state in ('starting', 'running', 'paused', 'completed', 'cancelled', 'aborted')),
  constraint redrive_counts check (
    released >= 0 and skipped >= 0 and waiting >= 0 and retrying >= 0 and delivered >= 0
    and dead >= 0 and cancelled >= 0 and lost >= 0
    and released = waiting + retrying + delivered + dead + cancelled + lost),
  constraint redrive_ended check (
    (state in ('starting', 'running', 'paused')) = (ended_at is null))
) with (fillfactor = 50);
create unique index redrive_active on penstock.redrive (shard, destination_id)
  where state in ('starting', 'running', 'paused');
create index redrive_listed on penstock.redrive (started_at, redrive_id);
create index redrive_by_id on penstock.redrive (redrive_id);
comment on table penstock.redrive is
  'A controlled release of a destination''s dead letters: its filter, its pace, and how far it has '
  'come. The set is what had a number up to "bound" at the start; "writers" are the transactions '
  'that were then still writing dead letters. Its row lock is held by the one step that runs.';

create table penstock.redrive_event (
  shard           smallint    not null,
  redrive_id      text        collate "C" not null,
  destination_id  text        collate "C" not null,
  event_id        uuid        not null,
  dead_letter_no  bigint      not null,
  lease_no        bigint      not null,
  redrive_count   integer     not null,
  outcome         text        collate "C" not null,
  detail          text        not null default '',
  at              timestamptz not null,
  ended_at        timestamptz,
  primary key (shard, redrive_id, destination_id, event_id),
  constraint redrive_event_outcome check (outcome in (
    'waiting', 'retrying', 'delivered', 'dead', 'cancelled', 'lost', 'skipped')),
  constraint redrive_event_ended check ((outcome in ('waiting', 'retrying')) = (ended_at is null))
);
create index redrive_event_open on penstock.redrive_event (shard, redrive_id, dead_letter_no)
  where outcome in ('waiting', 'retrying');
create index redrive_event_listed on penstock.redrive_event (shard, redrive_id, dead_letter_no);
comment on table penstock.redrive_event is
  'One message of a redrive: released once, or skipped with a reason, and what became of it.';
