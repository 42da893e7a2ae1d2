-- The reference decodes rows by wal2json, which has every stored column. From PostgreSQL 18 on a publication leaves
-- generated ones out unless it is told, and refuses to change rows whose replica identity, when full, has such a column.
create function minato.publish_generated_columns() returns void
language plpgsql security definer set search_path = '' as $$
declare
    leaves_out boolean := false;
begin
    if current_setting('server_version_num')::int >= 180000 then
        execute 'select exists (select from pg_catalog.pg_publication where pubname = $1 and pubgencols <> ''s'')'
            into leaves_out using 'supabase_realtime';
    end if;
    if leaves_out then
        perform minato.attempt('alter publication supabase_realtime set (publish_generated_columns = stored)');
    end if;
end
$$;
comment on function minato.publish_generated_columns() is
    'Lets supabase_realtime have stored generated columns, where PostgreSQL can.';
revoke all on function minato.publish_generated_columns() from public;

select minato.publish_generated_columns();

create function minato.watch_generated_columns() returns event_trigger
language plpgsql security definer set search_path = '' as $$
begin
    perform minato.publish_generated_columns();
end
$$;
comment on function minato.watch_generated_columns() is
    'Gives supabase_realtime stored generated columns in the moment it is made anew.';

select minato.attempt($$
    create event trigger minato_watch_generated_columns on ddl_command_end
        when tag in ('CREATE PUBLICATION', 'ALTER PUBLICATION')
        execute function minato.watch_generated_columns()
$$);

-- As before, but with stored generated columns.
create or replace function minato.tell_change() returns trigger language plpgsql
set search_path = '' set datestyle = 'ISO' set intervalstyle = 'postgres' set extra_float_digits = 1
set bytea_output = 'hex' set timezone = 'UTC' as $$
declare
    told oid := case when tg_argv[0] = 'root' then pg_catalog.pg_partition_root(tg_relid) else tg_relid end;
    old_row text := case when tg_op <> 'INSERT' then old::text end;
    new_row text := case when tg_op <> 'DELETE' then new::text end;
    size int := octet_length(coalesce(old_row, '')) + octet_length(coalesce(new_row, ''));
    max_size constant int := 1048576;
    max_piece constant int := 7800;
    message json;
    encoded text;
    pieces int;
    label uuid := gen_random_uuid();
begin
    select json_build_object(
        'oid', told::bigint, 'schema', n.nspname, 'table', t.relname, 'action', tg_op, 'size', size,
        'xid', pg_current_xact_id()::text, 'columns', facts.columns,
        -- Changes with every ALTER, GRANT and REVOKE on the table.
        'version', t.xmin::text || ' ' || facts.version,
        'new', case when size <= max_size then new_row end,
        'old', case when size <= max_size then old_row end)
    into message
    from pg_catalog.pg_class t
    join pg_catalog.pg_namespace n on n.oid = t.relnamespace
    cross join lateral (
        select string_agg(a.xmin::text, ' ' order by a.attnum) as version,
               json_agg(json_build_array(
                   a.attname, a.atttypid::bigint, coalesce(a.attnum = any (i.indkey), c.relreplident = 'f'),
                   a.attgenerated <> 'v' and not exists (
                       select from pg_catalog.pg_publication_rel r
                       join pg_catalog.pg_publication p on p.oid = r.prpubid and p.pubname = any (tg_argv[1:])
                       where r.prrelid = told and r.prattrs is not null and not exists (
                           select from pg_catalog.pg_attribute listed
                           where listed.attrelid = told and listed.attnum = any (r.prattrs)
                           and listed.attname = a.attname)))
                   order by a.attnum) as columns
        from pg_catalog.pg_class c
        join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        left join pg_catalog.pg_index i on i.indrelid = c.oid
            and case c.relreplident when 'd' then i.indisprimary when 'i' then i.indisreplident else false end
        where c.oid = tg_relid) as facts
    where t.oid = told;
    if size > max_size then
        select message::jsonb || jsonb_build_object(
            'short_new', jsonb_object_agg(field.key, field.value #>> '{}') filter (where field.is_new),
            'short_old', jsonb_object_agg(field.key, field.value #>> '{}') filter (where not field.is_new))
        into message
        from (
            select true as is_new, given.* from jsonb_each(case when tg_op <> 'DELETE' then to_jsonb(new) end) as given
            union all
            select false, given.* from jsonb_each(case when tg_op <> 'INSERT' then to_jsonb(old) end) as given
        ) as field
        where jsonb_typeof(field.value) not in ('array', 'object') and octet_length(field.value::text) <= 64;
    end if;
    encoded := translate(encode(convert_to(message::text, 'UTF8'), 'base64'), E'\n', '');
    pieces := (length(encoded) + max_piece - 1) / max_piece;
    perform pg_notify('minato_changes',
        label || ':' || piece || ':' || pieces || ':' || substr(encoded, piece * max_piece + 1, max_piece))
    from generate_series(0, pieces - 1) as piece;
    return null;
end
$$;
