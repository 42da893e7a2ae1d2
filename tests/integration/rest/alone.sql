-- A database that has never seen the platform: its own roles, schemas and functions.
do $$ begin
  if not exists (select from pg_roles where rolname = 'alone_login') then
    create role alone_login login noinherit;
    create role alone_web nologin;
    create role alone_member nologin;
    grant alone_web, alone_member to alone_login;
  end if;
end $$;
create schema api;
create schema "Ünï/côde""";
grant usage on schema api, "Ünï/côde""" to alone_web, alone_member;
grant usage on schema api to alone_login;
create table api.books (id int primary key, title text, price numeric default 10);
create table api.reviews (id int primary key, book_id int references api.books, stars int);
create table api.private (id int primary key);
create table "Ünï/côde"""."täble" (id int primary key);
insert into api.books values (1, 'One', 10), (2, 'Two', 20), (3, 'Three', 30);
insert into api.reviews values (1, 1, 5), (2, 1, 3), (3, 2, 1);
insert into "Ünï/côde"""."täble" values (7);
grant all on api.books, api.reviews, "Ünï/côde"""."täble" to alone_web, alone_member;
grant all on api.private to alone_member;
create schema ext;
grant usage on schema ext to alone_web, alone_member;
create type ext.box as (n int);
create function ext.holds(ext.box, ext.box) returns boolean language sql immutable as $$ select $1.n >= $2.n $$;
create operator ext.@> (leftarg = ext.box, rightarg = ext.box, function = ext.holds);
create table api.boxed (id int primary key, box ext.box);
create function ext.twice(int) returns int language sql immutable as $$ select 2 * $1 $$;
create function api.doubled(api.boxed) returns int language plpgsql stable as $$ begin return twice($1.id); end $$;
create view ext.middle as select id as boxed_id from api.boxed;
create table api.refers (id int primary key, boxed_id int references api.boxed);
create view ext.refers_view as select * from api.refers;
create view api.through as select * from ext.refers_view;
insert into api.boxed values (1, row(3));
grant select on api.boxed, api.through to alone_web;
create function "Ünï/côde""".other() returns int language sql as $$ select 1 $$;
create function api.uses_other_schema() returns int language plpgsql stable as $$ begin return other(); end $$;
create function api.refuse_update() returns void language plpgsql as $$ begin
  raise exception 'UPDATE requires a WHERE clause' using errcode = '21000'; end $$;
create function api.setting(name text) returns text language sql stable as $$ select current_setting(name, true) $$;
create function api.whoami() returns text language sql stable as $$ select current_user $$;
create function api.slow() returns void language sql stable set statement_timeout = '50ms' as $$ select pg_sleep(2) $$;
create domain api."application/openapi+json" as json;
create function api.root() returns api."application/openapi+json" language sql stable as $$ select '{"root": true}'::json $$;
create function api.pre_config() returns void language sql as $$
  select set_config('pgrst.db_max_rows', '1', true), set_config('pgrst.db_anon_role', 'alone_member', true) $$;
create function public."true"() returns void language sql as $$ select set_config('pgrst.db_max_rows', '2', true) $$;
create function api.pre_request() returns void language plpgsql as $$ begin
  perform set_config('response.headers', format('[{"X-Method": "%s"}, {"Vary": "Mine"}]', current_setting('request.method')), true);
  if current_setting('request.headers')::json->>'x-role' is not null then
    perform set_config('role', current_setting('request.headers')::json->>'x-role', true); end if;
  if current_setting('request.headers')::json->>'x-refuse' is not null then
    raise exception 'refused' using hint = 'go away'; end if; end $$;
create function api.keep(value text) returns void language sql as $$ select set_config('app.kept', value, false) $$;
create function api.prepared() returns bigint language sql stable as $$ select count(*) from pg_prepared_statements $$;
create function api.wait(seconds float) returns void language sql as $$ select pg_sleep(seconds) $$;
create function api.seen() returns json language sql stable as $$ select json_build_object('role', current_user,
  'claims', current_setting('request.jwt.claims')::json, 'kept', nullif(current_setting('app.kept', true), ''),
  'path', current_setting('search_path'), 'header', current_setting('request.headers')::json->>'x-mine',
  'timeout', current_setting('statement_timeout'), 'read_only', current_setting('transaction_read_only')) $$;
