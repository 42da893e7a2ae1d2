-- The types and functions of pgsql-http 1.7 without libcurl: what is asked for goes through pg_net's queue, in a
-- transaction of its own (by the library dblink), and this session waits for the answer. So the rules of pg_net hold:
-- who sends is the server of this database, in production to public addresses alone. Where there is no dblink or no
-- pg_net, a call says so.

create domain http_method as text;
create domain content_type as text check (value ~ '^\S+\/\S+');
create type http_header as (field varchar, value varchar);
create type http_response as (status integer, content_type varchar, headers http_header[], content varchar);
create type http_request as (
    method http_method, uri varchar, headers http_header[], content_type varchar, content varchar);

-- The library's functions, for the superuser alone; a server built without contrib has none.
do $$
begin
    create function @extschema@.http_dblink_connect(text, text) returns text
        language c strict as '$libdir/dblink', 'dblink_connect';
    create function @extschema@.http_dblink_disconnect(text) returns text
        language c strict as '$libdir/dblink', 'dblink_disconnect';
    create function @extschema@.http_dblink(text, text) returns setof record
        language c strict as '$libdir/dblink', 'dblink_record';
exception when undefined_file then
    null;
end
$$;

-- The options that have an effect here. All of a session's are in settings named http.curlopt_….
create function http_set_curlopt(curlopt varchar, value varchar) returns boolean
    language plpgsql
    set search_path = pg_catalog, pg_temp
    as $$
begin
    if upper(curlopt) not in ('CURLOPT_TIMEOUT', 'CURLOPT_TIMEOUT_MS', 'CURLOPT_CONNECTTIMEOUT',
        'CURLOPT_CONNECTTIMEOUT_MS', 'CURLOPT_TCP_KEEPALIVE', 'CURLOPT_TCP_KEEPIDLE')
    then
        raise exception 'curl option ''%'' is not available for run-time configuration', curlopt
            using errcode = 'feature_not_supported';
    elsif value !~ '^\d{1,9}$' then
        raise exception 'invalid integer provided for ''%''', curlopt using errcode = 'invalid_parameter_value';
    end if;
    perform set_config('http.' || lower(curlopt), value, false);
    return true;
end
$$;

create function http_list_curlopt() returns table (curlopt text, value text)
    language sql stable
    set search_path = pg_catalog, pg_temp
    as $$
        select name, current_setting('http.' || lower(name), true)
        from unnest(array['CURLOPT_TIMEOUT', 'CURLOPT_TIMEOUT_MS', 'CURLOPT_CONNECTTIMEOUT',
            'CURLOPT_CONNECTTIMEOUT_MS', 'CURLOPT_TCP_KEEPALIVE', 'CURLOPT_TCP_KEEPIDLE']) as name
        where current_setting('http.' || lower(name), true) <> ''
    $$;

create function http_reset_curlopt() returns boolean
    language plpgsql
    set search_path = pg_catalog, pg_temp
    as $$
begin
    perform set_config('http.' || lower(curlopt), '', false) from @extschema@.http_list_curlopt();
    return true;
end
$$;

-- libcurl's is 5 seconds unless something says otherwise; five minutes are the longest here.
create function http_timeout() returns integer
    language sql stable
    set search_path = pg_catalog, pg_temp
    as $$
        select least(coalesce(
            nullif(current_setting('http.curlopt_timeout_ms', true), '')::bigint,
            nullif(current_setting('http.curlopt_timeout', true), '')::bigint * 1000,
            nullif(current_setting('http.timeout_msec', true), '')::bigint,
            5000), 300000)::integer
    $$;

create function http_header(field varchar, value varchar) returns http_header
    language sql immutable
    as $$ select $1, $2 $$;

create function http_headers(variadic args text[]) returns http_header[]
    language plpgsql immutable strict
    as $$
begin
    if cardinality(args) % 2 <> 0 then
        raise exception 'Arguments must be provided in key-value pairs';
    end if;
    return array(
        select row(args[place], args[place + 1])::@extschema@.http_header
        from generate_series(1, cardinality(args), 2) as place);
end
$$;

-- The request through the loopback session `link`, which commits at once. What it returns: the number in the queue.
create function http_queue(link text, request http_request, milliseconds integer) returns bigint
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    method constant text := upper(request.method);
    fields jsonb := coalesce((
        select jsonb_object_agg(name, content) from (
            select distinct on (lower(given.field)) given.field, given.value
            from unnest(request.headers) with ordinality as given (field, value, place)
            where given.field is not null and lower(given.field) <> 'content-type'
            order by lower(given.field), place desc) as kept (name, content)), '{}');
    body bytea;
    queued bigint;
