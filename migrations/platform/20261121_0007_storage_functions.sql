-- Functions users' policies call, and the listings of the storage service. All run as the caller: row-level security on
-- storage.objects decides what is listed.

-- The parts of a name -----------------------------------------------------------------------------------------------

create function storage.foldername(name text) returns text[] language plpgsql immutable as $$
declare
    segments text[] := string_to_array(name, '/');
begin
    return segments[:cardinality(segments) - 1];
end
$$;
comment on function storage.foldername(text) is 'All segments of an object''s name but the last.';

create function storage.filename(name text) returns text language plpgsql immutable as $$
declare
    segments text[] := string_to_array(name, '/');
begin
    return segments[cardinality(segments)];
end
$$;
comment on function storage.filename(text) is 'The last segment of an object''s name.';

create function storage.extension(name text) returns text language plpgsql immutable as $$
begin
    return split_part(storage.filename(name), '.', -1);
end
$$;
comment on function storage.extension(text) is 'What follows the last dot of the last segment; the whole segment if it has no dot.';

create function storage.get_common_prefix(p_key text, p_prefix text, p_delimiter text) returns text
language sql immutable as $$
    select left(p_key, length(p_prefix) + nullif(position(nullif(p_delimiter, '') in substr(p_key, length(p_prefix) + 1)), 0)
        + length(p_delimiter) - 1)
$$;
comment on function storage.get_common_prefix(text, text, text) is
    'The folder below a prefix that a key lies in, with its delimiter; null for a key that lies directly below the prefix.';

-- What the request does ---------------------------------------------------------------------------------------------

create function storage.operation() returns text language plpgsql stable as $$
begin
    return current_setting('storage.operation', true);
end
$$;
comment on function storage.operation() is 'What the storage service is about to do, e.g. storage.object.upload.';

create function storage.allow_any_operation(expected_operations text[]) returns boolean language sql stable as $$
    select exists (
        select from unnest(expected_operations) as expected
        where expected <> '' and regexp_replace(expected, '^storage\.', '') = regexp_replace(storage.operation(), '^storage\.', ''))
$$;
comment on function storage.allow_any_operation(text[]) is
    'Whether the request is one of these operations; the prefix "storage." may be left out.';

create function storage.allow_only_operation(expected_operation text) returns boolean language sql stable as $$
    select storage.allow_any_operation(array[expected_operation])
$$;
comment on function storage.allow_only_operation(text) is
    'Whether the request is this operation; the prefix "storage." may be left out.';

create function storage.can_insert_object(bucketid text, name text, owner uuid, metadata jsonb) returns void
language plpgsql as $$
begin
    insert into storage.objects (bucket_id, name, owner, metadata) values (bucketid, name, owner, metadata);
    -- it was only a question: an error takes the row back, and says yes
    raise sqlstate 'PT200' using message = 'ROLLBACK', detail = 'rollback successful insert';
end
$$;
comment on function storage.can_insert_object(text, text, uuid, jsonb) is
    'Asks whether the caller may insert an object: raises PT200 if so, the insert''s own error if not.';

-- Triggers ----------------------------------------------------------------------------------------------------------

create function storage.update_updated_at_column() returns trigger language plpgsql as $$
begin
    new.updated_at := now();
    return new;
end
$$;
comment on function storage.update_updated_at_column() is 'Notes when a row last changed.';
create trigger update_objects_updated_at before update on storage.objects
    for each row execute function storage.update_updated_at_column();

create function storage.enforce_bucket_name_length() returns trigger language plpgsql as $$
begin
    if length(new.name) > 100 then
        raise 'bucket name "%" is too long (% characters). Max is 100.', new.name, length(new.name);
    end if;
    return new;
end
$$;
comment on function storage.enforce_bucket_name_length() is 'Refuses bucket names over 100 characters.';
create trigger enforce_bucket_name_length_trigger before insert or update of name on storage.buckets
    for each row execute function storage.enforce_bucket_name_length();

