-- Freshness: which items of a tube need not be done again, and by which run.

create table penstock.complete_run (
  shard           smallint    not null,
  destination_id  text        collate "C" not null,
  item            text        collate "C" not null,
  artifacts_hash  bytea       not null check (length(artifacts_hash) = 32),
  artifacts       text        collate "C" not null,
  event_id        uuid        not null,
  lease_no        bigint      not null,
  completed_at    timestamptz not null,
  primary key (shard, destination_id, item, artifacts_hash)
) with (
  fillfactor = 80,
  autovacuum_vacuum_scale_factor = 0.05
);
create index complete_run_age on penstock.complete_run (completed_at);
comment on table penstock.complete_run is
  'The last complete run of each item of a tube, for each set of artifacts that such a run brought. '
  'Artifacts are names in order, with blanks between. Written under the lock of the tube''s budget.';

alter table penstock.tube_lease add column item text collate "C";
comment on column penstock.tube_lease.item is
  'What the job is about, so that its end need not look at its event; null = unsaid.';

alter table penstock.event add column suppressed text;
alter table penstock.event_kept add column suppressed text;
comment on column penstock.event.suppressed is
  'Tubes that it did not go to because its item was fresh there, with the run that left it so: a line '
  '"destination suppressed event lease_no completed_us artifacts" each; null = none.';

create or replace view penstock.any_event as
  select * from penstock.event
  union all
  select * from penstock.event_kept;
