-- The back office's lists are ordered by any column over all rows, and a page goes on after the one before.

-- Lists answer {total, counts, rows, next}: `counts` are the tabs', over everybody; `total` and `rows` obey search and
-- status. p_order names a column, null the list's own order. A page begins after `next` of the one before (p_after), so
-- that it reads new rows alone whatever came or went meanwhile. p_id asks for one row, in whatever tab it is.

drop function public.admin_agents(text, text, integer, integer);
drop function public.admin_importers(text, text, integer, integer);
drop function public.admin_requests(text, text, integer, integer);
drop function public.admin_tickets(text, text, integer, integer);
drop function public.admin_conversations(text, integer, integer);
drop function private.page_of(jsonb, text, integer, integer);

create type private.list_entry as (id text, tabs text[], figure numeric, word text);
comment on type private.list_entry is 'A row of a list: its tabs, and what it is ordered by. Nothing of both stands last.';

create function private.list_page(
    entries private.list_entry[], wanted text, descending boolean, max_rows integer, skip integer, after text,
    out total bigint, out ids text[], out next text
)
language sql immutable set search_path = '' as $$
    with kept as (
        select id, figure is null and word is null as is_blank,
            coalesce(figure, 0) * case when descending then -1 else 1 end as figure,
            coalesce(lower(normalize(word, nfd)), '') as word
        from unnest(entries)
        where coalesce(wanted, '') in ('', 'all') or wanted = any (tabs)
    ), rest as (
        select kept.* from kept
        left join lateral jsonb_to_record(nullif(after, '')::jsonb) as a (is_blank boolean, figure numeric, word text, id text)
            on true
        where a.id is null or (kept.is_blank, kept.figure) > (a.is_blank, a.figure)
            or (kept.is_blank, kept.figure) = (a.is_blank, a.figure)
                and (case when descending then kept.word < a.word else kept.word > a.word end
                    or kept.word = a.word and kept.id > a.id)
    ), page as (
        select *, row_number() over (order by is_blank, figure, case when not descending then word end,
            case when descending then word end desc, id) as position
        from rest
        order by position
        limit least(greatest(coalesce(max_rows, 25), 0), 1000) offset greatest(coalesce(skip, 0), 0)
    )
    select (select count(*) from kept),
        coalesce((select array_agg(id order by position) from page), '{}'),
        (select to_jsonb(last) - 'position' from page last
            where position = (select max(position) from page) and position < (select count(*) from rest))::text
$$;
comment on function private.list_page(private.list_entry[], text, boolean, integer, integer, text) is
    'One page of a tab in order: how many rows the tab has, the ids of the page, and what the next page begins after.';

create function private.require_order(wanted text, variadic known text[]) returns void
language plpgsql immutable set search_path = '' as $$
begin
    if wanted is not null and wanted <> all (known) then
        raise exception 'A list can''t be ordered by "%"', wanted using errcode = '22023';
    end if;
end
$$;
comment on function private.require_order(text, text[]) is 'A list is ordered by columns it has.';

create function private.priority_rank(priority text) returns integer
language sql immutable set search_path = '' as $$
    select array_position(array['urgent', 'high', 'medium', 'low'], priority)
$$;
comment on function private.priority_rank(text) is 'The most urgent first.';

create function public.admin_agents(
    p_search text default null, p_status text default null, p_limit integer default 25, p_offset integer default 0,
    p_order text default null, p_descending boolean default false, p_after text default null, p_id text default null
) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
    answer jsonb;