create function storage.protect_delete() returns trigger language plpgsql as $$
begin
    if current_setting('storage.allow_delete_query', true) is distinct from 'true' then
        raise insufficient_privilege using
            message = 'Direct deletion from storage tables is not allowed. Use the Storage API instead.',
            hint = 'This prevents accidental data loss from orphaned objects.';
    end if;
    return null;
end
$$;
comment on function storage.protect_delete() is 'Refuses deletes that would leave the file behind: only the service deletes both.';
create trigger protect_buckets_delete before delete on storage.buckets
    for each statement execute function storage.protect_delete();
create trigger protect_objects_delete before delete on storage.objects
    for each statement execute function storage.protect_delete();

-- Listings ----------------------------------------------------------------------------------------------------------
-- A folder may hold a million objects and is one row of a listing. So the two functions that sort by name walk the index:
-- they read objects until the first that lies in a folder, and go on behind that folder.
-- The keys with a prefix are those in [prefix, prefix || the highest character), by bytes.

create function storage.list_objects_with_delimiter(
    _bucket_id text, prefix_param text, delimiter_param text, max_keys integer default 100,
    start_after text default '', next_token text default '', sort_order text default 'asc')
returns table (
    name text, id uuid, metadata jsonb, updated_at timestamptz, created_at timestamptz, last_accessed_at timestamptz)
language plpgsql stable as $$
declare
    highest constant text := chr(1114111);
    lowest constant text := chr(1);
    prefix constant text := coalesce(prefix_param, '');
    ascending constant boolean := lower(coalesce(sort_order, 'asc')) <> 'desc';
    seek text;
    folder text;
    remaining integer := coalesce(max_keys, 100);
    object record;
begin
    -- where to begin: inclusive when ascending, exclusive when descending
    if coalesce(next_token, '') <> '' then
        -- the last name of the page before: a folder's comes with or without its delimiter
        folder := case
            when right(next_token, length(delimiter_param)) = delimiter_param then next_token
            when exists (select from storage.objects o where o.bucket_id = _bucket_id and o.name = next_token) then null
            when exists (
                select from storage.objects o
                where o.bucket_id = _bucket_id and o.name collate "C" >= next_token || delimiter_param
                    and o.name collate "C" < next_token || delimiter_param || highest)
            then next_token || delimiter_param
        end;
        seek := case
            when ascending then coalesce(folder || highest, next_token || lowest)
            else coalesce(folder, next_token)
        end;
    elsif coalesce(start_after, '') <> '' then
        seek := case when ascending then start_after || lowest else start_after end;
    else
        seek := case when ascending then prefix else prefix || highest end;
    end if;

    while remaining > 0 loop
        folder := null;
        for object in
            (select o.* from storage.objects o
            where ascending and o.bucket_id = _bucket_id
                and o.name collate "C" >= prefix and o.name collate "C" >= seek
                and o.name collate "C" < prefix || highest
            order by o.name collate "C" limit remaining)
            union all
            (select o.* from storage.objects o
            where not ascending and o.bucket_id = _bucket_id
                and o.name collate "C" >= prefix
                and o.name collate "C" < prefix || highest and o.name collate "C" < seek
            order by o.name collate "C" desc limit remaining)
        loop
            remaining := remaining - 1;
            folder := storage.get_common_prefix(object.name, prefix, delimiter_param);
            if folder is not null then
                name := left(folder, -length(delimiter_param));
                id := null; metadata := null; updated_at := null; created_at := null; last_accessed_at := null;
                return next;
                exit;
            end if;
            name := object.name; id := object.id; metadata := object.metadata; updated_at := object.updated_at;
            created_at := object.created_at; last_accessed_at := object.last_accessed_at;
            return next;
        end loop;
        exit when folder is null;
        seek := case when ascending then folder || highest else folder end;
    end loop;
end
$$;
comment on function storage.list_objects_with_delimiter(text, text, text, integer, text, text, text) is
    'Objects and folders below a prefix by name: start_after is any key, next_token the last name of the page before.';

create function storage.search_by_timestamp(
    p_prefix text, p_bucket_id text, p_limit integer, p_level integer,
    p_start_after text, p_sort_order text, p_sort_column text, p_sort_column_after text)
returns table (
    key text, name text, id uuid, updated_at timestamptz, created_at timestamptz, last_accessed_at timestamptz,
    metadata jsonb)
