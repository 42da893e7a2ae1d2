-- Database webhooks: a trigger of the user's calls supabase_functions.http_request('url', 'POST', '{…headers}',
-- '{…parameters}', 'milliseconds'), which queues a request of pg_net. As supabase/cli sets it up
-- (internal/db/start/templates/webhook.sql). On a server that came with it, it stays as it is.

-- as 0001: two databases of a cluster that are migrated at once take turns
select minato.attempt('lock table pg_catalog.pg_authid in share row exclusive mode');
select minato.create_role('supabase_functions_admin', 'noinherit createrole login');
select minato.attempt(format('grant supabase_functions_admin to %I', current_user))
where not (select rolsuper from pg_catalog.pg_roles where rolname = current_user);
select minato.attempt('grant supabase_functions_admin to postgres')
where not (select rolsuper from pg_catalog.pg_roles where rolname = 'postgres');
-- what somebody set for it, here or for another database of the cluster, stays
select minato.attempt('alter role supabase_functions_admin set search_path = supabase_functions')
where not exists (
    select from pg_catalog.pg_db_role_setting s join pg_catalog.pg_roles r on r.oid = s.setrole
    where r.rolname = 'supabase_functions_admin');

create schema if not exists supabase_functions;
comment on schema supabase_functions is 'Database webhooks: the function their triggers call, and a trail of its calls.';
grant usage on schema supabase_functions to postgres, anon, authenticated, service_role;
grant all on schema supabase_functions to supabase_functions_admin;
select minato.default_privileges(owner, 'supabase_functions', 'postgres, anon, authenticated, service_role')
from (values ('supabase_admin'), (current_user)) as owners (owner);

create table if not exists supabase_functions.migrations (
    version text primary key,
    inserted_at timestamptz not null default now()
);
insert into supabase_functions.migrations (version)
values ('initial'), ('20210809183423_update_grants') on conflict do nothing;

create table if not exists supabase_functions.hooks (
    id bigserial primary key,
    hook_table_id integer not null,
    hook_name text not null,
    created_at timestamptz not null default now(),
    request_id bigint
);
create index if not exists supabase_functions_hooks_request_id_idx on supabase_functions.hooks (request_id);
create index if not exists supabase_functions_hooks_h_table_id_h_name_idx
    on supabase_functions.hooks (hook_table_id, hook_name);
comment on table supabase_functions.hooks is 'Supabase Functions Hooks: Audit trail for triggered hooks.';

do $migration$
begin
    if to_regprocedure('supabase_functions.http_request()') is not null then
        return;
    end if;
    create function supabase_functions.http_request() returns trigger
    language plpgsql security definer set search_path = supabase_functions as $$
    declare
        -- an argument that is left out may be the word null
        argument text[] := array(
            select nullif(tg_argv[place], 'null') from generate_series(0, 4) place order by place);
        headers jsonb := coalesce(argument[3], '{"Content-Type": "application/json"}')::jsonb;
        params jsonb := coalesce(argument[4], '{}')::jsonb;
        milliseconds integer := coalesce(argument[5], '1000')::integer;
        request bigint;
    begin
        if argument[1] is null then
            raise exception 'url argument is missing';
        elsif argument[2] is null then
            raise exception 'method argument is missing';
        elsif to_regnamespace('net') is null then
            raise exception using
                errcode = 'invalid_schema_name', message = 'schema "net" does not exist', hint = 'create extension pg_net;';
        elsif argument[2] = 'GET' then
            request := net.http_get(argument[1], params, headers, milliseconds);
        elsif argument[2] = 'POST' then
            request := net.http_post(
                argument[1],
                jsonb_build_object(
                    'old_record', old, 'record', new, 'type', tg_op, 'table', tg_table_name, 'schema', tg_table_schema),
                params, headers, milliseconds);
        else
            raise exception 'method argument % is invalid', argument[2];
        end if;
        insert into supabase_functions.hooks (hook_table_id, hook_name, request_id)
            values (tg_relid, tg_name, request);
        return new;
    end
    $$;
    revoke all on function supabase_functions.http_request() from public;
    grant execute on function supabase_functions.http_request() to postgres, anon, authenticated, service_role;
end
$migration$;

select minato.attempt('alter schema supabase_functions owner to supabase_admin')
where pg_has_role('supabase_admin', 'member');
select minato.attempt(format('alter %s owner to supabase_functions_admin', object))
from unnest(array['table supabase_functions.migrations', 'table supabase_functions.hooks',
    'function supabase_functions.http_request()']) as object;
grant all on all tables in schema supabase_functions to supabase_functions_admin;
grant all on all sequences in schema supabase_functions to supabase_functions_admin;