begin
    if request.uri is null then
        raise exception 'http_request.uri is NULL';
    elsif method is null then
        raise exception 'http_request.method is NULL';
    elsif method !~ '^[A-Z]{1,20}$' then
        raise exception 'illegal HTTP method';
    elsif request.uri !~* '^https?://' then
        raise exception 'Protocol "%" not supported', coalesce(substring(request.uri from '^[A-Za-z][^:]*'), '');
    elsif method in ('POST', 'PUT', 'PATCH') and request.content is null then
        raise exception 'http_request.content is NULL';
    elsif method in ('POST', 'PUT', 'PATCH') and request.content_type is null then
        raise exception 'http_request.content_type is NULL';
    end if;
    if request.content is not null then
        body := convert_to(request.content, 'utf8');
        fields := fields || jsonb_build_object('Content-Type', request.content_type);
    end if;
    select id into queued from @extschema@.http_dblink(link, format(
        'with queued as (insert into net.http_request_queue (method, url, headers, body, timeout_milliseconds) '
        'values (%L, %L, %L, %L, %L) returning id), woken as materialized (select net.wake() from queued) '
        'select id from queued, woken', method, request.uri, jsonb_strip_nulls(fields), body, milliseconds))
        as answer (id bigint);
    return queued;
end
$$;

-- The answer to a request of the queue, taken away; waits for it, and a second longer than who sends.
create function http_answer(link text, queued bigint, milliseconds integer) returns http_response
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    latest constant timestamptz := clock_timestamp() + (milliseconds + 1000) * interval '1 millisecond';
    pause double precision := 0.005;
    found_ record;
begin
    loop
        select * into found_ from @extschema@.http_dblink(link, format(
            'delete from net._http_response where id = %L '
            'returning status_code, content_type, headers, content, timed_out, error_msg', queued))
            as answer (status integer, content_type text, headers jsonb, content text, timed_out boolean, error text);
        exit when found;
        if clock_timestamp() > latest then
            raise exception 'Operation timed out after % milliseconds', milliseconds;
        end if;
        perform pg_sleep(pause);
        pause := least(pause * 1.5, 0.1);
    end loop;
    if found_.timed_out then
        raise exception 'Operation timed out after % milliseconds', milliseconds;
    elsif found_.error is not null then
        raise exception '%', found_.error;
    end if;
    return row(
        found_.status,
        found_.content_type,
        array(select row(key, value)::@extschema@.http_header from jsonb_each_text(found_.headers)),
        coalesce(found_.content, ''))::@extschema@.http_response;
end
$$;

-- As the superuser nothing of another's may be touched: a schema `net` of somebody's own would be a way to those rights.
-- What was looked at stays until the call ends: its tables are locked first, without which the extension can't go.
create function http_refuse_without_means() returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
begin
    if to_regprocedure('@extschema@.http_dblink(text,text)') is null then
        raise exception 'http cannot wait for an answer on this PostgreSQL, which has no dblink'
            using errcode = 'feature_not_supported', hint = 'net.http_get and net.http_post of pg_net send without '
            'waiting; MINATO_POSTGRES_BIN or DATABASE_URL name a PostgreSQL that has more.';
    end if;
    if to_regclass('net.http_request_queue') is not null and to_regclass('net._http_response') is not null then
        lock table net.http_request_queue, net._http_response in access share mode;
    end if;
    if (select count(*) <> 4 from (
            select proowner from pg_proc
                where oid in (to_regprocedure('net.wake()'), to_regprocedure('net.check_worker_is_up()'))
            union all
            select relowner from pg_class
                where oid in (to_regclass('net.http_request_queue'), to_regclass('net._http_response'))
        ) as ours (owner) where owner = current_user::regrole)
    then
        raise exception 'http sends its requests by pg_net, which is not there'
            using errcode = 'feature_not_supported', hint = 'create extension pg_net;';
    end if;
    perform net.check_worker_is_up();
end
$$;

-- A value as a connection string has it.
create function http_quoted(value text) returns text
    language sql immutable strict
    set search_path = pg_catalog, pg_temp
    as $$ select '''' || replace(replace(value, '\', '\\'), '''', '\''') || '''' $$;

create function http(request http_request) returns http_response
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
declare
    link constant text := 'http_extension';
    milliseconds constant integer := @extschema@.http_timeout();
    answer @extschema@.http_response;
begin
    if request is null then
        raise exception 'An http_request must be provided';
    end if;
    perform @extschema@.http_refuse_without_means();
    -- dblink takes a foreign server of that name first, so the beginning is one that nobody can foretell. All types are
    -- exact: of functions with one name PostgreSQL calls the one that fits best, whoever made it.
    perform @extschema@.http_dblink_connect(link, format(
        'application_name=%s host=%s port=%s user=%s dbname=%s connect_timeout=5', gen_random_uuid(),
        @extschema@.http_quoted(split_part(current_setting('unix_socket_directories'), ',', 1)),
        current_setting('port'), @extschema@.http_quoted(current_user::text),
        @extschema@.http_quoted(current_database()::text)));
    begin
        answer := @extschema@.http_answer(
            link, @extschema@.http_queue(link, request, milliseconds), milliseconds);
    exception when query_canceled or others then
        perform @extschema@.http_dblink_disconnect(link);
        raise;
    end;
    perform @extschema@.http_dblink_disconnect(link);
    return answer;
