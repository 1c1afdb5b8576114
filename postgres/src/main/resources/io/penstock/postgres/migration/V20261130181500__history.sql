-- How budgets moved: what explains an incident afterwards. Written by the nodes every few seconds,
-- off the hot path; the last seconds before a kill may be missing.
create table penstock.history (
  shard           smallint    not null,
  destination_id  text        collate "C" not null,
  at              timestamptz not null,
  kind            text        collate "C" not null
    check (kind in ('rate', 'cut', 'parked', 'probe_failed', 'unparked', 'closed')),
  span            integer     not null check (span in (1, 10, 60, 600)),
  rate            double precision not null,
  ceiling         double precision not null,
  knee            double precision,
  throttled       integer     not null,
  times           integer     not null,
  before          double precision,
  failures        integer     not null,
  cause           text        collate "C",
  primary key (shard, destination_id, at, kind)
);
create index history_age on penstock.history (span, at);
comment on table penstock.history is
  'Points of a destination''s history, at most one of each kind in a span of so many seconds. A '
  'point is thinned with age: 1 s becomes 10 s after an hour, 60 s after a day, 600 s after a week. '
  'Parks, their ends and closings are never thinned and have 600 from the start.';

-- What a gate's change was about: ids of tenants and destinations may be the same.
create index audit_of_subject on penstock.audit (subject, at);
