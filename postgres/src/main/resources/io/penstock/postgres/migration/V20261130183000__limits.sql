-- Which version of the limits is in force is the newest that was applied. Versions are made one at a
-- time, under the table's lock, so that their numbers rise in the order of their commits.
alter table penstock.limits_version
  add column source text not null default '',
  add constraint limits_version_result check (result in ('applied', 'refused')),
  add constraint limits_version_hash check (length(content_hash) = 32);
comment on column penstock.limits_version.source is
  'Where it came from: a file as host:path, api, or rollback.';
comment on column penstock.limits_version.diff is
  'What it changes against the version before it; of a refused one what is wrong with it.';

-- Every node asks for the newest a few times a second.
create index limits_version_applied on penstock.limits_version (version_no)
  where result = 'applied';

create table penstock.limits_file (
  place         text        collate "C" primary key,
  content_hash  bytea       not null check (length(content_hash) = 32),
  seen_at       timestamptz not null
);
comment on table penstock.limits_file is
  'What each limits file held when a node last looked, by host:path: a node publishes when its own '
  'file changes, also while it was down, and never because it differs from the others.';

alter table penstock.node
  add column limits_version bigint not null default 0,
  add column limits_complaint text not null default '';
comment on column penstock.node.limits_version is 'The version of the limits that it obeys; 0 = none.';
comment on column penstock.node.limits_complaint is
  'Why it does not obey the newest file or version; empty = it does.';
