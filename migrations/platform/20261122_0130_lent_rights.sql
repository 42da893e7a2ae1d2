-- What a hosted project's `postgres` makes by supautils, though PostgreSQL asks a superuser for it: event triggers,
-- publications of all tables or of schemas, foreign data wrappers. There a library stands in each statement's way;
-- here these functions are called in its place (api/minato/project/lent_rights.py), or by hand.
--
-- They are the superuser's and run as such, with nothing of the caller's in reach: the search path is empty, every value
-- comes as one, and no code of a project's is run by them.

create schema minato_events;
comment on schema minato_events is 'What stands between DDL and the projects'' event triggers; not exposed by the API.';
grant usage on schema minato_events to public;

-- Whoever owns it may alter, rename and drop it by the ordinary statements; PostgreSQL would hand it to no one but a
-- superuser. supautils makes postgres one for that moment, which others could use.
create function minato.own(kind regclass, object oid) returns void
language plpgsql set search_path = '' as $$
declare
    database oid := (select oid from pg_catalog.pg_database where datname = current_database());
begin
    case kind
        when 'pg_catalog.pg_event_trigger'::regclass then
            update pg_catalog.pg_event_trigger set evtowner = 'postgres'::regrole where oid = object;
        when 'pg_catalog.pg_publication'::regclass then
            update pg_catalog.pg_publication set pubowner = 'postgres'::regrole where oid = object;
        when 'pg_catalog.pg_foreign_data_wrapper'::regclass then
            update pg_catalog.pg_foreign_data_wrapper set fdwowner = 'postgres'::regrole where oid = object;
    end case;
    -- as ALTER … OWNER would: a role that owns something is not dropped
    delete from pg_catalog.pg_shdepend
        where dbid = database and deptype = 'o' and classid = kind and objid = object;
    insert into pg_catalog.pg_shdepend (dbid, classid, objid, objsubid, refclassid, refobjid, deptype)
    values (database, kind, object, 0, 'pg_catalog.pg_authid'::regclass, 'postgres'::regrole, 'o');
end
$$;
comment on function minato.own(regclass, oid) is 'Makes postgres the owner of what PostgreSQL lets superusers own alone.';
revoke all on function minato.own(regclass, oid) from public;

-- Event triggers ------------------------------------------------------------------------------------------------------
-- An event trigger runs with the rights of whoever's statement fired it, and that may be a superuser. So PostgreSQL is
-- given a guard, which is the superuser's, and the guard calls a copy of the project's function only where nobody is a
-- superuser: not who is acting, not who logged in, nor anyone they could become by SET ROLE or SET SESSION AUTHORIZATION.
-- What the copy does is then the acting role's, as it is for every other function of the project.

create function minato_events.fires(tag text) returns boolean
language plpgsql set search_path = '' as $$
declare
    login oid := (select usesysid from pg_catalog.pg_stat_get_activity(pg_catalog.pg_backend_pid()));
begin
    -- supautils runs these as its superuser
    if tag in ('CREATE EXTENSION', 'DROP EXTENSION') then
        return false;
    end if;
    -- A service's own tables are not the project's business. These are supautils.reserved_roles but for the API's roles,
    -- for which event triggers fire on a hosted project of today.
    if current_user in ('supabase_auth_admin', 'supabase_storage_admin', 'supabase_realtime_admin',
        'supabase_functions_admin', 'supabase_read_only_user', 'supabase_replication_admin', 'supabase_etl_admin',
        'dashboard_user', 'pgbouncer') then
        return false;
    end if;
    return login is not null and not exists (
        select from pg_catalog.pg_roles strong cross join pg_catalog.pg_roles acting
        where strong.rolsuper and (acting.rolname in (current_user, session_user) or acting.oid = login)
        and pg_catalog.pg_has_role(acting.oid, strong.oid, 'member'));
end
$$;
comment on function minato_events.fires(text) is
    'Whether event triggers of the project fire for the statement of this tag: not where anybody is a superuser.';

create sequence minato_events.numbers;
revoke all on sequence minato_events.numbers from public;

-- the number of a project's function, by the guard that depends on it; null for one that has none
create function minato.event_trigger_number(function oid) returns text
language sql stable set search_path = '' as $$
    select substr(guard.proname, 7)
    from pg_catalog.pg_depend d
    join pg_catalog.pg_proc guard on guard.oid = d.objid and guard.proname like 'guard\_%'
        and guard.pronamespace = 'minato_events'::regnamespace
    where d.classid = 'pg_catalog.pg_proc'::regclass and d.refclassid = 'pg_catalog.pg_proc'::regclass
    and d.refobjid = function and d.deptype = 'a'
