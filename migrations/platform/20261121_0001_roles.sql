-- Roles belong to the whole cluster, while this file runs once per database: every statement has to be repeatable,
-- and safe when several databases of one cluster are migrated at the same moment.
-- No passwords here: whoever starts the server decides how people log in.

-- what a server that is not ours forbids must not stop the rest: say it and go on
create function minato.attempt(statement text) returns void
language plpgsql set search_path = '' as $$
begin
    execute statement;
exception
    when insufficient_privilege or undefined_object or feature_not_supported or object_not_in_prerequisite_state
        or invalid_grant_operation or reserved_name then
        raise warning 'could not run "%": %', regexp_replace(trim(statement), '\s+', ' ', 'g'), sqlerrm;
end
$$;
comment on function minato.attempt(text) is
    'Runs a statement; a missing privilege becomes a warning, any other error stays an error.';

create function minato.create_role(name text, attributes text) returns void
language plpgsql set search_path = '' as $$
begin
    if not exists (select from pg_catalog.pg_roles where rolname = name) then
        begin
            execute format('create role %I', name);
        exception when duplicate_object or unique_violation then
            null;  -- another database's migration was faster
        end;
    end if;
    -- a role that already is a superuser stays one: it may be the role this server was made with
    if not exists (select from pg_catalog.pg_roles where rolname = name and rolsuper) then
        -- one by one: where one is refused, the others still hold
        perform minato.attempt(format('alter role %I with %s', name, attribute))
        from unnest(string_to_array(attributes, ' ')) as attribute;
    end if;
end
$$;
comment on function minato.create_role(text, text) is
    'Creates a role unless it exists, and gives it its attributes unless it is a superuser already.';

-- pg_authid is shared by all databases, so this lock makes parallel migrations of one cluster take turns;
-- without it two "alter role" of the same role fail with "tuple concurrently updated"
select minato.attempt('lock table pg_catalog.pg_authid in share row exclusive mode');

-- The API's callers: a request runs as one of these three. They inherit, so a role of the developer's own can be granted
-- to them.
select minato.create_role('anon', 'nologin inherit');
select minato.create_role('authenticated', 'nologin inherit');
select minato.create_role('service_role', 'nologin inherit bypassrls');

-- logs in for requests and owns nothing: noinherit, so it can do nothing until it becomes one of the callers
select minato.create_role('authenticator', 'login noinherit');

-- the server's owner
select minato.create_role('supabase_admin', 'superuser createdb createrole replication bypassrls login');

-- the developer: users' migrations run as this role, so it may do much, but it is no superuser
select minato.create_role('postgres', 'createdb createrole replication bypassrls login');

-- the services: each owns its own schema
select minato.create_role('supabase_auth_admin', 'noinherit createrole login');
select minato.create_role('supabase_storage_admin', 'noinherit createrole login');
select minato.create_role('supabase_realtime_admin', 'nologin noinherit');

-- Studio's role
select minato.create_role('dashboard_user', 'createdb createrole replication');

-- Since PostgreSQL 16 creating a role does not make its creator able to act as it, and the next files hand objects over.
do $$
begin
    if not (select rolsuper from pg_catalog.pg_roles where rolname = current_user) then
        perform minato.attempt(format('grant %I to %I', role, current_user))
        from unnest(array['anon', 'authenticated', 'service_role', 'postgres',
            'supabase_auth_admin', 'supabase_storage_admin', 'supabase_realtime_admin']) as role
        where role <> current_user;
    end if;
end
$$;

select minato.attempt('grant anon, authenticated, service_role to authenticator');
select minato.attempt('grant anon, authenticated, service_role to supabase_realtime_admin');
select minato.attempt('grant authenticator to supabase_storage_admin');
select minato.attempt(format('grant %I to postgres', role))
from unnest(array['anon', 'authenticated', 'service_role', 'authenticator',
    -- policies on storage.objects and realtime.messages and triggers on auth.users are written as postgres
    'supabase_auth_admin', 'supabase_storage_admin', 'supabase_realtime_admin',
    'pg_monitor', 'pg_read_all_data', 'pg_signal_backend']) as role
where not (select rolsuper from pg_catalog.pg_roles where rolname = 'postgres');

-- What is set for a role holds in the whole cluster. Where another database's grants tell of an installation that is
-- there already, its operator may have changed it: only roles that nothing is set for are given this.
with given (role, setting) as (
    values
        -- one slow query of a stranger must not hold a connection
        ('anon', 'statement_timeout = ''3s'''),
        ('authenticated', 'statement_timeout = ''8s'''),
        ('authenticator', 'statement_timeout = ''8s'''),
        ('authenticator', 'lock_timeout = ''8s'''),
        ('supabase_auth_admin', 'idle_in_transaction_session_timeout = ''60s'''),
        ('postgres', 'search_path = "$user", public, extensions'),
        ('supabase_admin', 'search_path = "$user", public, auth, extensions'),
        ('supabase_auth_admin', 'search_path = auth'),
        ('supabase_storage_admin', 'search_path = storage'),
        ('supabase_realtime_admin', 'search_path = public, extensions, realtime')
), others (exist) as (
    select exists (
        select from pg_catalog.pg_shdepend d
        join pg_catalog.pg_roles r on r.oid = d.refobjid and d.refclassid = 'pg_catalog.pg_authid'::regclass
        where r.rolname in ('anon', 'authenticator')
        and d.dbid not in (0, (select oid from pg_catalog.pg_database where datname = current_database())))
)
select minato.attempt(format('alter role %I set %s', role, setting))
from given cross join others
where (role <> 'supabase_admin' or pg_has_role('supabase_admin', 'member'))
and not (others.exist and exists (
    select from pg_catalog.pg_db_role_setting s join pg_catalog.pg_roles r on r.oid = s.setrole
    where r.rolname = role and s.setdatabase = 0));
