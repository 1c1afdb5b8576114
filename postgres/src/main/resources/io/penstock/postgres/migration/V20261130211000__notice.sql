-- What operators were told. Written by one node at a time, beside everything else.

create table penstock.notice (
  kind            text        collate "C" not null,
  subject         text        collate "C" not null,
  tenant_id       text        collate "C" not null,
  detail          text        not null,
  since           timestamptz not null,
  told_at         timestamptz,
  primary key (kind, subject)
);
comment on table penstock.notice is
  'What is so and was told, until it is over; and what was noticed and is still to be told.';

create table penstock.notice_watch (
  one             boolean     primary key default true check (one),
  since           timestamptz not null,
  leader          text        collate "C" not null,
  leader_until    timestamptz not null
);
comment on table penstock.notice_watch is
  'One row: since when operators want notices, and which node tells them for now.';

create table penstock.notice_shelf (
  shard           smallint    primary key,
  dead_letter_no  bigint      not null,
  counted_at      timestamptz not null
);
comment on table penstock.notice_shelf is
  'Up to where the arrivals on each shard''s shelf were counted, for notices of a growing one.';