language plpgsql stable as $$
declare
    direction constant text := case when lower(p_sort_order) = 'desc' then 'desc' else 'asc' end;
begin
    -- A folder is as old as the oldest object in it. Pages are cut at milliseconds, the precision of a cursor. A folder's
    -- name comes with or without its slash, and an object's name may end with one.
    return query execute format($query$
        with matching as (
            select o.*, storage.get_common_prefix(o.name, $1, '/') as folder from storage.objects o
            where o.bucket_id = $2 and o.name collate "C" >= $1 and o.name collate "C" < $1 || chr(1114111)
        ), listed as (
            select left(folder, -1) as name, null::uuid as id, min(created_at) as updated_at, min(created_at) as created_at,
                null::timestamptz as last_accessed_at, null::jsonb as metadata
            from matching where folder is not null group by folder
            union all
            select name, id, updated_at, created_at, last_accessed_at, metadata from matching where folder is null
        ), placed as (
            select *, coalesce(date_trunc('milliseconds', %1$I), 'epoch') as place from listed
        )
        select storage.filename(name), name, id, updated_at, created_at, last_accessed_at, metadata from placed
        where $4 = '' or (
            (place, name collate "C") %3$s (coalesce(nullif($5, '')::timestamptz, 'epoch'), regexp_replace($4, '/$', ''))
            and not (name = $4 and $4 like '%%/'))
        order by place %2$s, name collate "C" %2$s
        limit $3
        $query$, p_sort_column, direction, case direction when 'asc' then '>' else '<' end)
    using coalesce(p_prefix, ''), p_bucket_id, p_limit, coalesce(p_start_after, ''), p_sort_column_after;
end
$$;
comment on function storage.search_by_timestamp(text, text, integer, integer, text, text, text, text) is
    'Objects and folders below a prefix by created_at or updated_at, a page behind (p_sort_column_after, p_start_after).';

create function storage.search_v2(
    prefix text, bucket_name text, limits integer default 100, levels integer default 1, start_after text default '',
    sort_order text default 'asc', sort_column text default 'name', sort_column_after text default '')
returns table (
    key text, name text, id uuid, updated_at timestamptz, created_at timestamptz, last_accessed_at timestamptz,
    metadata jsonb)
language plpgsql stable as $$
declare
    page constant integer := least(coalesce(limits, 100), 1500);
    sort_by constant text := lower(coalesce(sort_column, 'name'));
begin
    if sort_by in ('created_at', 'updated_at') then
        return query select * from storage.search_by_timestamp(
            prefix, bucket_name, page, levels, start_after, coalesce(sort_order, 'asc'), sort_by, sort_column_after);
    else
        return query
        select storage.filename(o.name), o.name, o.id, o.updated_at, o.created_at, o.last_accessed_at, o.metadata
        from storage.list_objects_with_delimiter(bucket_name, prefix, '/', page, '', start_after, sort_order) o;
    end if;
end
$$;
comment on function storage.search_v2(text, text, integer, integer, text, text, text, text) is
    'Objects and folders below a prefix, case-sensitive, paged by the last name of the page before.';

create function storage.search(
    prefix text, bucketname text, limits integer default 100, levels integer default 1, offsets integer default 0,
    search text default '', sortcolumn text default 'name', sortorder text default 'asc')
returns table (
    name text, id uuid, updated_at timestamptz, created_at timestamptz, last_accessed_at timestamptz, metadata jsonb)
language plpgsql stable as $$
declare
    highest constant text := chr(1114111);
    wanted constant text := coalesce(prefix, '') || coalesce(search, '');
    lower_wanted constant text := lower(wanted);
    relative constant integer := length(coalesce(prefix, '')) + 1;
    ascending constant boolean := lower(coalesce(sortorder, 'asc')) = 'asc';
    sort_by constant text := lower(coalesce(sortcolumn, 'name'));
    page constant integer := least(coalesce(limits, 100), 1500);
    seek text := case when ascending then lower_wanted else lower_wanted || highest end;
    remaining integer := page + coalesce(offsets, 0);
    folder text;
    object record;
