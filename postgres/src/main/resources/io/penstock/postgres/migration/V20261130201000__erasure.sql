-- Deletion of a tenant's data, on demand and for good.

alter table penstock.tenant add column erased_at timestamptz;
comment on column penstock.tenant.erased_at is
  'Since when it takes nothing and its data is being deleted; its id stays taken.';

create table penstock.erasure (
  erasure_no      bigint      primary key generated always as identity,
  tenant_id       text        collate "C" not null references penstock.tenant,
  actor           text        not null,
  reason          text        not null,
  started_at      timestamptz not null,
  done_at         timestamptz,
  dead_letters    bigint      not null default 0,
  deliveries      bigint      not null default 0,
  attempts        bigint      not null default 0,
  events          bigint      not null default 0,
  idempotency_keys bigint     not null default 0,
  audit_lines     bigint      not null default 0,
  constraint erasure_of_tenant unique (tenant_id)
);
comment on table penstock.erasure is
  'One row per tenant whose data is being, or was, deleted: who, why, and how much so far.';
