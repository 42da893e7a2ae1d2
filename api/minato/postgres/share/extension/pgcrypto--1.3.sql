-- The part of PostgreSQL's pgcrypto that projects use, in SQL, for servers built without it:
-- digest, hmac, gen_random_bytes, gen_random_uuid, gen_salt, crypt.
--
-- Two things differ from the original. Encryption (encrypt, pgp_*) is not there. And because bcrypt is far too slow in
-- SQL, gen_salt('bf') gives a salt of sha512crypt: crypt(password, gen_salt('bf')) makes a $6$ hash, which crypt and the
-- auth service verify. crypt refuses a salt it can't compute (bcrypt, md5, des) instead of answering wrongly.

create function pgcrypto_sha1(message bytea) returns bytea
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
comment on function pgcrypto_sha1(bytea) is 'SHA-1 (FIPS 180-4), which PostgreSQL itself does not offer.';

create function digest(data bytea, type text) returns bytea
    language plpgsql immutable strict parallel safe
    set search_path = pg_catalog
    as $$
begin
    case lower(type)
        when 'md5' then return decode(md5(data), 'hex');
        when 'sha1' then return @extschema@.pgcrypto_sha1(data);
        when 'sha224' then return sha224(data);
        when 'sha256' then return sha256(data);
        when 'sha384' then return sha384(data);
        when 'sha512' then return sha512(data);
        else raise exception 'Cannot use "%": No such hash algorithm', type using errcode = '22023';
    end case;
end
$$;

create function digest(data text, type text) returns bytea
    language sql immutable strict parallel safe
    as $$ select @extschema@.digest(pg_catalog.convert_to(data, pg_catalog.getdatabaseencoding()), type) $$;

-- Bytewise exclusive or of equally long values.
create function pgcrypto_xor(a bytea, b bytea) returns bytea
    language plpgsql immutable strict parallel safe
    set search_path = pg_catalog
    as $$
