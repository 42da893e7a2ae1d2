-- Our http waits for what pg_net sends. Its control file can't require pg_net: `create extension http` without `cascade`
-- would then fail, and projects of libcurl's http say it so. Nor may its script create another extension.
create function minato.bring_pg_net() returns event_trigger
language plpgsql security definer set search_path = '' as $$
begin
    if exists (
            select from pg_catalog.pg_event_trigger_ddl_commands() as command
            where command.command_tag = 'CREATE EXTENSION' and command.object_identity = 'http')
        -- a server's own http, in C, needs nobody
        and exists (
            select from pg_catalog.pg_proc p
            join pg_catalog.pg_language l on l.oid = p.prolang and l.lanname = 'plpgsql'
            join pg_catalog.pg_depend d on d.objid = p.oid and d.deptype = 'e'
                and d.classid = 'pg_catalog.pg_proc'::regclass and d.refclassid = 'pg_catalog.pg_extension'::regclass
            join pg_catalog.pg_extension e on e.oid = d.refobjid and e.extname = 'http'
            where p.proname = 'http')
        and exists (select from pg_catalog.pg_available_extensions
            where name = 'pg_net' and installed_version is null)
        -- what somebody calls net is not pg_net's, nor to be taken for it
        and to_regnamespace('net') is null
        and to_regnamespace('extensions') is not null
    then
        create extension pg_net with schema extensions;
        perform minato.give_extension('pg_net', 'postgres');
    end if;
end
$$;
comment on function minato.bring_pg_net() is 'Creates pg_net when http was created, which sends by it.';
revoke all on function minato.bring_pg_net() from public;

do $$
begin
    if (select rolsuper from pg_catalog.pg_roles where rolname = current_user) then
        create event trigger minato_bring_pg_net on ddl_command_end
            when tag in ('CREATE EXTENSION')
            execute function minato.bring_pg_net();
        alter event trigger minato_bring_pg_net enable always;
    end if;
end
$$;
