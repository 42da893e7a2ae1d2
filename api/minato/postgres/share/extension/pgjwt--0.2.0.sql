-- The functions of pgjwt 0.2.0, written anew: same names, arguments and results. Three things differ: a token without
-- a signature is `false` rather than null, so `if not valid` refuses it; `nbf` after `exp` is `false` rather than an
-- error; and `verify`, which reads the clock, is stable rather than immutable.

-- RFC 7515, appendix C: base64 with two other letters, without line ends and padding.
create function url_encode(data bytea) returns text
    language sql immutable parallel safe
    set search_path = pg_catalog
    as $$ select translate(encode(data, 'base64'), E'+/=\n', '-_') $$;

create function url_decode(data text) returns bytea
    language sql immutable parallel safe
    set search_path = pg_catalog
    as $$
        select decode(translate(data, '-_', '+/') || repeat('=', (4 - length(data) % 4) % 4), 'base64')
    $$;

-- An unknown algorithm becomes the empty name of a digest, which hmac refuses. Where pgcrypto lies is asked for, since
-- PostgreSQL before 16 does not put its schema in.
do $script$
begin
    execute format($create$
        create function algorithm_sign(signables text, secret text, algorithm text) returns text
            language sql immutable parallel safe
            set search_path = pg_catalog
            as $$
        select @extschema@.url_encode(%s.hmac(signables, secret,
            case algorithm when 'HS256' then 'sha256' when 'HS384' then 'sha384' when 'HS512' then 'sha512' else '' end))
    $$
    $create$, (select extnamespace::regnamespace::text from pg_catalog.pg_extension where extname = 'pgcrypto'));
end
$script$;

create function sign(payload json, secret text, algorithm text default 'HS256') returns text
    language sql immutable parallel safe
    set search_path = pg_catalog
    as $$
        select signables || '.' || @extschema@.algorithm_sign(signables, secret, algorithm)
        from (select @extschema@.url_encode(convert_to('{"alg":"' || algorithm || '","typ":"JWT"}', 'utf8'))
            || '.' || @extschema@.url_encode(convert_to(payload::text, 'utf8'))) as jwt (signables)
    $$;

create function try_cast_double(inp text) returns double precision
    language plpgsql immutable parallel safe
    set search_path = pg_catalog
    as $$
begin
    return inp::double precision;
exception when others then
    return null;
end
$$;

create function verify(token text, secret text, algorithm text default 'HS256')
    returns table (header json, payload json, valid boolean)
    language sql stable
    set search_path = pg_catalog
    as $$
        select jwt.header, jwt.payload, coalesce(
            jwt.signed
            and current_timestamp >= coalesce(to_timestamp(@extschema@.try_cast_double(jwt.payload ->> 'nbf')), '-infinity')
            and current_timestamp < coalesce(to_timestamp(@extschema@.try_cast_double(jwt.payload ->> 'exp')), 'infinity'),
            false)
        from (
            select convert_from(@extschema@.url_decode(part[1]), 'utf8')::json,
                convert_from(@extschema@.url_decode(part[2]), 'utf8')::json,
                part[3] = @extschema@.algorithm_sign(part[1] || '.' || part[2], secret, algorithm)
            from regexp_split_to_array(token, '\.') as part
        ) as jwt (header, payload, signed)
    $$;
