-- Supabase's vault 0.3.1 in SQL: same table, view, functions and rights. What it encrypts with is not libsodium but a
-- construction over HMAC-SHA-256, the one keyed primitive that plain PostgreSQL has.
--
-- Synthetic initialisation vector (Rogaway and Shrimpton, 2006), deterministic authenticated encryption like the
-- original's crypto_aead_det_xchacha20:
--
--     key'   = HMAC(root key, name of its use)             one for the tag, one for the stream, one for the fingerprint
--     tag    = HMAC(tag key, context, key_id, additional, nonce, message), each but the last with its length before it
--     stream = HMAC(stream key, tag || 0) || HMAC(stream key, tag || 1) || …
--     result = 0x01 || fingerprint of the root key (8 bytes) || tag (32) || message xor stream
--
-- A nonce used twice shows no more than that two messages were equal. `additional` is the row's id: what was moved to
-- another row opens nothing. The root keys lie in `vault.key`, outside the cluster's folder: its first line encrypts,
-- all of them decrypt. The file is read by functions of the superuser, who alone may call those.

create table vault.secrets (
    id uuid primary key default pg_catalog.gen_random_uuid(),
    name text,
    description text not null default '',
    secret text not null,
    key_id uuid,
    nonce bytea,
    created_at timestamptz not null default current_timestamp,
    updated_at timestamptz not null default current_timestamp
);
comment on table vault.secrets is 'Table with encrypted `secret` column for storing sensitive information on disk.';
create unique index secrets_name_idx on vault.secrets using btree (name) where name is not null;

-- A path that everybody may name in no setting; the temporary schema comes last, so nobody's types are taken for ours.
create function vault._root_keys() returns bytea[]
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
declare
    content constant text := pg_read_file(current_setting('data_directory') || '/../vault.key', 0, 100000, true);
    keys constant bytea[] := array(
        select decode(line, 'hex') from regexp_split_to_table(content, '\s+') with ordinality as lines (line, place)
        where line ~ '^[0-9a-f]{64}$' order by place);
begin
    if cardinality(keys) = 0 then
        raise exception 'the vault has no key' using errcode = 'object_not_in_prerequisite_state',
            hint = 'The file vault.key in the data folder is missing or empty; a backup of it opens the vault again.';
    end if;
    return keys;
end
$$;

