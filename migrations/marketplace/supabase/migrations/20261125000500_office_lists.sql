-- The lists of the back office are searched, ordered and paged by one function, of the entries of each.

create function private.tabs_of(of text, variadic tabs text[]) returns jsonb
language sql immutable set search_path = '' as $$
    select jsonb_object_agg(tab, format('e.%I = %L', of, tab)) from unnest(tabs) as tab
$$;
comment on function private.tabs_of(text, text[]) is 'Tabs that are the values of a column, each with its condition.';

-- `e` is the entry. An importer who was active is shown as inactive after 90 days, which no column can tell.
create function private.office_list(name text, out entries text, out orders text[], out tabs jsonb)
language sql immutable set search_path = '' as $sql$
    select l.entries, l.orders::text[], l.tabs from (values
        ('agents', 'agent_entries', '{agent,place,submitted,payment,rating,joined,status}',
            private.tabs_of('status', 'verified', 'pending', 'payment_pending', 'suspended', 'unverified')),
        ('importers', 'importer_entries', '{importer,place,account,requests,success,spent,joined,status}',
            private.tabs_of('account', 'standard', 'premium', 'business') || jsonb_build_object(
                'active', $$e.standing = 'active' and e.seen >= now() - interval '90 days'$$,
                'inactive', $$(e.standing = 'inactive' or e.standing = 'active' and e.seen < now() - interval '90 days')$$,
                'suspended', $$e.standing = 'suspended'$$)),
        ('requests', 'request_entries', '{car,importer,posted,budget,agent,priority,progress,status}',
            private.tabs_of('status', 'pending_approval', 'in_progress', 'pending_agent', 'disputed', 'completed', 'cancelled')),
        ('tickets', 'ticket_entries', '{subject,from,category,priority,opened,status}',
            private.tabs_of('status', 'open', 'in_progress', 'waiting_response', 'escalated', 'resolved')
                || '{"disputes": "e.is_disputed"}'),
        ('conversations', 'conversation_entries', '{participants,messages,unread,last,report}',
            '{"reported": "e.report is not null"}'),
        ('mails', 'mail_entries', '{to,subject,queued,tried,attempts,status}',
            private.tabs_of('status', 'stopped', 'waiting', 'given_up')),
        ('audit', 'audit_entries', '{when}',
            private.tabs_of('kind', 'agent', 'member', 'request', 'ticket', 'report', 'mail', 'setting'))
    ) as l (name, entries, orders, tabs)
    where l.name = office_list.name
$sql$;
comment on function private.office_list(text) is 'A list of the back office: its entries, what it is ordered by, and its tabs with their conditions.';

create type private.office_search as (
    list text, entries text, sort text, expression text, type text, is_descending boolean, base text, condition text, words text,
    people uuid[], who uuid, from_day date, to_day date, page_size integer, skip integer, place_value text, place_id text);
comment on type private.office_search is 'What a list is asked, checked. `expression`, `base` and `condition` are parts of a statement.';

create function private.office_cursor(sort text, value text, id text) returns text
language sql immutable set search_path = '' as $$
    select translate(encode(convert_to(jsonb_build_array(sort, value, id)::text, 'UTF8'), 'base64'), E'+/=\n', '-_')
$$;
comment on function private.office_cursor(text, text, text) is 'The place behind an entry in an order, as text nobody has to read.';

create function private.read_place(said text, sort text, type text, out value text, out id text)
language plpgsql stable set search_path = '' as $$
declare
    parts jsonb;
begin
    if coalesce(said, '') = '' then
        return;
    end if;
    said := translate(said, '-_', '+/');
    parts := convert_from(decode(rpad(said, (length(said) + 3) / 4 * 4, '='), 'base64'), 'UTF8')::jsonb;
    if parts ->> 0 is distinct from sort or jsonb_array_length(parts) <> 3 or parts ->> 2 is null then
        perform private.refuse_search('cursor');
    end if;
    execute format('select $1::%s::text', type) into value using parts ->> 1;
    id := parts ->> 2;
exception when data_exception then
    perform private.refuse_search('cursor');
end
$$;
comment on function private.read_place(text, text, text) is 'Where a page begins; a cursor of another list or order is refused.';

-- The values come from $1, an office_search.
create function private.read_office_search(list text, p jsonb) returns private.office_search
language plpgsql stable security definer set search_path = '' as $body$
declare
    s private.office_search;
    known record;
    column_name text;
