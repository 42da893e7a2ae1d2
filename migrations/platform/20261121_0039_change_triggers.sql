-- Where the server may not decode its log (wal_level, no REPLICATION right), the tables of the publications get a trigger
-- that tells of each row by NOTIFY: in commit order, and only once committed. Elsewhere nothing of this is in use.

create table minato.trigger_publications (
    name text primary key
);
comment on table minato.trigger_publications is
    'The publications whose tables carry change triggers; empty while changes come from logical decoding.';
revoke all on minato.trigger_publications from public;

-- A notification holds less than 8,000 bytes, so a message is sent in numbered pieces of base64; its label keeps two
-- equal messages of a transaction from being sent as one. Values are written as the server writes them everywhere, whatever
-- the session that makes the change prefers.
create function minato.tell_change() returns trigger language plpgsql
set search_path = '' set datestyle = 'ISO' set intervalstyle = 'postgres' set extra_float_digits = 1
set bytea_output = 'hex' set timezone = 'UTC' as $$
declare
    told oid := case when tg_nargs = 1 then pg_catalog.pg_partition_root(tg_relid) else tg_relid end;
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
                       where r.prrelid = tg_relid and r.prattrs is not null and a.attnum <> all (r.prattrs)))
                   order by a.attnum) as columns
        from pg_catalog.pg_class c
        join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        left join pg_catalog.pg_index i on i.indrelid = c.oid
            and case c.relreplident when 'd' then i.indisprimary when 'i' then i.indisreplident else false end
        where c.oid = tg_relid) as facts
    where t.oid = told;
    if size > max_size then
        message := (message::jsonb || jsonb_build_object(
            'short_new', minato.short_values(case when tg_op <> 'DELETE' then to_jsonb(new) end),
            'short_old', minato.short_values(case when tg_op <> 'INSERT' then to_jsonb(old) end)))::json;
    end if;
    encoded := translate(encode(convert_to(message::text, 'UTF8'), 'base64'), E'\n', '');
    pieces := (length(encoded) + max_piece - 1) / max_piece;
    perform pg_notify('minato_changes',
        label || ':' || piece || ':' || pieces || ':' || substr(encoded, piece * max_piece + 1, max_piece))
    from generate_series(0, pieces - 1) as piece;
    return null;
end
$$;
comment on function minato.tell_change() is 'Tells of a changed row when its transaction commits.';

create function minato.short_values(row_values jsonb) returns jsonb language sql immutable set search_path = '' as $$
    select jsonb_object_agg(field.key, field.value #>> '{}')
    from jsonb_each(row_values) as field
    where jsonb_typeof(field.value) not in ('array', 'object') and octet_length(field.value::text) <= 64
$$;
comment on function minato.short_values(jsonb) is 'The short scalar values of a row, as text: what subscribers get of rows too large to send.';

-- The name sorts before those of other triggers, so that changes these make are told of later.
create function minato.sync_change_triggers() returns setof text
language plpgsql security definer set search_path = '' as $$
declare
    difference record;
begin
    perform pg_advisory_xact_lock(hashtext('minato.change_triggers'));
    for difference in
        with published as (
            select c.oid as relid, p.pubinsert, p.pubupdate, p.pubdelete, p.pubviaroot and c.relkind = 'p' as root
            from minato.trigger_publications followed
            join pg_catalog.pg_publication p on p.pubname = followed.name
            join pg_catalog.pg_publication_tables pt on pt.pubname = p.pubname and pt.rowfilter is null
            join pg_catalog.pg_namespace n on n.nspname = pt.schemaname
            join pg_catalog.pg_class c on c.relnamespace = n.oid and c.relname = pt.tablename
        ), wanted as (
            select relid, concat_ws(' or ',
                case when bool_or(pubinsert) then 'insert' end,
                case when bool_or(pubupdate) then 'update' end,
                case when bool_or(pubdelete) then 'delete' end) as events, bool_or(root) as root
            from published where pubinsert or pubupdate or pubdelete group by relid
        ), present as (
            select tgrelid as relid, concat_ws(' or ',
                case when tgtype & 4 <> 0 then 'insert' end,
                case when tgtype & 16 <> 0 then 'update' end,
                case when tgtype & 8 <> 0 then 'delete' end) as events, tgnargs = 1 as root
            from pg_catalog.pg_trigger where tgname = '0_minato_change' and tgparentid = 0
        )
        select relid::regclass as name, wanted.events, wanted.root, present.events is not null as has_trigger
        from wanted full join present using (relid)
        where (wanted.events, wanted.root) is distinct from (present.events, present.root)
        -- A partition loses its own trigger before it gets that of its root.
        order by present.events is null
    loop
        if difference.has_trigger then
            execute format('drop trigger "0_minato_change" on %s', difference.name);
        end if;
        if difference.events is not null then
            execute format('create trigger "0_minato_change" after %s on %s for each row execute function minato.tell_change(%s)',
                difference.events, difference.name, case when difference.root then '''root''' end);
        end if;
    end loop;
    -- A filter of the publication speaks of the decoded row; no trigger can ask it.
    return query
        select pt.schemaname || '.' || pt.tablename from minato.trigger_publications followed
        join pg_catalog.pg_publication_tables pt on pt.pubname = followed.name and pt.rowfilter is not null;
end
$$;
comment on function minato.sync_change_triggers() is
    'Gives the followed publications'' tables their triggers and takes them from all others; names the tables it can''t follow.';
revoke all on function minato.sync_change_triggers() from public;

create function minato.follow_by_triggers(publications text[]) returns setof text
language plpgsql security definer set search_path = '' as $$
begin
    delete from minato.trigger_publications where name <> all (publications);
    insert into minato.trigger_publications select unnest(publications) on conflict do nothing;
    return query select minato.sync_change_triggers();
end
$$;
comment on function minato.follow_by_triggers(text[]) is
    'Lets triggers tell of the changes of these publications'' tables, and of no others; none removes every trigger.';
revoke all on function minato.follow_by_triggers(text[]) from public;

create function minato.watch_publications() returns event_trigger
language plpgsql security definer set search_path = '' as $$
begin
    if exists (select from minato.trigger_publications) then
        perform minato.sync_change_triggers();
    end if;
exception when others then
    raise warning 'change triggers are out of date: %', sqlerrm;
end
$$;
comment on function minato.watch_publications() is 'Gives a table its change trigger in the moment it is published.';

select minato.attempt($$
    create event trigger minato_watch_publications on ddl_command_end
        when tag in (
            'CREATE PUBLICATION', 'ALTER PUBLICATION', 'DROP PUBLICATION',
            'CREATE TABLE', 'CREATE TABLE AS', 'ALTER TABLE')
        execute function minato.watch_publications()
$$);
