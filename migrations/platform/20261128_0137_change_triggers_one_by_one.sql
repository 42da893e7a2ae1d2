-- Who puts triggers on many tables in one transaction holds all their locks together: writers wait for the whole, and
-- meet it in another order than theirs. So what differs can be asked without a lock, and mended table by table.

-- Arguments of a trigger: whether it speaks for its root, and which followed publications name columns of the table.
-- A root's trigger has a name of its own, so that a table which has its own trigger already may be attached to it.
create function minato.change_trigger_differences() returns table (
    relid oid, name name, events text, arguments text[], is_there boolean)
language sql stable set search_path = '' as $$
    with published as (
        select c.oid as relid, p.oid as pub, p.pubname, p.pubinsert, p.pubupdate, p.pubdelete,
               p.pubviaroot and c.relkind = 'p' as root, member.prattrs is not null as names_columns
        from minato.trigger_publications followed
        join pg_catalog.pg_publication p on p.pubname = followed.name
        cross join minato.published_tables(p.pubname) as told(oid)
        join pg_catalog.pg_class c on c.oid = told.oid
        join pg_catalog.pg_namespace n on n.oid = c.relnamespace
        left join pg_catalog.pg_publication_rel member on member.prpubid = p.oid and member.prrelid = c.oid
        -- A filter of the publication speaks of the decoded row; no trigger can ask it.
        where member.prqual is null
        -- A notification is heard by every login: what nobody named stays untold where it is no project's.
        and not (p.puballtables and n.nspname in
            ('auth', 'realtime', 'vault', 'minato', 'cron', 'net', 'supabase_migrations'))
    ), wanted as (
        select p.relid, '0_minato_change' || case when bool_or(p.root) then '_' || p.relid else '' end as name,
            concat_ws(' or ',
                case when bool_or(p.pubinsert) then 'insert' end,
                case when bool_or(p.pubupdate) then 'update' end,
                case when bool_or(p.pubdelete) then 'delete' end) as events,
            case when bool_or(p.root) or bool_or(p.names_columns) then
                array[case when bool_or(p.root) then 'root' else '' end]
                || coalesce(array_agg(p.pubname::text order by p.pubname) filter (where p.names_columns), '{}')
            else '{}' end as arguments
        from published p
        where (p.pubinsert or p.pubupdate or p.pubdelete)
        -- A partition of a table that is published, too, has that one's trigger.
        and not exists (
            select from published whole where whole.root and whole.relid <> p.relid
            and whole.relid in (select pg_catalog.pg_partition_ancestors(p.relid)))
        group by p.relid
    ), present as (
        select t.tgrelid as relid, t.tgname::text as name, concat_ws(' or ',
            case when t.tgtype & 4 <> 0 then 'insert' end,
            case when t.tgtype & 16 <> 0 then 'update' end,
            case when t.tgtype & 8 <> 0 then 'delete' end) as events,
            -- Each argument ends with a zero byte.
            array(
                select convert_from(decode(part, 'escape'), getdatabaseencoding())
                from unnest(string_to_array(encode(t.tgargs, 'escape'), '\000')) with ordinality as parts(part, n)
                where n <= t.tgnargs order by n) as arguments,
            t.tgenabled = 'A' as always
        from pg_catalog.pg_trigger t where t.tgname like '0\_minato\_change%' and t.tgparentid = 0
    )
    select relid, name::name, wanted.events, wanted.arguments, present.relid is not null
    from wanted full join present using (relid, name)
    where (wanted.events, wanted.arguments, true) is distinct from (present.events, present.arguments, present.always)
    -- A partition loses its own trigger before it gets that of its root.
    order by wanted.events is not null, relid, name
$$;
comment on function minato.change_trigger_differences() is
    'The change triggers that are missing, wrong or too many; events is null where one has to go.';
revoke all on function minato.change_trigger_differences() from public;

