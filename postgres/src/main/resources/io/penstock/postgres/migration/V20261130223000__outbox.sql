-- The outbox: events that applications enqueue in transactions of their own. It lies beside the
-- shards: which ones an event belongs to is found out when it is expanded.

create table penstock.outbox (
  outbox_no       bigint      primary key generated always as identity,
  enqueued_at     timestamptz not null,
  not_before      timestamptz not null default '-infinity',
  deferrals       integer     not null default 0,
  tenant_id       text        collate "C" not null,
  type            text        collate "C" not null,
  payload         bytea       not null,
  payload_is_text boolean     not null,
  content_type    text        not null,
  headers         text        not null,
  urgency         text        not null,
  idempotency_key text,
  operation       text,
  source_version  text,
  destination_ids text[]      collate "C" not null,
  -- What no setting of the server allows fails in the application's own transaction.
  constraint payload_of_at_most_16_mib check (octet_length(payload) <= 16777216),
  constraint headers_of_at_most_128_kib check (octet_length(headers) <= 131072),
  constraint at_most_100_destinations check (cardinality(destination_ids) <= 100),
  constraint texts_of_at_most_1000_bytes check (
    octet_length(tenant_id) <= 1000 and octet_length(type) <= 1000
    and octet_length(content_type) <= 1000 and octet_length(urgency) <= 1000
    and octet_length(coalesce(idempotency_key, '')) <= 1000
    and octet_length(coalesce(operation, '')) <= 1000
    and octet_length(coalesce(source_version, '')) <= 1000
    and octet_length(array_to_string(destination_ids, '')) <= 100000)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 10000,
  autovacuum_vacuum_cost_delay = 0);
create index outbox_due on penstock.outbox (not_before, outbox_no);
comment on table penstock.outbox is
  'Events that applications enqueued and that are not expanded yet; a row leaves in the transaction '
  'that stores its event. New rows are due since "-infinity", so that none waits behind one that '
  'was put off.';

create table penstock.outbox_refused (
  like penstock.outbox including constraints,
  reason          text        collate "C" not null,
  detail          text        not null,
  refused_at      timestamptz not null,
  primary key (outbox_no)
);
create index outbox_refused_of_tenant on penstock.outbox_refused (tenant_id, outbox_no);
create index outbox_refused_age on penstock.outbox_refused (refused_at);
comment on table penstock.outbox_refused is
  'Rows of the outbox that became no event, with why. An operator can send them in again.';

create function penstock.enqueue(
  tenant          text,
  type            text,
  payload         text    default null,
  payload_bytes   bytea   default null,
  content_type    text    default 'application/json',
  headers         json    default '{}',
  urgency         text    default 'interactive',
  idempotency_key text    default null,
  operation       text    default null,
  source_version  text    default null,
  destinations    text[]  default '{}'
) returns bigint
language plpgsql
-- Who may only call it can write nothing else, and read nothing at all.
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  made bigint;
begin
  if tenant is null or type is null then
    raise exception 'penstock.enqueue: wanted tenant and type, got null'
      using errcode = 'null_value_not_allowed';
  end if;
  if (payload is null) = (payload_bytes is null) then
    raise exception 'penstock.enqueue: wanted either payload (text) or payload_bytes, got %',
      case when payload is null then 'neither' else 'both' end
      using errcode = 'invalid_parameter_value';
  end if;
  insert into penstock.outbox (enqueued_at, tenant_id, type, payload, payload_is_text,
    content_type, headers, urgency, idempotency_key, operation, source_version, destination_ids)
  -- The one time that no LedgerClock binds: nobody of Penstock's is there. It is the same clock.
  values (clock_timestamp(), tenant, type,
    coalesce(payload_bytes, convert_to(payload, 'UTF8')), payload is not null,
    coalesce(content_type, 'application/json'), coalesce(headers, '{}')::text,
    coalesce(urgency, 'interactive'), idempotency_key, operation, source_version,
    array_remove(coalesce(destinations, '{}'), null))
  returning outbox_no into made;
  return made;
end $$;
comment on function penstock.enqueue(text, text, text, bytea, text, json, text, text, text, text, text[]) is
  'Puts one event into the outbox, within the caller''s transaction; its number there. Penstock '
  'makes an event of it within about a second of the commit.';
revoke execute on function
  penstock.enqueue(text, text, text, bytea, text, json, text, text, text, text, text[]) from public;
