-- What a hosted project does when `postgres` has created an extension. The objects belong to the superuser who was lent
-- for it, and default privileges hand every function in extensions or public on, also one that its script closed.
--
-- Both live in minato: the owner of a schema may drop what is in it, and extensions is postgres's own.
create function minato.after_create_extension() returns event_trigger
language plpgsql security definer set search_path = '' as $$
declare
    opened record;
begin
    -- connects as anybody without a password, over the socket that trusts everybody
    for opened in
        select p.oid::regprocedure as routine, g.grantee
        from pg_catalog.pg_proc p
        join pg_catalog.pg_depend d on d.objid = p.oid and d.deptype = 'e'
            and d.classid = 'pg_catalog.pg_proc'::regclass and d.refclassid = 'pg_catalog.pg_extension'::regclass
        join pg_catalog.pg_extension e on e.oid = d.refobjid and e.extname = 'dblink',
            pg_catalog.aclexplode(coalesce(p.proacl, pg_catalog.acldefault('f', p.proowner))) g
        where p.proname = 'dblink_connect_u' and g.grantee <> p.proowner
    loop
        execute format('revoke all on routine %s from %s', opened.routine,
            case opened.grantee when 0 then 'public' else opened.grantee::regrole::text end);
    end loop;
    -- postgres owns it on a hosted project, which takes a superuser; using it is what counts
    if exists (select from pg_catalog.pg_foreign_data_wrapper where fdwname = 'postgres_fdw') then
        grant usage on foreign data wrapper postgres_fdw to postgres with grant option;
    end if;
end
$$;
comment on function minato.after_create_extension() is
    'Closes dblink_connect_u and opens postgres_fdw to postgres, whoever created them.';
revoke all on function minato.after_create_extension() from public;

do $$
begin
    -- elsewhere nobody but a superuser creates what this is about
    if (select rolsuper from pg_catalog.pg_roles where rolname = current_user) then
        create event trigger minato_after_create_extension on ddl_command_end
            when tag in ('CREATE EXTENSION', 'ALTER EXTENSION')
            execute function minato.after_create_extension();
        -- also for who has set session_replication_role, which silences the others
        alter event trigger minato_after_create_extension enable always;
    end if;
end
$$;

-- A hosted project's `postgres` drops and moves also what was there before it; there is no ALTER EXTENSION … OWNER.
create function minato.give_extension(extension text, owner text) returns void
language plpgsql set search_path = '' as $$
declare
    given oid := (select oid from pg_catalog.pg_extension where extname = extension);
    database oid := (select oid from pg_catalog.pg_database where datname = current_database());
begin
    if given is null or not (select rolsuper from pg_catalog.pg_roles where rolname = current_user) then
        return;
    end if;
    update pg_catalog.pg_extension set extowner = owner::regrole where oid = given;
    -- as ALTER … OWNER would: a role that owns something is not dropped
    delete from pg_catalog.pg_shdepend where dbid = database and deptype = 'o'
        and classid = 'pg_catalog.pg_extension'::regclass and objid = given;
    insert into pg_catalog.pg_shdepend (dbid, classid, objid, objsubid, refclassid, refobjid, deptype)
    values (database, 'pg_catalog.pg_extension'::regclass, given, 0, 'pg_catalog.pg_authid'::regclass, owner::regrole, 'o');
end
$$;
comment on function minato.give_extension(text, text) is
    'Makes a role the owner of an extension, though not of its members; does nothing without the extension or the right.';
revoke all on function minato.give_extension(text, text) from public;

-- databases of a PostgreSQL that had none
do $$
begin
    if exists (select from pg_catalog.pg_available_extensions where name = 'pg_stat_statements') then
        perform minato.attempt('create extension if not exists pg_stat_statements with schema extensions');
    end if;
    if (select rolsuper from pg_catalog.pg_roles where rolname = current_user) then
        grant all on all tables in schema extensions to postgres with grant option;
        grant all on all routines in schema extensions to postgres with grant option;
    end if;
end
$$;
select minato.give_extension(name, 'postgres') from unnest(array['pgcrypto', 'uuid-ossp', 'pg_stat_statements']) as name;
