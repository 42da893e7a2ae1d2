-- Schemas that dumps of a hosted project take for granted: `create extension … with schema graphql`, `_realtime`.
create schema if not exists graphql;
create schema if not exists _realtime;
comment on schema graphql is 'Where pg_graphql is created.';
comment on schema _realtime is 'Realtime''s own on a hosted project; empty here.';
select minato.attempt('alter schema graphql owner to supabase_admin') where pg_has_role('supabase_admin', 'member');
select minato.attempt('alter schema _realtime owner to postgres');
grant usage on schema graphql to postgres with grant option;
grant usage on schema graphql to anon, authenticated, service_role;
select minato.default_privileges(owner, 'graphql', 'postgres, anon, authenticated, service_role')
from (values ('supabase_admin'), (current_user)) as owners (owner);