begin
    perform private.require_admin();
    perform private.require_order(p_order, 'agent', 'place', 'submitted', 'payment', 'rating', 'joined', 'status');
    with everybody as materialized (
        select a.*, (submission ->> 'submitted_at')::timestamptz as submitted_at from private.agents_for_admin() a
    ), entries as (
        select array_agg((user_id::text, array[status],
            case p_order when 'submitted' then extract(epoch from submitted_at)
                when 'rating' then case when reviews_count > 0 then rating end
                when 'joined' then extract(epoch from created_at)
                when 'payment' then array_position(array['none', 'claimed', 'waived', 'received'], submission ->> 'payment_status')
                else case when p_order is null then -extract(epoch from coalesce(submitted_at, created_at)) end end,
            case p_order when 'agent' then coalesce(nullif(full_name, ''), email) when 'place' then nullif(city, '')
                when 'status' then status end)::private.list_entry)
            filter (where case when p_id is null
                then private.matches(p_search, full_name, company_name, city, country, email)
                else user_id::text = p_id end) as list
        from everybody
    )
    select jsonb_build_object(
        'counts', (select jsonb_build_object('all', count(*), 'verified', count(*) filter (where status = 'verified'),
            'pending', count(*) filter (where status = 'pending'),
            'payment_pending', count(*) filter (where status = 'payment_pending'),
            'suspended', count(*) filter (where status = 'suspended'),
            'unverified', count(*) filter (where status = 'unverified')) from everybody),
        'total', page.total, 'next', page.next,
        'rows', (select coalesce(jsonb_agg(to_jsonb(e) - 'submitted_at' order by array_position(page.ids, user_id::text)), '[]')
            from everybody e where user_id::text = any (page.ids)))
    into answer
    from entries, private.list_page(list, case when p_id is null then p_status end, p_order is not null and p_descending,
        p_limit, p_offset, p_after) page;
    return answer;
end
$$;
comment on function public.admin_agents(text, text, integer, integer, text, boolean, text, text) is
    'Agents for the back office, the newest submission first unless p_order names a column.';

create function public.admin_importers(
    p_search text default null, p_status text default null, p_limit integer default 25, p_offset integer default 0,
    p_order text default null, p_descending boolean default false, p_after text default null, p_id text default null
) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
    answer jsonb;
begin
    perform private.require_admin();
    perform private.require_order(p_order, 'importer', 'place', 'account', 'requests', 'success', 'spent', 'joined', 'status');
    with everybody as materialized (select * from private.importers_for_admin()), entries as (
        select array_agg((user_id::text, array[status, account_type],
            case p_order when 'requests' then requests
                when 'success' then case when requests > 0 then success_rate end
                when 'spent' then spent
                when 'joined' then extract(epoch from created_at)
                -- the biggest spenders first, then the newest: no sum comes near the factor
                else case when p_order is null then -(spent * 10000000000 + extract(epoch from created_at)) end end,
            case p_order when 'importer' then coalesce(nullif(full_name, ''), email) when 'place' then nullif(city, '')
                when 'account' then account_type when 'status' then status end)::private.list_entry)
            filter (where case when p_id is null
                then private.matches(p_search, full_name, company_name, city, country, email)
                else user_id::text = p_id end) as list
        from everybody
    )
    select jsonb_build_object(
        'counts', (select jsonb_build_object('all', count(*), 'active', count(*) filter (where status = 'active'),
            'inactive', count(*) filter (where status = 'inactive'),
            'suspended', count(*) filter (where status = 'suspended'),
            'standard', count(*) filter (where account_type = 'standard'),
            'premium', count(*) filter (where account_type = 'premium'),
            'business', count(*) filter (where account_type = 'business')) from everybody),
        'total', page.total, 'next', page.next,
        'rows', (select coalesce(jsonb_agg(to_jsonb(e) order by array_position(page.ids, user_id::text)), '[]')
            from everybody e where user_id::text = any (page.ids)))
    into answer
    from entries, private.list_page(list, case when p_id is null then p_status end, p_order is not null and p_descending,
        p_limit, p_offset, p_after) page;
    return answer;
end
$$;
comment on function public.admin_importers(text, text, integer, integer, text, boolean, text, text) is
    'Importers for the back office, the biggest spenders first unless p_order names a column.';

-- tabs: Approval, Progress, No Agent, Disputed, Completed are the case's statuses; only the page's rows become JSON
create function public.admin_requests(
    p_search text default null, p_status text default null, p_limit integer default 25, p_offset integer default 0,
    p_order text default null, p_descending boolean default false, p_after text default null, p_id text default null
) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
    answer jsonb;
