-- The tables and functions of pg_net 0.20.4 (supabase/pg_net), without its C: the server that serves this database
-- sends what is queued, see minato/jobs/net. It hears of requests on the channel minato_jobs.

create schema if not exists net;

-- pg_net's functions send three methods; the extension http queues others, too.
create domain net.http_method as text check (value ~* '^(get|post|delete|put|patch|head|options)$');

-- Logged, unlike the original: a crash loses no request that was committed.
create table net.http_request_queue (
    id bigserial primary key,
    method net.http_method not null,
    url text not null,
    headers jsonb,
    body bytea,
    timeout_milliseconds int not null
);

create table net._http_response (
    id bigint,
    status_code integer,
    content_type text,
    headers jsonb,
    content text,
    timed_out bool,
    error_msg text,
    created timestamptz not null default now()
);
create index on net._http_response (created);
create index on net._http_response (id);

-- What is on its way. A server that starts tells of what its predecessor left here; it sends nothing twice.
create table net._taken (id bigint not null);

create function net.check_worker_is_up() returns void language plpgsql set search_path = '' as $$
begin
    if not exists (select from pg_catalog.pg_locks where locktype = 'advisory' and classid = 1835626081 and objid = 19
            and database = (select oid from pg_catalog.pg_database where datname = current_database())) then
        raise exception using
            message = 'the pg_net background worker is not up',
            detail = 'no server that sends requests is connected to this database',
            hint = 'start minato';
    end if;
end
$$;
comment on function net.check_worker_is_up() is
    'raises an exception if the pg_net background worker is not up, otherwise it doesn''t return anything';

create function net._await_response(request_id bigint) returns bool language plpgsql set search_path = '' as $$
begin
    while not exists (select from net._http_response where id = request_id) loop
        perform pg_sleep(0.05);
    end loop;
    return true;
end
$$;

-- As curl_easy_escape: all but letters, digits and -._~
create function net._urlencode_string(string varchar) returns text
language sql immutable strict set search_path = '' as $$
    select coalesce(string_agg(
        case when byte between 48 and 57 or byte between 65 and 90 or byte between 97 and 122 or byte in (45, 46, 95, 126)
            then chr(byte) else '%' || upper(lpad(to_hex(byte), 2, '0')) end, '' order by place), '')
    from convert_to(string, 'UTF8') bytes, generate_series(0, length(bytes) - 1) place, get_byte(bytes, place) byte
$$;

-- Appends parameters to the query of a URL, which must be absolute and of http or https.
create function net._encode_url_with_params_array(url text, params_array text[]) returns text
language plpgsql immutable strict set search_path = '' as $$
declare
    part text[];
    query text;
begin
    if url !~ '^[A-Za-z][A-Za-z0-9+.-]*:' then
        raise exception using errcode = 'internal_error', message = format('invalid URL "%s"', url);
    elsif url !~* '^https?:' then
        raise exception using
            errcode = 'internal_error', message = format('Unsupported URL scheme in "%s"', url);
    end if;
    part := regexp_match(url, '^([A-Za-z]+)://([^/?#\s]+)([^?#\s]*)(\?([^#\s]*))?(#\S*)?$');
    if part is null then
        raise exception using errcode = 'internal_error', message = format('invalid URL "%s"', url);
    end if;
    query := concat_ws('&', nullif(part[5], ''), nullif(array_to_string(params_array, '&'), ''));
    return lower(part[1]) || '://' || part[2] || case when part[3] = '' then '/' else part[3] end
        || case when query = '' then '' else '?' || query end || coalesce(part[6], '');
end
$$;

create function net.wake() returns void language plpgsql set search_path = '' as $$
begin
    -- told once for a transaction, when it commits
    perform pg_notify('minato_jobs', 'net');
end
$$;

create function net.worker_restart() returns bool language plpgsql set search_path = '' as $$
begin
    perform pg_notify('minato_jobs', 'net');
    return true;
