-- The schemas users' migrations expect, and who may do what with the objects that will appear in them.

do $$
begin
    execute format('grant all on database %I to postgres, dashboard_user', current_database());
end
$$;

create schema if not exists extensions;
create schema if not exists auth;
create schema if not exists storage;
create schema if not exists realtime;
create schema if not exists graphql_public;
create schema if not exists vault;

comment on schema minato is 'The platform''s own bookkeeping; not exposed by the API.';
comment on schema extensions is 'Extensions live here, so that public holds only what the API exposes.';
comment on schema auth is 'Auth: users, sessions, factors. Read by policies through auth.uid() and its siblings.';
comment on schema storage is 'Storage: buckets and the metadata of their objects.';
comment on schema realtime is 'Realtime: messages sent from SQL and subscriptions to row changes.';
comment on schema graphql_public is 'The GraphQL endpoint''s schema.';
comment on schema vault is 'Reserved for secrets.';

select minato.attempt(format('alter schema %I owner to supabase_admin', schema))
from unnest(array['auth', 'storage', 'realtime', 'graphql_public', 'vault']) as schema
where pg_has_role('supabase_admin', 'member');
select minato.attempt('alter schema extensions owner to postgres');
-- up to PostgreSQL 14 everybody could create in public, since 15 only its owner: the developer
select minato.attempt('alter schema public owner to pg_database_owner');

grant usage, create on schema public to postgres;
grant usage on schema public, extensions, auth, storage, realtime, graphql_public to anon, authenticated, service_role;
grant usage on schema realtime, vault to postgres with grant option;
grant all on schema auth, extensions, storage, graphql_public to postgres, dashboard_user;
grant all on schema auth to supabase_auth_admin;
grant all on schema storage to supabase_storage_admin;
grant all on schema realtime to supabase_realtime_admin;

create function minato.default_privileges(owner text, schema text, grantees text) returns void
language plpgsql set search_path = '' as $$
declare
    kind text;
begin
    if not pg_has_role(owner, 'member') then
        raise warning 'what % creates in schema % must be granted by hand', owner, schema;
        return;
    end if;
    foreach kind in array array['tables', 'sequences', 'routines'] loop
        execute format('alter default privileges for role %I in schema %I grant all on %s to %s',
            owner, schema, kind, grantees);
    end loop;
end
$$;
comment on function minato.default_privileges(text, text, text) is
    'Grants all on the tables, sequences and routines that an owner will create in a schema.';

-- a table made in public is reachable by the API's roles at once: row-level security is what protects it
select minato.default_privileges(owner, schema, 'postgres, anon, authenticated, service_role')
from (values ('postgres'), ('supabase_admin'), (current_user)) as owners (owner),
     (values ('public'), ('graphql_public')) as schemas (schema);
select minato.default_privileges(owner, 'storage', 'postgres, anon, authenticated, service_role')
from (values ('postgres'), ('supabase_admin'), (current_user)) as owners (owner);

select minato.default_privileges('supabase_auth_admin', 'auth', 'postgres, dashboard_user');
select minato.default_privileges(owner, 'realtime', 'postgres, dashboard_user')
from (values ('supabase_realtime_admin'), ('supabase_admin'), (current_user)) as owners (owner);
select minato.default_privileges(owner, 'extensions', 'postgres with grant option')
from (values ('supabase_admin'), (current_user)) as owners (owner);

-- hands over what this file's successors create, so that each service owns its tables
create function minato.hand_over(schema text, owner text) returns void
language plpgsql set search_path = '' as $$
declare
    object text;
begin
    for object in
        select format('table %I.%I', schema, relname) from pg_catalog.pg_class
            where relnamespace = schema::regnamespace and relkind in ('r', 'p', 'v')
        union all
        select format('sequence %I.%I', schema, relname) from pg_catalog.pg_class c
            where relnamespace = schema::regnamespace and relkind = 'S'
            -- a column's own sequence follows its table
            and not exists (select from pg_catalog.pg_depend d where d.objid = c.oid and d.deptype in ('a', 'i')
                and d.classid = 'pg_catalog.pg_class'::regclass and d.refclassid = 'pg_catalog.pg_class'::regclass)
        union all
        select format('routine %s', oid::regprocedure) from pg_catalog.pg_proc
            where pronamespace = schema::regnamespace
        union all
        select format('type %I.%I', schema, typname) from pg_catalog.pg_type t
            where typnamespace = schema::regnamespace and typelem = 0
            and (typtype in ('e', 'd') or exists (select from pg_catalog.pg_class c where c.oid = t.typrelid and relkind = 'c'))
    loop
        perform minato.attempt(format('alter %s owner to %I', object, owner));
    end loop;
end
$$;
comment on function minato.hand_over(text, text) is 'Makes a role the owner of everything in a schema.';

-- Extensions that hosted projects have from the start. A server without them still works: gen_random_uuid() is built in.
do $$
declare
    wanted text;
begin
    foreach wanted in array array['pgcrypto', 'uuid-ossp', 'pg_stat_statements'] loop
        if exists (select from pg_catalog.pg_available_extensions where name = wanted) then
            perform minato.attempt(format('create extension if not exists %I with schema extensions', wanted));
        else
            raise notice 'extension % is not available on this server', wanted;
        end if;
    end loop;
end
$$;
-- an extension's objects belong to the bootstrap superuser, who alone can grant them on; all may call them anyway
do $$
begin
    if (select rolsuper from pg_catalog.pg_roles where rolname = current_user) then
        grant all on all tables in schema extensions to postgres with grant option;
        grant all on all routines in schema extensions to postgres with grant option;
    end if;
end
$$;

-- what a hosted project answers while the extension is not enabled
create function graphql_public.graphql(
    "operationName" text default null, query text default null, variables jsonb default null, extensions jsonb default null)
returns jsonb language sql immutable as $$
    select jsonb_build_object('errors', jsonb_build_array(jsonb_build_object('message', 'pg_graphql extension is not enabled.')))
$$;
comment on function graphql_public.graphql(text, text, jsonb, jsonb) is 'GraphQL is not offered; answers so in its own form.';