$$;
revoke all on function minato.event_trigger_number(oid) from public;

-- The copy takes what PL/pgSQL gives an event trigger function by itself, and returns nothing, as that does. Its body is
-- not looked at here: whoever fires it finds out.
create function minato.copy_event_trigger_function(function oid, number text) returns void
language plpgsql set search_path = '' set check_function_bodies = off as $$
declare
    original pg_catalog.pg_proc;
    name text := format('minato_events.%I', 'run_' || number);
    copied oid;
begin
    select * into original from pg_catalog.pg_proc where oid = function;
    -- It would be run by its owner's rights, or hand on what a superuser wrote.
    if (select rolsuper from pg_catalog.pg_roles where oid = original.proowner) then
        return;
    end if;
    execute format('create or replace function %s(tg_event text, tg_tag text) returns void language plpgsql as %L',
        name, original.prosrc);
    copied := pg_catalog.to_regprocedure(name || '(text,text)');
    execute format('alter function %s(text, text) owner to %I', name,
        (select rolname from pg_catalog.pg_roles where oid = original.proowner));
    -- what ALTER FUNCTION … SET said, to be checked at each call against whoever runs it
    update pg_catalog.pg_proc set proconfig = original.proconfig, prosecdef = original.prosecdef where oid = copied;
end
$$;
revoke all on function minato.copy_event_trigger_function(oid, text) from public;

create function minato.guard_event_trigger_function(function oid) returns text
language plpgsql set search_path = '' as $$
declare
    number text := minato.event_trigger_number(function);
    maker text;
begin
    if number is null then
        number := pg_catalog.nextval('minato_events.numbers');
        perform minato.copy_event_trigger_function(function, number);
        -- No SET clause: the project's function runs with the caller's settings, as it would by itself. So every name has
        -- its schema, and no operator is used.
        execute format($guard$
            create function minato_events.guard_%1$s() returns event_trigger language plpgsql as $body$
            begin
                if minato_events.fires(tg_tag) then
                    perform minato_events.run_%1$s(tg_event, tg_tag);
                end if;
            end
            $body$
        $guard$, number);
        -- both go when the function goes
        foreach maker in array array[format('guard_%s()', number), format('run_%s(text,text)', number)] loop
            insert into pg_catalog.pg_depend (classid, objid, objsubid, refclassid, refobjid, refobjsubid, deptype)
            values ('pg_catalog.pg_proc'::regclass, ('minato_events.' || maker)::regprocedure, 0,
                'pg_catalog.pg_proc'::regclass, function, 0, 'a');
        end loop;
    end if;
    return format('minato_events.guard_%s', number);
end
$$;
revoke all on function minato.guard_event_trigger_function(oid) from public;

create function minato.create_event_trigger(name text, event text, function regprocedure, tags text[] default '{}')
returns void language plpgsql security definer set search_path = '' as $$
declare
    called pg_catalog.pg_proc;
    only_tags text := '';
begin
    select * into strict called from pg_catalog.pg_proc where oid = function;
    if called.prorettype <> 'pg_catalog.event_trigger'::regtype then
        raise exception 'function % must return type event_trigger', called.proname using errcode = '42P17';
    elsif (select rolsuper from pg_catalog.pg_roles where oid = called.proowner) then
        -- supautils' own words
        raise exception 'Non-superuser owned event trigger must execute a non-superuser owned function'
            using detail = format('The current user "postgres" is not a superuser and the function "%s" is owned by a '
                'superuser', called.proname);
    elsif not pg_catalog.pg_has_role('postgres', called.proowner, 'member') then
        raise exception 'must be owner of function %', called.proname using errcode = 'insufficient_privilege';
    elsif (select lanname from pg_catalog.pg_language where oid = called.prolang) <> 'plpgsql' then
        raise exception 'function % must be written in PL/pgSQL', called.proname using errcode = 'feature_not_supported';
    end if;
    if pg_catalog.cardinality(tags) > 0 then
        only_tags := format(' when tag in (%s)', (select string_agg(quote_literal(tag), ', ') from unnest(tags) as tag));
    end if;
    execute format('create event trigger %I on %I%s execute function %s()', name, event, only_tags,
        minato.guard_event_trigger_function(function));
    -- as PostgreSQL notes it: the function is not dropped without CASCADE, and CASCADE takes the trigger along
    insert into pg_catalog.pg_depend (classid, objid, objsubid, refclassid, refobjid, refobjsubid, deptype)
    select 'pg_catalog.pg_event_trigger'::regclass, t.oid, 0, 'pg_catalog.pg_proc'::regclass, function, 0, 'n'
    from pg_catalog.pg_event_trigger t where t.evtname = name::pg_catalog.name;
    perform minato.own('pg_catalog.pg_event_trigger'::regclass, t.oid)
    from pg_catalog.pg_event_trigger t where t.evtname = name::pg_catalog.name;