end
$$;

create function net.wait_until_running() returns void language plpgsql set search_path = '' as $$
begin
    while not exists (select from pg_catalog.pg_locks where locktype = 'advisory' and classid = 1835626081 and objid = 19
            and database = (select oid from pg_catalog.pg_database where datname = current_database())) loop
        perform pg_sleep(0.05);
    end loop;
end
$$;
comment on function net.wait_until_running() is 'waits until the worker is running';

create function net._queue(
    method text, url text, params jsonb, headers jsonb, body jsonb, timeout_milliseconds int) returns bigint
language plpgsql set search_path = '' as $$
#variable_conflict use_variable
declare
    request_id bigint;
    encoded text[];
begin
    select coalesce(array_agg(net._urlencode_string(key) || '=' || net._urlencode_string(value)), '{}')
        into encoded from jsonb_each_text(params);
    insert into net.http_request_queue (method, url, headers, body, timeout_milliseconds)
        values (method, net._encode_url_with_params_array(url, encoded), headers, convert_to(body::text, 'UTF8'),
            timeout_milliseconds)
        returning id into request_id;
    perform net.wake();
    return request_id;
end
$$;

create function net.http_get(
    url text, params jsonb default '{}', headers jsonb default '{}', timeout_milliseconds int default 5000)
returns bigint language sql set search_path = '' as $$
    select net._queue('GET', url, params, headers, null, timeout_milliseconds)
$$;

create function net.http_post(
    url text, body jsonb default '{}', params jsonb default '{}',
    headers jsonb default '{"Content-Type": "application/json"}', timeout_milliseconds int default 5000)
returns bigint language plpgsql set search_path = '' as $$
declare
    content_type text := (
        select value from jsonb_each_text(coalesce(headers, '{}')) where lower(key) = 'content-type' limit 1);
begin
    if content_type <> 'application/json' then
        raise exception 'Content-Type header must be "application/json"';
    end if;
    if content_type is null then
        headers := headers || '{"Content-Type": "application/json"}';
    end if;
    return net._queue('POST', url, params, headers, body, timeout_milliseconds);
end
$$;

create function net.http_delete(
    url text, params jsonb default '{}', headers jsonb default '{}', timeout_milliseconds int default 5000,
    body jsonb default null)
returns bigint language sql set search_path = '' as $$
    select net._queue('DELETE', url, params, headers, body, timeout_milliseconds)
$$;

create type net.request_status as enum ('PENDING', 'SUCCESS', 'ERROR');
create type net.http_response as (status_code integer, headers jsonb, body text);
create type net.http_response_result as (status net.request_status, message text, response net.http_response);

create function net._http_collect_response(request_id bigint, async bool default true)
returns net.http_response_result language plpgsql set search_path = '' as $$
declare
    found_ net._http_response;
begin
    if not async then
        perform net._await_response(request_id);
    end if;
    select * into found_ from net._http_response where id = request_id;
    if found_.id is null or found_.error_msg is not null then
        return (
            'ERROR', coalesce(found_.error_msg, 'request matching request_id not found'), null
        )::net.http_response_result;
    end if;
    return (
        'SUCCESS', 'ok', (found_.status_code, found_.headers, found_.content)::net.http_response
    )::net.http_response_result;
end
$$;

create function net.http_collect_response(request_id bigint, async bool default true)
returns net.http_response_result language plpgsql set search_path = '' as $$
begin
    raise notice 'The net.http_collect_response function is deprecated.';
    return net._http_collect_response(request_id, async);
end
$$;

-- As the original, but for triggers and references: the server writes to these tables as their owner.
grant usage on schema net to public;
grant all on all sequences in schema net to public;
grant all on net.http_request_queue, net._http_response to public;
revoke references, trigger on net.http_request_queue, net._http_response from public;

select pg_notify('minato_jobs', 'net');
