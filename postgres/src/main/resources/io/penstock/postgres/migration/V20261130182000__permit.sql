-- Permits of workers that are not ours: a row as long as a permit holds its slot. Bounded by the
-- slots of the destinations; those that nobody comes back with are ended within seconds.
create table penstock.permit (
  shard           smallint    not null,
  permit_id       text        collate "C" not null,
  destination_id  text        collate "C" not null,
  generation      bigint      not null,
  probe           boolean     not null,
  expires_at      timestamptz not null,
  primary key (shard, permit_id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
create index permit_expiry on penstock.permit (shard, destination_id, expires_at);
create index permit_oldest on penstock.permit (shard, expires_at);
comment on table penstock.permit is
  'Open permits, in the shard of their destination. Their slots are counted in the budget, under '
  'whose lock every row comes and goes.';
