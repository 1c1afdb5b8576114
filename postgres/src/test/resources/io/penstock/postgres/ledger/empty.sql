-- Deletes all rows, as a truncate would, in a tenth of its time: it makes no new files, and no plan
-- is thrown away. Triggers and foreign keys rest meanwhile.
do $$
declare
  one text;
begin
  set local session_replication_role = replica;
  set local lock_timeout = '10s';
  for one in
    select oid::regclass::text
    from pg_class
    where relnamespace = 'penstock'::regnamespace and relkind in ('r', 'p') and not relispartition
      and relname not in ('installation', 'schema_history', 'limits_file', 'limits_version')
  loop
    execute 'delete from ' || one;
  end loop;
  perform setval(pg_get_serial_sequence(attrelid::regclass::text, attname), 1, false)
  from pg_attribute
  join pg_class on pg_class.oid = attrelid
  where relnamespace = 'penstock'::regnamespace and attidentity <> '' and not relispartition
    and relname <> 'limits_version';
end $$;
update penstock.installation
set changes = 0, disabled = false, paused = false, held = false, gate_no = 0, reopened_at = null