begin
    perform private.require_admin();
    perform private.require_order(p_order, 'car', 'importer', 'posted', 'budget', 'agent', 'priority', 'progress', 'status');
    with entries as (
        select array_agg((c.request_id::text, array[c.status],
            case p_order when 'posted' then extract(epoch from r.created_at)
                when 'budget' then coalesce(r.budget_max, r.budget_min)
                when 'priority' then private.priority_rank(c.priority)
                when 'progress' then c.progress
                -- what waits for a decision first, then the newest: no moment comes near the factor
                else case when p_order is null then coalesce(array_position(
                    array['disputed', 'pending_approval', 'pending_agent', 'in_progress'], c.status), 9) * 100000000000
                    - extract(epoch from r.created_at) end end,
            case p_order when 'car' then r.car_make || ' ' || r.car_model when 'importer' then nullif(p.full_name, '')
                when 'agent' then a.full_name when 'status' then c.status end)::private.list_entry) as list
        from public.request_cases c
        join public.car_requests r on r.id = c.request_id
        join public.profiles p on p.user_id = r.importer_id
        left join public.profiles a on a.user_id = c.assigned_agent_id
        where case when p_id is null
            then private.matches(p_search, r.car_make, r.car_model, p.full_name, p.country, a.full_name)
            else c.request_id::text = p_id end
    )
    select jsonb_build_object(
        'counts', (select jsonb_build_object('all', count(*),
            'pending_approval', count(*) filter (where status = 'pending_approval'),
            'in_progress', count(*) filter (where status = 'in_progress'),
            'pending_agent', count(*) filter (where status = 'pending_agent'),
            'disputed', count(*) filter (where status = 'disputed'),
            'completed', count(*) filter (where status = 'completed'),
            'cancelled', count(*) filter (where status = 'cancelled')) from public.request_cases),
        'total', page.total, 'next', page.next,
        'rows', (select coalesce(jsonb_agg(private.request_for_admin(id::uuid) order by position), '[]')
            from unnest(page.ids) with ordinality as shown (id, position)))
    into answer
    from entries, private.list_page(list, case when p_id is null then p_status end, p_order is not null and p_descending,
        p_limit, p_offset, p_after) page;
    return answer;
end
$$;
comment on function public.admin_requests(text, text, integer, integer, text, boolean, text, text) is
    'Requests for the back office, those waiting for a decision first unless p_order names a column.';

create function public.admin_tickets(
    p_search text default null, p_status text default null, p_limit integer default 25, p_offset integer default 0,
    p_order text default null, p_descending boolean default false, p_after text default null, p_id text default null
) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
    answer jsonb;
begin
    perform private.require_admin();
    perform private.require_order(p_order, 'subject', 'from', 'category', 'priority', 'opened', 'status');
    with everything as materialized (select * from private.tickets_for_admin()), entries as (
        select array_agg((id::text, array[status],
            case p_order when 'opened' then extract(epoch from created_at)
                when 'priority' then private.priority_rank(priority)
                -- the unresolved first, then the newest
                else case when p_order is null
                    then (status = 'resolved')::integer * 100000000000 - extract(epoch from created_at) end end,
            case p_order when 'subject' then subject when 'from' then nullif(full_name, '')
                when 'category' then nullif(category, '') when 'status' then status end)::private.list_entry)
            filter (where case when p_id is null
                then private.matches(p_search, subject, body, full_name, category, array_to_string(tags, ' '))
                else id::text = p_id end) as list
        from everything
    )
    select jsonb_build_object(
        'counts', (select jsonb_build_object('all', count(*), 'open', count(*) filter (where status = 'open'),
            'in_progress', count(*) filter (where status = 'in_progress'),
            'waiting_response', count(*) filter (where status = 'waiting_response'),
            'escalated', count(*) filter (where status = 'escalated'),
            'resolved', count(*) filter (where status = 'resolved')) from everything),
        'total', page.total, 'next', page.next,
        'rows', (select coalesce(jsonb_agg(to_jsonb(e) order by array_position(page.ids, id::text)), '[]')
            from everything e where id::text = any (page.ids)))
    into answer
    from entries, private.list_page(list, case when p_id is null then p_status end, p_order is not null and p_descending,
        p_limit, p_offset, p_after) page;
    return answer;
