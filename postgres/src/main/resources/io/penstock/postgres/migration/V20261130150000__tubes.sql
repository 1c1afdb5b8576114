-- Tubes: destinations of mode "pull", from which outside workers lease jobs.

create or replace view penstock.gate as
  select d.shard, d.destination_id, d.tenant_id, d.budget_id, d.config_no,
    d.gate_no + t.gate_no + i.gate_no as gate_no,
    d.deleted_at is not null as deleted,
    d.disabled or t.disabled or i.disabled as disabled,
    d.paused or t.paused or i.paused as paused,
    d.held or t.held or i.held as held,
    greatest(d.reopened_at, t.reopened_at, i.reopened_at) as reopened_at,
    d.mode
  from penstock.destination d
  join penstock.tenant t on t.tenant_id = d.tenant_id
  join penstock.installation i on i.one;

create index destination_tubes on penstock.destination (destination_id) where mode = 'pull';

create table penstock.tube_lease (
  shard           smallint    not null,
  destination_id  text        collate "C" not null,
  event_id        uuid        not null,
  lease_no        bigint      not null,
  worker          text        collate "C" not null,
  pool_id         text        collate "C",
  held_from       timestamptz not null,
  charged_us      bigint      not null check (charged_us >= 0),
  lent            boolean     not null,
  generation      bigint      not null,
  probe           boolean     not null,
  primary key (shard, destination_id, event_id)
) with (
  fillfactor = 60,
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_cost_delay = 0
);
comment on table penstock.tube_lease is
  'Who holds a job of a tube, and what its lease was charged so far. Beside delivery, so that what '
  'is pushed does not carry it; counts only while its lease number is the delivery''s. Written '
  'under the lock of the tube''s budget.';

create table penstock.tube (
  shard           smallint    not null,
  destination_id  text        collate "C" not null,
  completed       bigint      not null,
  failed          bigint      not null,
  lost            bigint      not null,
  released        bigint      not null,
  worked_us       bigint      not null,
  yielded         bigint      not null,
  empty_runs      bigint      not null,
  last_run_at     timestamptz not null,
  last_success_at timestamptz,
  last_yield_at   timestamptz,
  primary key (shard, destination_id)
) with (fillfactor = 40);
comment on table penstock.tube is
  'What the runs of each tube came to so far. Empty runs are completions without yield since the '
  'last one with some.';

create table penstock.worker (
  worker          text        collate "C" primary key,
  pool_id         text        collate "C",
  tubes           text[]      collate "C" not null,
  node            text        collate "C" not null,
  first_seen      timestamptz not null,
  last_seen       timestamptz not null
);
create index worker_last_seen on penstock.worker (last_seen);
comment on table penstock.worker is
  'Workers of tubes as they name themselves, when they last leased, polled or renewed. For people: '
  'no lease depends on it.';