end
$$;
comment on function minato.create_event_trigger(text, text, regprocedure, text[]) is
    'CREATE EVENT TRIGGER name ON event [WHEN TAG IN (tags)] EXECUTE FUNCTION function, for postgres.';
revoke all on function minato.create_event_trigger(text, text, regprocedure, text[]) from public;

-- CREATE OR REPLACE FUNCTION and ALTER FUNCTION reach the copy.
create function minato.renew_event_trigger_functions() returns event_trigger
language plpgsql security definer set search_path = '' as $$
begin
    perform minato.copy_event_trigger_function(command.objid, minato.event_trigger_number(command.objid))
    from pg_catalog.pg_event_trigger_ddl_commands() as command
    where command.classid = 'pg_catalog.pg_proc'::regclass and minato.event_trigger_number(command.objid) is not null;
end
$$;
comment on function minato.renew_event_trigger_functions() is 'Brings the copies of projects'' event trigger functions up to date.';
revoke all on function minato.renew_event_trigger_functions() from public;

-- Publications --------------------------------------------------------------------------------------------------------

create function minato.create_publication(name text, all_tables boolean, schemas text[] default '{}')
returns void language plpgsql security definer set search_path = '' as $$
begin
    if all_tables then
        execute format('create publication %I for all tables', name);
    elsif pg_catalog.cardinality(schemas) > 0 then
        execute format('create publication %I for tables in schema %s', name,
            (select string_agg(quote_ident(schema), ', ') from unnest(schemas) as schema));
    else
        execute format('create publication %I', name);
    end if;
    perform minato.own('pg_catalog.pg_publication'::regclass, p.oid) from pg_catalog.pg_publication p where p.pubname = name::pg_catalog.name;
end
$$;
comment on function minato.create_publication(text, boolean, text[]) is
    'CREATE PUBLICATION name FOR ALL TABLES or FOR TABLES IN SCHEMA schemas, for postgres.';
revoke all on function minato.create_publication(text, boolean, text[]) from public;

create function minato.alter_publication_schemas(name text, action text, schemas text[])
returns void language plpgsql security definer set search_path = '' as $$
declare
    owner oid := (select pubowner from pg_catalog.pg_publication where pubname = name::pg_catalog.name);
begin
    if owner is null then
        raise exception 'publication "%" does not exist', name using errcode = 'undefined_object';
    elsif not pg_catalog.pg_has_role('postgres', owner, 'member') then
        raise exception 'must be owner of publication %', name using errcode = 'insufficient_privilege';
    elsif action not in ('add', 'set') then
        raise exception 'schemas are added or set' using errcode = 'invalid_parameter_value';
    end if;
    execute format('alter publication %I %s tables in schema %s', name, action,
        (select string_agg(quote_ident(schema), ', ') from unnest(schemas) as schema));
end
$$;
comment on function minato.alter_publication_schemas(text, text, text[]) is
    'ALTER PUBLICATION name ADD | SET TABLES IN SCHEMA schemas, for postgres.';
revoke all on function minato.alter_publication_schemas(text, text, text[]) from public;

-- As before, for what publications of all tables name besides: partitions one by one, and tables of the platform's.
create or replace function minato.sync_change_triggers() returns setof text
language plpgsql security definer set search_path = '' as $$
declare
    difference record;