create function minato.sync_change_triggers_of(table_oid oid) returns void
language plpgsql security definer set search_path = '' as $$
declare
    difference record;
    table_name text := (select oid::regclass from pg_catalog.pg_class where oid = table_oid);
    too_many boolean := exists (
        select from minato.change_trigger_differences() where relid = table_oid and events is null);
begin
    if table_name is null then
        return;
    end if;
    -- `watch_publications` need not look at what is done here.
    perform set_config('minato.syncing_change_triggers', 'on', true);
    -- Whoever does the same at this moment is waited for, and what is left to do looked at anew.
    execute format('lock table only %s in %s mode', table_name,
        case when too_many then 'access exclusive' else 'share row exclusive' end);
    for difference in select * from minato.change_trigger_differences() where relid = table_oid loop
        if difference.events is null then
            execute format('drop trigger %I on %s', difference.name, table_name);
        else
            execute format('create or replace trigger %I after %s on %s for each row execute function minato.tell_change(%s)',
                difference.name, difference.events, table_name,
                (select string_agg(quote_literal(argument), ', ') from unnest(difference.arguments) as argument));
            -- The log has what is written with session_replication_role = replica, too.
            execute format('alter table %s enable always trigger %I', table_name, difference.name);
        end if;
    end loop;
    perform set_config('minato.syncing_change_triggers', 'off', true);
end
$$;
comment on function minato.sync_change_triggers_of(oid) is
    'Gives one table the change trigger it should have, and takes from it the others.';
revoke all on function minato.sync_change_triggers_of(oid) from public;

create function minato.tables_without_change_triggers() returns setof text
language sql stable security definer set search_path = '' as $$
    select n.nspname || '.' || c.relname from minato.trigger_publications followed
    join pg_catalog.pg_publication p on p.pubname = followed.name
    cross join minato.published_tables(p.pubname) as told(oid)
    join pg_catalog.pg_publication_rel r on r.prpubid = p.oid and r.prrelid = told.oid and r.prqual is not null
    join pg_catalog.pg_class c on c.oid = told.oid
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
$$;
comment on function minato.tables_without_change_triggers() is
    'Tables that triggers can''t follow, because a publication filters their rows.';
revoke all on function minato.tables_without_change_triggers() from public;

create or replace function minato.sync_change_triggers() returns setof text
language plpgsql security definer set search_path = '' as $$
declare
    differing oid;
begin
    for differing in select relid from minato.change_trigger_differences() loop
        perform minato.sync_change_triggers_of(differing);
    end loop;
    return query select minato.tables_without_change_triggers();
end
$$;

create function minato.name_trigger_publications(publications text[]) returns void
language sql security definer set search_path = '' as $$
    delete from minato.trigger_publications where name <> all (publications);
    insert into minato.trigger_publications select unnest(publications) on conflict do nothing;
$$;
comment on function minato.name_trigger_publications(text[]) is
    'Which publications'' changes triggers should tell; the triggers themselves are synced table by table.';
revoke all on function minato.name_trigger_publications(text[]) from public;

-- As in 0135, but for what a sync does itself.
create or replace function minato.watch_publications() returns event_trigger
language plpgsql security definer set search_path = '' as $$
declare
    tries int := 0;
begin
    while current_setting('minato.syncing_change_triggers', true) is distinct from 'on'
        and exists (select from minato.trigger_publications)
    loop
        begin
            perform minato.sync_change_triggers();
            return;
        exception
            when deadlock_detected then
                tries := tries + 1;
                if tries = 5 then
                    raise warning 'change triggers are out of date: %', sqlerrm;
                    return;
                end if;
            when others then
                raise warning 'change triggers are out of date: %', sqlerrm;
                return;
        end;
    end loop;
end
$$;

-- As before, but for columns: those that a followed publication leaves out are not told, whatever others say of them,
-- and those of a partition are looked up by their names in the root's list. Nothing is called in a schema that who
-- writes may not use.
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
                   a.attgenerated = '' and not exists (
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
