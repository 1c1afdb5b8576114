do $$
begin
  if not exists (select from pg_roles where rolname = 'SERVICE_ROLE') then
    create role SERVICE_ROLE login;
  end if;
  if not exists (select from pg_roles where rolname = 'MAINTENANCE_ROLE') then
    create role MAINTENANCE_ROLE login;
  end if;
  if not exists (select from pg_roles where rolname = 'ENQUEUE_ROLE') then
    create role ENQUEUE_ROLE nologin;
  end if;
end $$;

do $$
declare
  one record;
begin
  execute format('grant connect, create on database %I to MAINTENANCE_ROLE', current_database());
  execute format('grant connect on database %I to SERVICE_ROLE', current_database());
  alter schema penstock owner to MAINTENANCE_ROLE;
  for one in
    select c.oid::regclass::text as name, c.relkind
    from pg_class c
    where c.relnamespace = 'penstock'::regnamespace and c.relkind in ('r', 'p', 'v', 'S')
      and not exists (
        select from pg_depend d
        where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype in ('a', 'i')
          and c.relkind = 'S')
    order by c.relkind, c.oid
  loop
    execute format('alter %s %s owner to MAINTENANCE_ROLE',
      case one.relkind when 'v' then 'view' when 'S' then 'sequence' else 'table' end, one.name);
  end loop;
  for one in
    select p.oid::regprocedure::text as name
    from pg_proc p
    where p.pronamespace = 'penstock'::regnamespace
    order by p.oid
  loop
    execute format('alter function %s owner to MAINTENANCE_ROLE', one.name);
  end loop;
end $$;

grant usage on schema penstock to SERVICE_ROLE;
grant select, insert, update, delete on all tables in schema penstock to SERVICE_ROLE;
grant usage, select on all sequences in schema penstock to SERVICE_ROLE;
alter default privileges for role MAINTENANCE_ROLE in schema penstock
  grant select, insert, update, delete on tables to SERVICE_ROLE;
alter default privileges for role MAINTENANCE_ROLE in schema penstock
  grant usage, select on sequences to SERVICE_ROLE;

revoke update, delete, truncate on penstock.audit from SERVICE_ROLE;
revoke update, delete, truncate on penstock.dead_letter from SERVICE_ROLE;
revoke insert, update, delete, truncate on penstock.schema_history from SERVICE_ROLE;

-- Applications may call the one function and nothing else; grant them this role.
grant usage on schema penstock to ENQUEUE_ROLE;
revoke execute on all functions in schema penstock from public;
grant execute on all functions in schema penstock to SERVICE_ROLE;
grant execute on function
  penstock.enqueue(text, text, text, bytea, text, json, text, text, text, text, text[])
  to ENQUEUE_ROLE;