end
$$;
comment on function public.admin_tickets(text, text, integer, integer, text, boolean, text, text) is
    'Support tickets, the unresolved first unless p_order names a column.';

create function private.conversations_for_admin() returns table (
    id text, participants jsonb, names text, messages bigint, unread bigint, started_at timestamptz, last_at timestamptz,
    report_id uuid, report_reason text, report_status text
)
language sql stable security definer set search_path = '' as $$
    with conversations as (
        select least(sender_id, receiver_id) as one, greatest(sender_id, receiver_id) as other, count(*) as messages,
            count(*) filter (where not is_read) as unread, min(created_at) as started_at, max(created_at) as last_at
        from public.messages where sender_id is not null and receiver_id is not null group by 1, 2
    ), reports as (
        select distinct on (least(reporter_id, counterpart_id), greatest(reporter_id, counterpart_id))
            least(reporter_id, counterpart_id) as one, greatest(reporter_id, counterpart_id) as other, r.id, reason, r.status
        from public.conversation_reports r where r.status <> 'closed'
        order by least(reporter_id, counterpart_id), greatest(reporter_id, counterpart_id), created_at desc
    )
    select c.one || ',' || c.other,
        jsonb_build_array(
            jsonb_build_object('user_id', a.user_id, 'full_name', a.full_name, 'user_type', a.user_type),
            jsonb_build_object('user_id', b.user_id, 'full_name', b.full_name, 'user_type', b.user_type)),
        concat_ws(' ', a.full_name, b.full_name), c.messages, c.unread, c.started_at, c.last_at, r.id, r.reason, r.status
    from conversations c
    join public.profiles a on a.user_id = c.one
    join public.profiles b on b.user_id = c.other
    left join reports r on r.one = c.one and r.other = c.other
$$;
comment on function private.conversations_for_admin() is 'Who wrote with whom, and how much: never what.';

create function public.admin_conversations(
    p_search text default null, p_limit integer default 25, p_offset integer default 0, p_status text default null,
    p_order text default null, p_descending boolean default false, p_after text default null, p_id text default null
) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
    answer jsonb;
begin
    perform private.require_admin();
    perform private.require_order(p_order, 'participants', 'messages', 'unread', 'last', 'report');
    with everything as materialized (select * from private.conversations_for_admin()), entries as (
        select array_agg((id, case when report_id is not null then array['reported'] else '{}' end,
            case p_order when 'messages' then messages when 'unread' then unread
                when 'last' then extract(epoch from last_at)
                -- the reported first, then the latest
                else case when p_order is null
                    then (report_id is null)::integer * 100000000000 - extract(epoch from last_at) end end,
            case p_order when 'participants' then names when 'report' then report_reason end)::private.list_entry)
            filter (where case when p_id is null then private.matches(p_search, names) else id = p_id end) as list
        from everything
    )
    select jsonb_build_object(
        'counts', (select jsonb_build_object('all', count(*), 'reported', count(report_id)) from everything),
        'total', page.total, 'next', page.next,
        'rows', (select coalesce(jsonb_agg(to_jsonb(e) - 'names' order by array_position(page.ids, id)), '[]')
            from everything e where id = any (page.ids)))
    into answer
    from entries, private.list_page(list, case when p_id is null then p_status end, p_order is not null and p_descending,
        p_limit, p_offset, p_after) page;
    return answer;
end
$$;
comment on function public.admin_conversations(text, integer, integer, text, text, boolean, text, text) is
    'Conversations by participants and counts, the reported first unless p_order names a column; no contents.';

revoke execute on function private.list_page(private.list_entry[], text, boolean, integer, integer, text),
    private.require_order(text, text[]), private.priority_rank(text), private.conversations_for_admin() from public;
revoke execute on function public.admin_agents(text, text, integer, integer, text, boolean, text, text),
    public.admin_importers(text, text, integer, integer, text, boolean, text, text),
    public.admin_requests(text, text, integer, integer, text, boolean, text, text),
    public.admin_tickets(text, text, integer, integer, text, boolean, text, text),
    public.admin_conversations(text, integer, integer, text, text, boolean, text, text)
    from public, anon;
