-- The API caches the schema; a change announces itself, so that no migration has to remember to.

create function extensions.pgrst_ddl_watch() returns event_trigger language plpgsql set search_path = '' as $$
begin
    -- what another session cannot see is no news
    if exists (select from pg_event_trigger_ddl_commands() where schema_name is distinct from 'pg_temp') then
        notify pgrst, 'reload schema';
    end if;
end
$$;
comment on function extensions.pgrst_ddl_watch() is 'Tells the API that something it may expose was created or altered.';

create function extensions.pgrst_drop_watch() returns event_trigger language plpgsql set search_path = '' as $$
begin
    if exists (select from pg_event_trigger_dropped_objects() where not is_temporary) then
        notify pgrst, 'reload schema';
    end if;
end
$$;
comment on function extensions.pgrst_drop_watch() is 'Tells the API that something it may expose was dropped.';

select minato.attempt($$
    create event trigger pgrst_ddl_watch on ddl_command_end
        when tag in (
            'CREATE SCHEMA', 'ALTER SCHEMA',
            'CREATE TABLE', 'CREATE TABLE AS', 'SELECT INTO', 'ALTER TABLE',
            'CREATE FOREIGN TABLE', 'ALTER FOREIGN TABLE',
            'CREATE VIEW', 'ALTER VIEW', 'CREATE MATERIALIZED VIEW', 'ALTER MATERIALIZED VIEW',
            'CREATE FUNCTION', 'ALTER FUNCTION', 'CREATE PROCEDURE', 'ALTER PROCEDURE',
            'CREATE TRIGGER', 'CREATE TYPE', 'ALTER TYPE', 'CREATE DOMAIN', 'ALTER DOMAIN', 'CREATE CAST',
            'CREATE RULE', 'CREATE INDEX', 'GRANT', 'REVOKE', 'COMMENT')
        execute function extensions.pgrst_ddl_watch()
$$);
select minato.attempt($$
    create event trigger pgrst_drop_watch on sql_drop execute function extensions.pgrst_drop_watch()
$$);