begin
    for i in 0 .. octet_length(a) - 1 loop
        a := set_byte(a, i, get_byte(a, i) # get_byte(b, i));
    end loop;
    return a;
end
$$;

-- RFC 2104.
create function hmac(data bytea, key bytea, type text) returns bytea
    language plpgsql immutable strict parallel safe
    set search_path = pg_catalog
    as $$
declare
    block constant int := case when lower(type) in ('sha384', 'sha512') then 128 else 64 end;
    short bytea := case when octet_length(key) > block then @extschema@.digest(key, type) else key end;
    padded bytea := short || decode(repeat('00', block - octet_length(short)), 'hex');
    inner_key bytea := @extschema@.pgcrypto_xor(padded, decode(repeat('36', block), 'hex'));
    outer_key bytea := @extschema@.pgcrypto_xor(padded, decode(repeat('5c', block), 'hex'));
begin
    return @extschema@.digest(outer_key || @extschema@.digest(inner_key || data, type), type);
end
$$;

create function hmac(data text, key text, type text) returns bytea
    language sql immutable strict parallel safe
    as $$
        select @extschema@.hmac(
            pg_catalog.convert_to(data, pg_catalog.getdatabaseencoding()),
            pg_catalog.convert_to(key, pg_catalog.getdatabaseencoding()),
            type)
    $$;

create function gen_random_uuid() returns uuid
    language sql volatile parallel safe
    as $$ select pg_catalog.gen_random_uuid() $$;

-- The server's strong randomness is reachable through random UUIDs; their bytes 6 and 8 carry fixed bits and are left out.
create function gen_random_bytes(count integer) returns bytea
    language plpgsql volatile strict parallel safe
    set search_path = pg_catalog
    as $$
declare
    bytes bytea := '';
    random bytea;
begin
    if count < 1 or count > 1024 then
        raise exception 'Length not in range' using errcode = '22023';
    end if;
    while octet_length(bytes) < count loop
        random := uuid_send(gen_random_uuid());
        bytes := bytes || substr(random, 1, 6) || substr(random, 10);
    end loop;
    return substr(bytes, 1, count);
end
$$;

-- bf and the two of PostgreSQL 18; `rounds` is what each of them counts in, so for bf it is read and not used.
create function gen_salt(type text, rounds integer) returns text
    language plpgsql volatile strict parallel safe
    set search_path = pg_catalog
    as $$
declare
    prefix text;
    letters constant text := './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
    random bytea := @extschema@.gen_random_bytes(16);
    salt text := '';
begin
    case lower(type)
        when 'bf' then
            if rounds not between 4 and 31 then
                raise exception 'gen_salt: Incorrect number of rounds' using errcode = '22023';
            end if;
            prefix := '$6$';
        when 'sha256crypt' then prefix := '$5$rounds=' || least(greatest(rounds, 1000), 999999999) || '$';
        when 'sha512crypt' then prefix := '$6$rounds=' || least(greatest(rounds, 1000), 999999999) || '$';
        else raise exception 'gen_salt: Unknown salt algorithm' using errcode = '22023';
    end case;
    for i in 0 .. 15 loop
        salt := salt || substr(letters, get_byte(random, i) % 64 + 1, 1);
    end loop;
    return prefix || salt;
end
$$;

create function gen_salt(type text) returns text
    language sql volatile strict parallel safe
    as $$ select @extschema@.gen_salt(type, case when pg_catalog.lower(type) = 'bf' then 6 else 5000 end) $$;

-- `count` bytes of `bytes`, repeated as often as it takes.
create function pgcrypto_stretch(bytes bytea, count integer) returns bytea
    language sql immutable strict parallel safe
    as $$
        select pg_catalog.substr(pg_catalog.decode(pg_catalog.repeat(pg_catalog.encode(bytes, 'hex'),
            count / pg_catalog.octet_length(bytes) + 1), 'hex'), 1, count)
    $$;

-- The letters of crypt(3): three bytes in the given order become four letters, lowest bits first.
create function pgcrypto_letters(bytes bytea, places integer[]) returns text
    language plpgsql immutable strict parallel safe
    set search_path = pg_catalog
    as $$
declare
    letters constant text := './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
    result text := '';
    value int;
    at int := 1;
    used int;
begin
    while at <= cardinality(places) loop
        value := 0;
        used := 0;
        -- A group that is short at the end lacks its high bytes (-1) and gives a letter per six bits that are left.
        for i in at .. at + 2 loop
            value := value << 8;
            if places[i] >= 0 then
                value := value | get_byte(bytes, places[i]);
                used := used + 1;
            end if;
        end loop;
        for i in 0 .. used loop
            result := result || substr(letters, (value >> 6 * i) % 64 + 1, 1);
        end loop;
        at := at + 3;
    end loop;
    return result;
end
$$;

-- Ulrich Drepper's SHA-crypt, https://www.akkadia.org/drepper/SHA-crypt.txt; the numbers are those of its 22 steps.
create function pgcrypto_sha_crypt(password bytea, salt bytea, rounds integer, type text) returns bytea
    language plpgsql immutable strict parallel safe
    set search_path = pg_catalog
    as $$
declare
    wide constant boolean := type = 'sha512';
    length constant int := octet_length(password);
    b bytea := @extschema@.digest(password || salt || password, type);
    a bytea := password || salt || @extschema@.pgcrypto_stretch(b, length);
    bits int := length;
    p bytea;
    s bytea;
begin
    while bits > 0 loop
        a := a || case when bits % 2 = 1 then b else password end;
        bits := bits / 2;
    end loop;
    a := @extschema@.digest(a, type);
    -- 13-16: the password's, 17-20: the salt's sequence of bytes
    p := @extschema@.pgcrypto_stretch(
        @extschema@.digest(decode(repeat(encode(password, 'hex'), length), 'hex'), type), length);
    s := @extschema@.pgcrypto_stretch(
        @extschema@.digest(decode(repeat(encode(salt, 'hex'), 16 + get_byte(a, 0)), 'hex'), type), octet_length(salt));
    -- 21: the rounds; written out because a call per round would double the time
    for i in 0 .. rounds - 1 loop
        b := case when i % 2 = 1 then p else a end || case when i % 3 <> 0 then s else '' end
            || case when i % 7 <> 0 then p else '' end || case when i % 2 = 1 then a else p end;
        if wide then
            a := sha512(b);
        else
            a := sha256(b);
        end if;
    end loop;
    return a;
end
$$;

create function crypt(password text, salt text) returns text
    language plpgsql immutable strict parallel safe
    set search_path = pg_catalog
    as $$
declare
    parts text[] := regexp_match(salt, '^\$([56])\$(?:rounds=(\d{1,9})\$)?([^$]{1,16})');
    rounds int := least(greatest(coalesce(parts[2]::int, 5000), 1000), 999999999);
    type text := case parts[1] when '6' then 'sha512' else 'sha256' end;
    -- 22: the order in which the digest's bytes become letters
    order_256 constant int[] := '{0,10,20, 21,1,11, 12,22,2, 3,13,23, 24,4,14, 15,25,5, 6,16,26, 27,7,17, 18,28,8, 9,19,29,
        -1,31,30}';
    order_512 constant int[] := '{0,21,42, 22,43,1, 44,2,23, 3,24,45, 25,46,4, 47,5,26, 6,27,48, 28,49,7, 50,8,29, 9,30,51,
        31,52,10, 53,11,32, 12,33,54, 34,55,13, 56,14,35, 15,36,57, 37,58,16, 59,17,38, 18,39,60, 40,61,19, 62,20,41,
        -1,-1,63}';
    result bytea;
begin
    if parts is null then
        raise exception 'crypt: only salts of sha256crypt ($5$) and sha512crypt ($6$) can be used here'
            using errcode = '0A000', hint = 'Make hashes with gen_salt(''bf'') or gen_salt(''sha512crypt''), or set '
            'MINATO_POSTGRES_BIN to a PostgreSQL with pgcrypto.';
    end if;
    result := @extschema@.pgcrypto_sha_crypt(convert_to(password, getdatabaseencoding()),
        convert_to(parts[3], getdatabaseencoding()), rounds, type);
    return '$' || parts[1] || '$' || coalesce('rounds=' || case when parts[2] is not null then rounds end || '$', '')
        || parts[3] || '$'
        || @extschema@.pgcrypto_letters(result, case parts[1] when '6' then order_512 else order_256 end);
end
$$;
