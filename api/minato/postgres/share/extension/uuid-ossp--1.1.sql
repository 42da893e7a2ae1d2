-- The functions of PostgreSQL's uuid-ossp in SQL, for servers built without it: same names, same results (RFC 4122).

create function uuid_nil() returns uuid
    language sql immutable strict parallel safe
    as $$ select '00000000-0000-0000-0000-000000000000'::uuid $$;

create function uuid_ns_dns() returns uuid
    language sql immutable strict parallel safe
    as $$ select '6ba7b810-9dad-11d1-80b4-00c04fd430c8'::uuid $$;

create function uuid_ns_url() returns uuid
    language sql immutable strict parallel safe
    as $$ select '6ba7b811-9dad-11d1-80b4-00c04fd430c8'::uuid $$;

create function uuid_ns_oid() returns uuid
    language sql immutable strict parallel safe
    as $$ select '6ba7b812-9dad-11d1-80b4-00c04fd430c8'::uuid $$;

create function uuid_ns_x500() returns uuid
    language sql immutable strict parallel safe
    as $$ select '6ba7b814-9dad-11d1-80b4-00c04fd430c8'::uuid $$;

create function uuid_generate_v4() returns uuid
    language sql volatile strict parallel safe
    as $$ select pg_catalog.gen_random_uuid() $$;

-- Version 1: 100 ns ticks since 1582-10-15, then clock sequence and node. Both are random with the multicast bit set,
-- as RFC 4122 section 4.5 allows where the hardware address must not be shown; uuid_generate_v1 is therefore the same.
create function uuid_generate_v1mc() returns uuid
    language plpgsql volatile strict parallel safe
    set search_path = pg_catalog
    as $$
declare
    ticks bigint := (extract(epoch from clock_timestamp()) * 10000000)::bigint + 122192928000000000;
    hex text := lpad(to_hex(ticks), 16, '0');
    tail bytea := decode(substr(replace(gen_random_uuid()::text, '-', ''), 17), 'hex');
begin
    tail := set_byte(tail, 2, get_byte(tail, 2) | 1);
    return substr(hex, 9, 8) || substr(hex, 5, 4) || '1' || substr(hex, 2, 3) || encode(tail, 'hex');
end
$$;

create function uuid_generate_v1() returns uuid
    language sql volatile strict parallel safe
    as $$ select @extschema@.uuid_generate_v1mc() $$;

-- Versions 3 and 5 put a version and a variant over a digest of namespace and name.
create function uuid_generate_v3(namespace uuid, name text) returns uuid
    language plpgsql immutable strict parallel safe
    set search_path = pg_catalog
    as $$
declare
    digest bytea := decode(md5(uuid_send(namespace) || convert_to(name, 'UTF8')), 'hex');
begin
    digest := set_byte(digest, 6, (get_byte(digest, 6) & 15) | 48);
    return encode(set_byte(digest, 8, (get_byte(digest, 8) & 63) | 128), 'hex');
end
$$;

create function uuid_generate_v5(namespace uuid, name text) returns uuid
    language plpgsql immutable strict parallel safe
    set search_path = pg_catalog
    as $$
declare
    digest bytea := substr(@extschema@.uuid_sha1(uuid_send(namespace) || convert_to(name, 'UTF8')), 1, 16);
begin
    digest := set_byte(digest, 6, (get_byte(digest, 6) & 15) | 80);
    return encode(set_byte(digest, 8, (get_byte(digest, 8) & 63) | 128), 'hex');
end
$$;

create function uuid_sha1(message bytea) returns bytea
    language plpgsql immutable strict parallel safe
    set search_path = pg_catalog
    as $$
declare
    mask constant bigint := 4294967295;
    padded bytea := message || '\x80'::bytea
        || decode(repeat('00', ((55 - octet_length(message)) % 64 + 64) % 64), 'hex')
        || int8send(octet_length(message)::bigint * 8);
    h0 bigint := x'67452301'::bigint;
    h1 bigint := x'efcdab89'::bigint;
    h2 bigint := x'98badcfe'::bigint;
    h3 bigint := x'10325476'::bigint;
    h4 bigint := x'c3d2e1f0'::bigint;
    a bigint; b bigint; c bigint; d bigint; e bigint; f bigint; k bigint; word bigint;
    w bigint[];
    at int;
begin
    for block in 0 .. octet_length(padded) / 64 - 1 loop
        w := array_fill(0::bigint, array[80], array[0]);
        for t in 0 .. 15 loop
            at := block * 64 + t * 4;
            w[t] := (get_byte(padded, at)::bigint << 24) | (get_byte(padded, at + 1) << 16)
                | (get_byte(padded, at + 2) << 8) | get_byte(padded, at + 3);
        end loop;
        for t in 16 .. 79 loop
            word := w[t - 3] # w[t - 8] # w[t - 14] # w[t - 16];
            w[t] := ((word << 1) | (word >> 31)) & mask;
        end loop;
        a := h0; b := h1; c := h2; d := h3; e := h4;
        for t in 0 .. 79 loop
            if t < 20 then
                f := (b & c) | (~b & d); k := 1518500249;
            elsif t < 40 then
                f := b # c # d; k := 1859775393;
            elsif t < 60 then
                f := (b & c) | (b & d) | (c & d); k := 2400959708;
            else
                f := b # c # d; k := 3395469782;
            end if;
            word := ((((a << 5) | (a >> 27)) & mask) + f + e + k + w[t]) & mask;
            e := d; d := c; c := ((b << 30) | (b >> 2)) & mask; b := a; a := word;
        end loop;
        h0 := (h0 + a) & mask; h1 := (h1 + b) & mask; h2 := (h2 + c) & mask; h3 := (h3 + d) & mask; h4 := (h4 + e) & mask;
    end loop;
    return decode(lpad(to_hex(h0), 8, '0') || lpad(to_hex(h1), 8, '0') || lpad(to_hex(h2), 8, '0')
        || lpad(to_hex(h3), 8, '0') || lpad(to_hex(h4), 8, '0'), 'hex');
end
$$;
comment on function uuid_sha1(bytea) is 'SHA-1 (FIPS 180-4), which PostgreSQL itself does not offer.';