begin
    select * into known from private.office_list(list);
    if known.entries is null then
        perform private.refuse_search('list');
    elsif p ->> 'order' <> all (known.orders) then
        raise exception 'A list can''t be ordered by "%"', left(p ->> 'order', 40) using errcode = '22023';
    end if;
    s.list := list; s.entries := known.entries;
    s.is_descending := p ->> 'order' is not null and coalesce((p ->> 'descending')::boolean, false);
    column_name := coalesce(p ->> 'order', 'own');
    s.sort := concat_ws(' ', list, column_name, case when s.is_descending then 'desc' end);
    s.expression := format('e.%I', column_name);
    s.type := (select a.atttypid::regtype from pg_catalog.pg_attribute a
        where a.attrelid = ('private.' || s.entries)::regclass and a.attname = column_name);
    select c.value, c.id into s.place_value, s.place_id
    from private.read_place(coalesce(p ->> 'after', p ->> 'until'), s.sort, s.type) c;
    s.page_size := least(greatest(coalesce((p ->> 'limit')::integer, 25), 0), 1000);
    s.skip := greatest(coalesce((p ->> 'offset')::integer, 0), 0);
    s.words := '%' || replace(replace(replace(lower(nullif(p ->> 'search', '')), '\', '\\'), '%', '\%'), '_', '\_') || '%';
    -- A conversation is found by its two sides, of whom each has a key there.
    if list = 'conversations' and s.words is not null then
        s.people := array(select user_id from public.profiles where lower(full_name) like s.words);
    end if;
    s.who := (p ->> 'who')::uuid; s.from_day := (p ->> 'from')::date; s.to_day := (p ->> 'to')::date;
    s.base := concat_ws(' and ', 'true', case when s.who is not null then 'e.admin_id = ($1).who' end,
        case when s.from_day is not null then 'e.at >= ($1).from_day' end,
        case when s.to_day is not null then 'e.at < ($1).to_day + 1' end);
    s.condition := concat_ws(' and ', s.base, case when s.people is not null
            then '(e.one = any (($1).people) or e.other = any (($1).people))'
            when s.words is not null then 'e.words like ($1).words' end,
        case when coalesce(p ->> 'status', '') not in ('', 'all') then coalesce(known.tabs ->> (p ->> 'status'), 'false') end);
    return s;
end
$body$;
comment on function private.read_office_search(text, jsonb) is 'What a list is asked, checked; what cannot be read is refused with 22023.';

-- Those with a value and those without, which stand last in both directions, are two parts: an index gives either in
-- order from the place on.
create function private.office_ids(s private.office_search, out ids text[], out next text)
language plpgsql stable security definer set search_path = '' as $body$
declare
    direction constant text := case when s.is_descending then 'desc' else 'asc' end;
    sign constant text := case when s.is_descending then '<' else '>' end;
    part constant text := format($$(select e.id, %1$s as key from private.%2$s e where %3$s and %1$s is %%s and %%s
        order by %%s e.id %4$s limit %5$s)$$, s.expression, s.entries, s.condition, direction, s.page_size + s.skip + 1);
    with_value constant text := case when s.place_id is null then 'true' when s.place_value is null then 'false'
        else format('(%s, e.id) %s (($1).place_value::%s, ($1).place_id)', s.expression, sign, s.type) end;
    without constant text := case when s.place_value is null and s.place_id is not null
        then format('e.id %s ($1).place_id', sign) else 'true' end;
    last_value text;
    last_id text;
begin
    execute format($sql$
        with page as (
            select u.id, u.key, row_number() over (order by u.key is null, u.key %1$s, u.id %1$s) - %4$s as place
            from (%2$s union all %3$s) u)
        select coalesce(array_agg(id order by place) filter (where place between 1 and %5$s), '{}'),
            max(id) filter (where place = %5$s and exists (select from page where place > %5$s)),
            max(key::text) filter (where place = %5$s)
        from page where place between 1 and %5$s + 1$sql$, direction,
        format(part, 'not null', with_value, format('%s %s,', s.expression, direction)), format(part, 'null', without, ''),
        s.skip, s.page_size)
    into ids, last_id, last_value using s;
    next := case when last_id is not null then private.office_cursor(s.sort, last_value, last_id) end;
end
$body$;
comment on function private.office_ids(private.office_search) is 'A page in order: its entries, and what the next one begins after.';

create function private.up_to_place(s private.office_search) returns text
language sql immutable set search_path = '' as $$
    select case when s.place_id is null then 'true'
        when s.place_value is null then format('(%s is not null or e.id %s ($1).place_id)', s.expression, sign)
        else format('(%s, e.id) %s (($1).place_value::%s, ($1).place_id)', s.expression, sign, s.type) end
    from (select case when s.is_descending then '>=' else '<=' end as sign) way
$$;
comment on function private.up_to_place(private.office_search) is 'The condition of the entries up to the place of a search.';

-- Of all, each tab is counted by the smallest index that holds it; of some, all tabs in one pass.
create function private.office_counts(s private.office_search) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
    narrowed constant text := concat_ws(' and ', s.base,
        case when s.list = 'audit' and s.words is not null then 'e.words like ($1).words' end);
    tabs constant jsonb := '{"all": "true"}'::jsonb || (private.office_list(s.list)).tabs;
    counted jsonb;
begin
    execute (
        select case when narrowed = 'true'
            then format('select jsonb_build_object(%s)', string_agg(
                format('%L, (select count(*) from private.%s e where %s)', t.key, s.entries, t.value), ', '))
            else format('select jsonb_build_object(%s) from private.%s e where %s', string_agg(
                format('%L, count(*) filter (where %s)', t.key, t.value), ', '), s.entries, narrowed) end
        from jsonb_each_text(tabs) t) into counted using s;
    return counted;
end
$$;
comment on function private.office_counts(private.office_search) is
    'How many there are in each tab over everybody; of the record, over what else is asked.';

create function private.office_total(s private.office_search, counts jsonb, tab text) returns bigint
language plpgsql stable security definer set search_path = '' as $$
declare
    total bigint;
begin
    if s.words is null or s.list = 'audit' then
        return coalesce((counts ->> coalesce(nullif(tab, ''), 'all'))::bigint, 0);
    end if;
    execute format('select count(*) from private.%s e where %s', s.entries, s.condition) into total using s;
    return total;
end
$$;
comment on function private.office_total(private.office_search, jsonb, text) is 'How many were found: of a tab without a search as it was counted.';

-- Lists show less than an opened entry: the longest texts are read with that alone.
create function private.office_rows(list text, ids text[], is_brief boolean default false) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
    return coalesce(case list
        when 'agents' then (select jsonb_agg(case when is_brief and r.submission is not null then to_jsonb(r)
                || jsonb_build_object('submission', jsonb_build_object('submitted_at', r.submission -> 'submitted_at',
                    'payment_status', r.submission -> 'payment_status', 'amount_pkr', r.submission -> 'amount_pkr'))
            else to_jsonb(r) end) from private.agents_for_admin(ids) r)
        when 'importers' then (select jsonb_agg(to_jsonb(r)) from private.importers_for_admin(ids) r)
        when 'requests' then (select jsonb_agg(to_jsonb(r)
            - case when is_brief then '{description,dispute_reason,evidence,notes}'::text[] else '{}' end)
            from private.requests_for_admin(ids) r)
        when 'tickets' then (select jsonb_agg(to_jsonb(r)
            - case when is_brief then '{body,messages,evidence}'::text[] else '{}' end) from private.tickets_for_admin(ids) r)
        when 'conversations' then (select jsonb_agg(to_jsonb(r)) from private.conversations_for_admin(ids) r)
        when 'mails' then (select jsonb_agg(to_jsonb(r)) from private.mails_for_admin(ids) r)
        when 'audit' then (select jsonb_agg(to_jsonb(r)) from private.records_for_admin(ids) r)
    end, '[]');
end
$$;
comment on function private.office_rows(text, text[], boolean) is 'The rows of these entries; brief ones without what only an opened entry shows.';

-- p: search, status, limit, offset, order, descending, after, id, brief; of the record also who, from and to
create function private.office_page(list text, p jsonb) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
    s private.office_search;
    page record;
    counts jsonb;
begin
    perform private.require_admin();
    s := private.read_office_search(list, p);
    if p ->> 'id' is not null then
        execute format('select array(select id from private.%I where id = $1) as ids', s.entries) into page using p ->> 'id';
        return jsonb_build_object('total', cardinality(page.ids), 'next', null, 'rows', private.office_rows(list, page.ids));
    end if;
    page := private.office_ids(s);
    counts := private.office_counts(s);
    return jsonb_build_object('counts', counts, 'next', page.next,
        'total', private.office_total(s, counts, p ->> 'status'),
        'rows', private.office_rows(list, page.ids, (p ->> 'brief')::boolean));
end
$$;
comment on function private.office_page(text, jsonb) is
    'A page of a list of the back office: how many there are in each tab and were found, the rows, what the next page begins after.';

-- How long ago, not when: clocks of browsers go as they like.
create function public.admin_changes(p_list text, p jsonb, p_seconds integer, p_shown text[] default '{}') returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
    s private.office_search;
    changed text[];
    gone text[];
    counts jsonb;
begin
    perform private.require_admin();
    if cardinality(p_shown) > 1000 then
        perform private.refuse_search('shown');
    end if;
    s := private.read_office_search(p_list, p - '{after,id,limit,offset}'::text[]);
    -- Ten seconds more: what is written in a transaction is seen when that ends.
    execute format($sql$
        select array(select e.id from private.%1$s e
                where e.changed_at >= now() - $2 and %2$s and (e.id = any ($3) or %3$s)
                order by e.changed_at desc, e.id limit 61),
            array(select shown from unnest($3) as shown
                where not exists (select from private.%1$s e where e.id = shown and %2$s))$sql$,
        s.entries, s.condition, private.up_to_place(s))
    into changed, gone using s, make_interval(secs => greatest(coalesce(p_seconds, 0), 0) + 10.0), coalesce(p_shown, '{}');
    counts := private.office_counts(s);
    return jsonb_build_object('rows', private.office_rows(p_list, changed[:60], true), 'gone', to_jsonb(gone),
        'is_more', cardinality(changed) > 60, 'counts', counts,
        'total', private.office_total(s, counts, p ->> 'status'));
end
$$;
comment on function public.admin_changes(text, jsonb, integer, text[]) is
    'What a list of the back office missed in the last seconds: rows that changed, are in its tab and shown or stand before `until`; which of those shown are gone; the counts now. is_more: too much, read the list again.';
revoke execute on all functions in schema private from public;
revoke execute on function public.admin_changes(text, jsonb, integer, text[]) from public, anon;
