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
create function api.setting(name text) returns text language sql stable as $$ select current_setting(name, true) $$;
create function api.whoami() returns text language sql stable as $$ select current_user $$;
create function api.slow() returns void language sql stable set statement_timeout = '50ms' as $$ select pg_sleep(2) $$;
create function api.root() returns json language sql stable as $$ select '{"root": true}'::json $$;
create function api.pre_config() returns void language sql as $$
  select set_config('pgrst.db_max_rows', '1', true), set_config('pgrst.db_anon_role', 'alone_member', true) $$;
create function public."true"() returns void language sql as $$ select set_config('pgrst.db_max_rows', '2', true) $$;
create function api.pre_request() returns void language plpgsql as $$ begin
  perform set_config('response.headers', format('[{"X-Method": "%s"}, {"Vary": "Mine"}]', current_setting('request.method')), true);
  if current_setting('request.headers')::json->>'x-role' is not null then
    perform set_config('role', current_setting('request.headers')::json->>'x-role', true); end if;
  if current_setting('request.headers')::json->>'x-refuse' is not null then
    raise exception 'refused' using hint = 'go away'; end if; end $$;