create function vault._xor(a bytea, b bytea) returns bytea
    language sql immutable strict
    set search_path = pg_catalog, pg_temp
    as $$
        -- varbit_send puts the length, 4 bytes, before the bits
        select substr(varbit_send(('x' || encode(a, 'hex'))::varbit # ('x' || encode(b, 'hex'))::varbit), 5)
    $$;

-- RFC 2104 with SHA-256 for a key of 32 bytes.
create function vault._hmac(message bytea, key bytea) returns bytea
    language sql immutable strict
    set search_path = pg_catalog, pg_temp
    as $$
        select sha256(vault._xor(key || decode(repeat('00', 32), 'hex'), decode(repeat('5c', 64), 'hex'))
            || sha256(vault._xor(key || decode(repeat('00', 32), 'hex'), decode(repeat('36', 64), 'hex')) || message))
    $$;

create function vault._derived(root bytea, name text) returns bytea
    language sql immutable strict
    set search_path = pg_catalog, pg_temp
    as $$ select vault._hmac(convert_to('minato vault 1: ' || name, 'utf8'), root) $$;

create function vault._fingerprint(root bytea) returns bytea
    language sql immutable strict
    set search_path = pg_catalog, pg_temp
    as $$ select substr(vault._derived(root, 'fingerprint'), 1, 8) $$;

create function vault._tag(root bytea, message bytea, parts bytea[]) returns bytea
    language sql immutable strict
    set search_path = pg_catalog, pg_temp
    as $$
        select vault._hmac(
            (select string_agg(int8send(octet_length(part)) || part, ''::bytea order by place)
                from unnest(parts) with ordinality as given (part, place)) || message,
            vault._derived(root, 'tag'))
    $$;

-- A message under the stream of a tag; the same again gives the message back.
create function vault._streamed(root bytea, tag bytea, message bytea) returns bytea
    language plpgsql immutable strict
    set search_path = pg_catalog, pg_temp
    as $$
declare
    key constant bytea := vault._derived(root, 'stream') || decode(repeat('00', 32), 'hex');
    outer_key constant bytea := vault._xor(key, decode(repeat('5c', 64), 'hex'));
    inner_key constant bytea := vault._xor(key, decode(repeat('36', 64), 'hex'));
    stream bytea;
begin
    if message = '' then
        return message;
    end if;
    select string_agg(sha256(outer_key || sha256(inner_key || tag || int8send(block))), ''::bytea order by block)
        into stream
    from generate_series(0::bigint, (octet_length(message) - 1) / 32) as block;
    return vault._xor(message, substr(stream, 1, octet_length(message)));
end
$$;

create function vault._crypto_aead_det_encrypt(
    message bytea, additional bytea, key_id bigint, context bytea = 'pgsodium', nonce bytea = null) returns bytea
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
declare
    root constant bytea := (vault._root_keys())[1];
    tag constant bytea := vault._tag(root, message,
        array[context, int8send(key_id), coalesce(additional, ''), coalesce(nonce, '')]);
begin
    return '\x01'::bytea || vault._fingerprint(root) || tag || vault._streamed(root, tag, message);
end
$$;

-- Stable, so that who asks the view for names alone decrypts nothing.
create function vault._crypto_aead_det_decrypt(
    message bytea, additional bytea, key_id bigint, context bytea = 'pgsodium', nonce bytea = null) returns bytea
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
    as $$
declare
    tag constant bytea := substr(message, 10, 32);
    root bytea;
    plain bytea;
begin
    if message is null then
        return null;
    end if;
    if octet_length(message) >= 41 and get_byte(message, 0) = 1 then
        select candidate into root from unnest(vault._root_keys()) as candidate
        where vault._fingerprint(candidate) = substr(message, 2, 8) limit 1;
        if root is null then
            raise exception 'the vault lacks the key of this secret' using errcode = 'data_exception',
                hint = 'vault.key in the data folder is another than the secret was encrypted with: '
                'put the line of the former one below its first.';
        end if;
        plain := vault._streamed(root, tag, substr(message, 42));
        if vault._tag(root, plain,
            array[context, int8send(key_id), coalesce(additional, ''), coalesce(nonce, '')]) = tag then
            return plain;
        end if;
    end if;
    raise exception 'invalid ciphertext' using errcode = 'data_exception';
end
$$;

-- 16 bytes of random UUIDs, without the two of each that carry fixed bits.
create function vault._crypto_aead_det_noncegen() returns bytea
    language sql volatile
    set search_path = pg_catalog, pg_temp
    as $$
        select substr(string_agg(substr(uuid_send(random), 1, 6) || substr(uuid_send(random), 10), ''::bytea), 1, 16)
        from (select gen_random_uuid() from generate_series(1, 2)) as drawn (random)
    $$;
alter table vault.secrets alter nonce set default vault._crypto_aead_det_noncegen();

create view vault.decrypted_secrets as
select s.id,
    s.name,
    s.description,
    s.secret,
    convert_from(
        vault._crypto_aead_det_decrypt(
            message := decode(s.secret, 'base64'),
            additional := convert_to(s.id::text, 'utf8'),
            key_id := 0::bigint,
            context := 'pgsodium'::bytea,
            nonce := s.nonce),
        'utf8') as decrypted_secret,
    s.key_id,
    s.nonce,
    s.created_at,
    s.updated_at
from vault.secrets s;

-- The lock: who encrypts while the key is changed would read the key that goes.
create function vault._encrypted(secret text, id uuid, nonce bytea) returns text
    language plpgsql volatile strict
    set search_path = pg_catalog, pg_temp
    as $$
begin
    lock table vault.secrets in row exclusive mode;
    return encode(vault._crypto_aead_det_encrypt(
        message := convert_to(secret, 'utf8'), additional := convert_to(id::text, 'utf8'), key_id := 0::bigint,
        context := 'pgsodium'::bytea, nonce := nonce), 'base64');
end
$$;

-- Encrypted before the row exists: the plain text reaches neither the table's file nor the log of changes.
create function vault.create_secret(
    new_secret text, new_name text = null, new_description text = '', new_key_id uuid = null) returns uuid
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
declare
    new_id constant uuid := gen_random_uuid();
    new_nonce constant bytea := vault._crypto_aead_det_noncegen();
begin
    insert into vault.secrets (id, name, description, secret, nonce)
    values (new_id, new_name, new_description, vault._encrypted(new_secret, new_id, new_nonce), new_nonce);
    return new_id;
end
$$;

create function vault.update_secret(
    secret_id uuid, new_secret text = null, new_name text = null, new_description text = null, new_key_id uuid = null)
    returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
declare
    new_nonce constant bytea := case when new_secret is not null then vault._crypto_aead_det_noncegen() end;
begin
    update vault.secrets s set
        secret = coalesce(vault._encrypted(new_secret, s.id, new_nonce), s.secret),
        nonce = coalesce(new_nonce, s.nonce),
        name = coalesce(new_name, s.name),
        description = coalesce(new_description, s.description),
        updated_at = now()
    where s.id = secret_id;
end
$$;

-- For `minato vault rotate-key`: all secrets under the first of the root keys; how many there are.
create function vault._encrypt_again() returns bigint
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    counted bigint;
begin
    lock table vault.secrets in share row exclusive mode;
    update vault.secrets s set nonce = fresh.nonce, secret = vault._encrypted(fresh.plain, s.id, fresh.nonce)
    from (select id, decrypted_secret, vault._crypto_aead_det_noncegen() from vault.decrypted_secrets)
        as fresh (id, plain, nonce)
    where s.id = fresh.id;
    get diagnostics counted = row_count;
    return counted;
end
$$;

revoke all on all functions in schema vault from public;

-- As on a hosted project: these two read and delete, and write by the functions alone; tables of postgres may refer.
do $$
declare
    grantee text;
    option text;
begin
    for grantee, option in values ('postgres', ' with grant option'), ('service_role', '') loop
        continue when to_regrole(grantee) is null;
        execute format('grant usage on schema vault to %I', grantee) || option;
        execute format('grant select, delete on vault.secrets, vault.decrypted_secrets to %I', grantee) || option;
        execute format('grant execute on function vault.create_secret, vault.update_secret, '
            'vault._crypto_aead_det_decrypt to %I', grantee) || option;
    end loop;
    if to_regrole('postgres') is not null then
        grant references on vault.secrets, vault.decrypted_secrets to postgres with grant option;
    end if;
end
$$;

select pg_catalog.pg_extension_config_dump('vault.secrets', '');