begin
    perform pg_advisory_xact_lock(hashtext('minato.change_triggers'));
    for difference in
        with published as (
            select c.oid as relid, p.pubinsert, p.pubupdate, p.pubdelete, p.pubviaroot and c.relkind = 'p' as root
            from minato.trigger_publications followed
            join pg_catalog.pg_publication p on p.pubname = followed.name
            join pg_catalog.pg_publication_tables pt on pt.pubname = p.pubname and pt.rowfilter is null
            join pg_catalog.pg_namespace n on n.nspname = pt.schemaname
            join pg_catalog.pg_class c on c.relnamespace = n.oid and c.relname = pt.tablename
            -- a notification is heard by every login: what nobody named stays untold where it is no project's
            where not (p.puballtables and n.nspname in
                ('auth', 'realtime', 'vault', 'minato', 'cron', 'net', 'supabase_migrations'))
        ), wanted as (
            select relid, concat_ws(' or ',
                case when bool_or(pubinsert) then 'insert' end,
                case when bool_or(pubupdate) then 'update' end,
                case when bool_or(pubdelete) then 'delete' end) as events, bool_or(root) as root
            from published
            where (pubinsert or pubupdate or pubdelete)
            -- A partition of a table that is published, too, has that one's trigger.
            and not exists (
                select from published whole where whole.root and whole.relid <> published.relid
                and whole.relid in (select pg_catalog.pg_partition_ancestors(published.relid)))
            group by relid
        ), present as (
            select tgrelid as relid, concat_ws(' or ',
                case when tgtype & 4 <> 0 then 'insert' end,
                case when tgtype & 16 <> 0 then 'update' end,
                case when tgtype & 8 <> 0 then 'delete' end) as events, tgnargs = 1 as root
            from pg_catalog.pg_trigger where tgname = '0_minato_change' and tgparentid = 0
        )
        select relid::regclass as name, wanted.events, wanted.root, present.events is not null as has_trigger
        from wanted full join present using (relid)
        where (wanted.events, wanted.root) is distinct from (present.events, present.root)
        -- A partition loses its own trigger before it gets that of its root.
        order by present.events is null
    loop
        if difference.has_trigger then
            execute format('drop trigger "0_minato_change" on %s', difference.name);
        end if;
        if difference.events is not null then
            execute format('create trigger "0_minato_change" after %s on %s for each row execute function minato.tell_change(%s)',
                difference.events, difference.name, case when difference.root then '''root''' end);
        end if;
    end loop;
    -- A filter of the publication speaks of the decoded row; no trigger can ask it.
    return query
        select pt.schemaname || '.' || pt.tablename from minato.trigger_publications followed
        join pg_catalog.pg_publication_tables pt on pt.pubname = followed.name and pt.rowfilter is not null;
end
$$;

-- Foreign data wrappers -----------------------------------------------------------------------------------------------
-- The validator is called at once, with the rights of who creates the wrapper, and it alone keeps others than superusers
-- from options as postgres_fdw's `password_required`. So both have to be an extension's, and belong together.

create function minato.create_foreign_data_wrapper(name text, handler regproc, validator regproc)
returns void language plpgsql security definer set search_path = '' as $$
begin
    if not exists (
        select from pg_catalog.pg_proc h
        join pg_catalog.pg_depend of_handler on of_handler.objid = h.oid
        join pg_catalog.pg_depend of_validator on of_validator.refobjid = of_handler.refobjid
        join pg_catalog.pg_proc v on v.oid = of_validator.objid
        where h.oid = handler and v.oid = validator
        and (of_handler.classid, of_handler.refclassid, of_handler.deptype) = (of_validator.classid, of_validator.refclassid, of_validator.deptype)
        and of_handler.classid = 'pg_catalog.pg_proc'::regclass and of_handler.deptype = 'e'
        and of_handler.refclassid = 'pg_catalog.pg_extension'::regclass
        and (select bool_and(rolsuper) from pg_catalog.pg_roles where oid in (h.proowner, v.proowner))
        and replace(h.proname, '_handler', '') = replace(v.proname, '_validator', '')
    ) then
        raise exception 'permission denied to create foreign-data wrapper "%"', name
            using errcode = 'insufficient_privilege', hint = 'Name the handler and the validator of an extension.';
    end if;
    execute format('create foreign data wrapper %I handler %s validator %s', name, handler, validator);
    perform minato.own('pg_catalog.pg_foreign_data_wrapper'::regclass, w.oid)
    from pg_catalog.pg_foreign_data_wrapper w where w.fdwname = name::pg_catalog.name;
end
$$;
comment on function minato.create_foreign_data_wrapper(text, regproc, regproc) is
    'CREATE FOREIGN DATA WRAPPER name HANDLER handler VALIDATOR validator, for postgres.';
revoke all on function minato.create_foreign_data_wrapper(text, regproc, regproc) from public;

-- A server whose login is no superuser lends nothing: there PostgreSQL answers for itself.
do $$
begin
    if (select rolsuper from pg_catalog.pg_roles where rolname = current_user)
        and not (select rolsuper from pg_catalog.pg_roles where rolname = 'postgres') then
        grant usage on schema minato to postgres;
        grant execute on function
            minato.create_event_trigger(text, text, regprocedure, text[]),
            minato.create_publication(text, boolean, text[]),
            minato.alter_publication_schemas(text, text, text[]),
            minato.create_foreign_data_wrapper(text, regproc, regproc) to postgres;
        create event trigger minato_renew_event_trigger_functions on ddl_command_end
            when tag in ('CREATE FUNCTION', 'ALTER FUNCTION', 'ALTER ROUTINE')
            execute function minato.renew_event_trigger_functions();
        -- also for who has set session_replication_role, which silences the others
        alter event trigger minato_renew_event_trigger_functions enable always;
    end if;
end
$$;