end
$$;

-- Nobody's but the superuser's, whatever the schema's default privileges say.
do $$
declare
    inner_function regprocedure;
    grantee oid;
begin
    for inner_function, grantee in
        select p.oid, acl.grantee
        from pg_proc p, aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) as acl
        where p.pronamespace = '@extschema@'::regnamespace and acl.grantee <> p.proowner and p.proname in (
            'http_dblink_connect', 'http_dblink_disconnect', 'http_dblink', 'http_queue', 'http_answer',
            'http_refuse_without_means', 'http_quoted')
    loop
        execute format('revoke all on function %s from %s cascade', inner_function,
            case grantee when 0 then 'public' else grantee::regrole::text end);
    end loop;
end
$$;

create function http_get(uri varchar) returns http_response
    language sql
    as $$ select @extschema@.http(('GET', $1, null, null, null)::@extschema@.http_request) $$;

create function http_post(uri varchar, content varchar, content_type varchar) returns http_response
    language sql
    as $$ select @extschema@.http(('POST', $1, null, $3, $2)::@extschema@.http_request) $$;

create function http_put(uri varchar, content varchar, content_type varchar) returns http_response
    language sql
    as $$ select @extschema@.http(('PUT', $1, null, $3, $2)::@extschema@.http_request) $$;

create function http_patch(uri varchar, content varchar, content_type varchar) returns http_response
    language sql
    as $$ select @extschema@.http(('PATCH', $1, null, $3, $2)::@extschema@.http_request) $$;

create function http_delete(uri varchar) returns http_response
    language sql
    as $$ select @extschema@.http(('DELETE', $1, null, null, null)::@extschema@.http_request) $$;

create function http_delete(uri varchar, content varchar, content_type varchar) returns http_response
    language sql
    as $$ select @extschema@.http(('DELETE', $1, null, $3, $2)::@extschema@.http_request) $$;

create function http_head(uri varchar) returns http_response
    language sql
    as $$ select @extschema@.http(('HEAD', $1, null, null, null)::@extschema@.http_request) $$;

-- curl_easy_escape: all bytes but the unreserved of RFC 3986.
create function urlencode(string bytea) returns text
    language sql immutable strict
    set search_path = pg_catalog, pg_temp
    as $$
        select coalesce(string_agg(
            case when byte between 48 and 57 or byte between 65 and 90 or byte between 97 and 122
                    or byte in (45, 46, 95, 126) then chr(byte)
                else '%' || lpad(upper(to_hex(byte)), 2, '0') end, '' order by place), '')
        from generate_series(0, octet_length(string) - 1) as place, get_byte(string, place) as byte
    $$;

create function urlencode(string varchar) returns text
    language sql immutable strict
    set search_path = pg_catalog, pg_temp
    as $$ select @extschema@.urlencode(convert_to(string, 'utf8')) $$;

-- Names and values of an object, what is no scalar left out.
create function urlencode(data jsonb) returns text
    language plpgsql immutable strict
    set search_path = pg_catalog, pg_temp
    as $$
begin
    if jsonb_typeof(data) <> 'object' then
        raise exception 'cannot call urlencode_jsonb on a non-object' using errcode = 'invalid_parameter_value';
    end if;
    return coalesce((
        select string_agg(
            @extschema@.urlencode(key::varchar) || '=' || @extschema@.urlencode((value #>> '{}')::varchar), '&')
        from jsonb_each(data) where jsonb_typeof(value) not in ('object', 'array', 'null')), '');
end
$$;

create function http_get(uri varchar, data jsonb) returns http_response
    language sql
    as $$
        select @extschema@.http(
            ('GET', $1 || '?' || @extschema@.urlencode($2), null, null, null)::@extschema@.http_request)
    $$;

create function http_post(uri varchar, data jsonb) returns http_response
    language sql
    as $$
        select @extschema@.http(('POST', $1, null, 'application/x-www-form-urlencoded',
            @extschema@.urlencode($2))::@extschema@.http_request)
    $$;

create function text_to_bytea(data text) returns bytea
    language sql immutable strict
    set search_path = pg_catalog, pg_temp
    as $$ select convert_to(data, getdatabaseencoding()) $$;

create function bytea_to_text(data bytea) returns text
    language sql immutable strict
    set search_path = pg_catalog, pg_temp
    as $$ select convert_from(data, getdatabaseencoding()) $$;