begin
    if sort_by in ('created_at', 'updated_at', 'last_accessed_at') then
        return query execute format($query$
            with matching as (
                select o.*, storage.get_common_prefix(o.name, $1, '/') as folder from storage.objects o
                where o.bucket_id = $2
                    and lower(o.name) collate "C" >= lower($1) and lower(o.name) collate "C" < lower($1) || chr(1114111)
            ), listed as (
                select true as is_folder, left(folder, -1) as name, null::uuid as id, null::timestamptz as updated_at,
                    null::timestamptz as created_at, null::timestamptz as last_accessed_at, null::jsonb as metadata
                from matching where folder is not null group by folder
                union all
                select false, name, id, updated_at, created_at, last_accessed_at, metadata
                from matching where folder is null
            )
            select substr(name, $3), id, updated_at, created_at, last_accessed_at, metadata from listed
            order by not is_folder, case when is_folder then name collate "C" end %1$s, %2$I %1$s, name collate "C"
            limit $4 offset $5
            $query$, case when ascending then 'asc' else 'desc' end, sort_by)
        using wanted, bucketname, relative, page, offsets;
        return;
    end if;

    while remaining > 0 loop
        folder := null;
        for object in
            (select o.* from storage.objects o
            where ascending and o.bucket_id = bucketname
                and lower(o.name) collate "C" >= seek and lower(o.name) collate "C" < lower_wanted || highest
            order by lower(o.name) collate "C" limit remaining)
            union all
            (select o.* from storage.objects o
            where not ascending and o.bucket_id = bucketname
                and lower(o.name) collate "C" >= lower_wanted and lower(o.name) collate "C" < seek
            order by lower(o.name) collate "C" desc limit remaining)
        loop
            remaining := remaining - 1;
            folder := storage.get_common_prefix(object.name, wanted, '/');
            if remaining < page then
                name := substr(coalesce(left(folder, -1), object.name), relative);
                if folder is null then
                    id := object.id; updated_at := object.updated_at; created_at := object.created_at;
                    last_accessed_at := object.last_accessed_at; metadata := object.metadata;
                else
                    id := null; updated_at := null; created_at := null; last_accessed_at := null; metadata := null;
                end if;
                return next;
            end if;
            exit when folder is not null;
        end loop;
        exit when folder is null;
        seek := case when ascending then lower(folder) || highest else lower(folder) end;
    end loop;
end
$$;
comment on function storage.search(text, text, integer, integer, integer, text, text, text) is
    'Objects and folders whose name begins with prefix and search regardless of case; names are relative to the prefix.';

create function storage.list_multipart_uploads_with_delimiter(
    bucket_id text, prefix_param text, delimiter_param text, max_keys integer default 100,
    next_key_token text default '', next_upload_token text default '')
returns table (key text, id text, created_at timestamptz) language sql stable as $$
    with folded as (
        select coalesce(storage.get_common_prefix(u.key, prefix_param, delimiter_param), u.key) collate "C" as key, u.id, u.created_at
        from storage.s3_multipart_uploads u
        where u.bucket_id = $1 and starts_with(u.key, prefix_param)
    )
    select distinct on (f.key) f.key, f.id, f.created_at from folded f
    where f.key > next_key_token or (f.key = next_key_token and next_upload_token <> '' and f.id collate "C" > next_upload_token)
    order by f.key, f.created_at limit max_keys
$$;
comment on function storage.list_multipart_uploads_with_delimiter(text, text, text, integer, text, text) is
    'Multipart uploads under way below a prefix, with folders; behind (next_key_token, next_upload_token).';

create function storage.get_size_by_bucket() returns table (size bigint, bucket_id text) language plpgsql stable as $$
begin
    return query
    select sum((o.metadata ->> 'size')::bigint)::bigint, o.bucket_id from storage.objects o group by o.bucket_id;
end
$$;
comment on function storage.get_size_by_bucket() is 'Bytes per bucket, of the objects the caller may see.';

select minato.hand_over('storage', 'supabase_storage_admin');
grant all on all routines in schema storage to postgres, dashboard_user, anon, authenticated, service_role;
