-- The back office's lists are made by one function of the rows each of them brings; open disputes have a tab.

-- Every list had its own copy of the same query: counts, the page, its rows. Now a list brings its rows, each with its
-- tabs, whether the search finds it and what it is ordered by, and one function makes the answer of them.
create type private.list_row as (id text, tabs text[], is_found boolean, figure numeric, word text);
comment on type private.list_row is
    'A row of a list: its tabs, whether it was searched for, and what it is ordered by. Nothing of both stands last.';

create function private.list_answer(
    list private.list_row[], tabs text[], wanted text, descending boolean, max_rows integer, skip integer, after text,
    one text, out answer jsonb, out ids text[]
)
language sql immutable set search_path = '' as $$
    select jsonb_build_object(
            'counts', (select jsonb_object_agg(tab, (
                select count(*) from unnest(list) as l where tab = 'all' or tab = any (l.tabs)))
                from unnest(array['all'] || list_answer.tabs) as tab),
            'total', page.total, 'next', page.next),
        page.ids
    from private.list_page(
        array(select (l.id, l.tabs, l.figure, l.word)::private.list_entry from unnest(list) as l
            where case when one is null then l.is_found else l.id = one end),
        case when one is null then wanted end, descending, max_rows, skip, after) page
$$;
comment on function private.list_answer(private.list_row[], text[], text, boolean, integer, integer, text, text) is
    'What a list answers but for its rows: how many there are in each tab over everybody, how many were found, what the next page begins after; and the ids of this page.';

create or replace function public.admin_agents(
    p_search text default null, p_status text default null, p_limit integer default 25, p_offset integer default 0,
    p_order text default null, p_descending boolean default false, p_after text default null, p_id text default null
) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
    found jsonb;
begin
    perform private.require_admin();
    perform private.require_order(p_order, 'agent', 'place', 'submitted', 'payment', 'rating', 'joined', 'status');
    with everybody as materialized (
        select a.*, (submission ->> 'submitted_at')::timestamptz as submitted_at from private.agents_for_admin() a
    ), listed as (
        select array_agg((user_id::text, array[status],
            private.matches(p_search, full_name, company_name, city, country, email),
            case p_order when 'submitted' then extract(epoch from submitted_at)
                when 'rating' then case when reviews_count > 0 then rating end
                when 'joined' then extract(epoch from created_at)
                when 'payment' then array_position(array['none', 'claimed', 'waived', 'received'], submission ->> 'payment_status')
                else case when p_order is null then -extract(epoch from coalesce(submitted_at, created_at)) end end,
            case p_order when 'agent' then coalesce(nullif(full_name, ''), email) when 'place' then nullif(city, '')
                when 'status' then status end)::private.list_row) as list
        from everybody
    )
    select page.answer || jsonb_build_object('rows', (
            select coalesce(jsonb_agg(to_jsonb(e) - 'submitted_at' order by array_position(page.ids, user_id::text)), '[]')
            from everybody e where user_id::text = any (page.ids)))
    into found
    from listed, private.list_answer(list, array['verified', 'pending', 'payment_pending', 'suspended', 'unverified'],
        p_status, p_order is not null and p_descending, p_limit, p_offset, p_after, p_id) page;
    return found;
end
$$;

create or replace function public.admin_importers(
    p_search text default null, p_status text default null, p_limit integer default 25, p_offset integer default 0,
    p_order text default null, p_descending boolean default false, p_after text default null, p_id text default null
) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
    found jsonb;
begin
    perform private.require_admin();
    perform private.require_order(p_order, 'importer', 'place', 'account', 'requests', 'success', 'spent', 'joined', 'status');
    with everybody as materialized (select * from private.importers_for_admin()), listed as (
        select array_agg((user_id::text, array[status, account_type],
            private.matches(p_search, full_name, company_name, city, country, email),
            case p_order when 'requests' then requests
                when 'success' then case when requests > 0 then success_rate end
                when 'spent' then spent
                when 'joined' then extract(epoch from created_at)
                -- the biggest spenders first, then the newest: no sum comes near the factor
                else case when p_order is null then -(spent * 10000000000 + extract(epoch from created_at)) end end,
            case p_order when 'importer' then coalesce(nullif(full_name, ''), email) when 'place' then nullif(city, '')
                when 'account' then account_type when 'status' then status end)::private.list_row) as list
        from everybody
    )
    select page.answer || jsonb_build_object('rows', (
            select coalesce(jsonb_agg(to_jsonb(e) order by array_position(page.ids, user_id::text)), '[]')
            from everybody e where user_id::text = any (page.ids)))
    into found
    from listed, private.list_answer(list, array['active', 'inactive', 'suspended', 'standard', 'premium', 'business'],
        p_status, p_order is not null and p_descending, p_limit, p_offset, p_after, p_id) page;
    return found;
end
$$;

-- tabs: Approval, Progress, No Agent, Disputed, Completed are the case's statuses; only the page's rows become JSON
create or replace function public.admin_requests(
    p_search text default null, p_status text default null, p_limit integer default 25, p_offset integer default 0,
    p_order text default null, p_descending boolean default false, p_after text default null, p_id text default null
) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
    found jsonb;
begin
    perform private.require_admin();
    perform private.require_order(p_order, 'car', 'importer', 'posted', 'budget', 'agent', 'priority', 'progress', 'status');
    with listed as (
        select array_agg((c.request_id::text, array[c.status],
            private.matches(p_search, r.car_make, r.car_model, p.full_name, p.country, a.full_name),
            case p_order when 'posted' then extract(epoch from r.created_at)
                when 'budget' then coalesce(r.budget_max, r.budget_min)
                when 'priority' then private.priority_rank(c.priority)
                when 'progress' then c.progress
                -- what waits for a decision first, then the newest: no moment comes near the factor
                else case when p_order is null then coalesce(array_position(
                    array['disputed', 'pending_approval', 'pending_agent', 'in_progress'], c.status), 9) * 100000000000
                    - extract(epoch from r.created_at) end end,
            case p_order when 'car' then r.car_make || ' ' || r.car_model when 'importer' then nullif(p.full_name, '')
                when 'agent' then a.full_name when 'status' then c.status end)::private.list_row) as list
        from public.request_cases c
        join public.car_requests r on r.id = c.request_id
        join public.profiles p on p.user_id = r.importer_id
        left join public.profiles a on a.user_id = c.assigned_agent_id
    )
    select page.answer || jsonb_build_object('rows', (
            select coalesce(jsonb_agg(private.request_for_admin(id::uuid) order by position), '[]')
            from unnest(page.ids) with ordinality as shown (id, position)))
    into found
    from listed, private.list_answer(list,
        array['pending_approval', 'in_progress', 'pending_agent', 'disputed', 'completed', 'cancelled'],
        p_status, p_order is not null and p_descending, p_limit, p_offset, p_after, p_id) page;
    return found;
end
$$;

create or replace function public.admin_tickets(
    p_search text default null, p_status text default null, p_limit integer default 25, p_offset integer default 0,
    p_order text default null, p_descending boolean default false, p_after text default null, p_id text default null
) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
    found jsonb;
begin
    perform private.require_admin();
    perform private.require_order(p_order, 'subject', 'from', 'category', 'priority', 'opened', 'status');
    with everything as materialized (select * from private.tickets_for_admin()), listed as (
        select array_agg((id::text,
            array[status, case when status <> 'resolved' and 'dispute' = any (tags) then 'disputes' end],
            private.matches(p_search, subject, body, full_name, category, array_to_string(tags, ' ')),
            case p_order when 'opened' then extract(epoch from created_at)
                when 'priority' then private.priority_rank(priority)
                -- the unresolved first, then the newest
                else case when p_order is null
                    then (status = 'resolved')::integer * 100000000000 - extract(epoch from created_at) end end,
            case p_order when 'subject' then subject when 'from' then nullif(full_name, '')
                when 'category' then nullif(category, '') when 'status' then status end)::private.list_row) as list
        from everything
    )
    select page.answer || jsonb_build_object('rows', (
            select coalesce(jsonb_agg(to_jsonb(e) order by array_position(page.ids, id::text)), '[]')
            from everything e where id::text = any (page.ids)))
    into found
    from listed, private.list_answer(list,
        array['open', 'in_progress', 'waiting_response', 'escalated', 'disputes', 'resolved'],
        p_status, p_order is not null and p_descending, p_limit, p_offset, p_after, p_id) page;
    return found;
end
$$;
comment on function public.admin_tickets(text, text, integer, integer, text, boolean, text, text) is
    'Support tickets (p_status also: disputes, the unresolved ones that carry a dispute), the unresolved first unless p_order names a column.';

create or replace function public.admin_conversations(
    p_search text default null, p_limit integer default 25, p_offset integer default 0, p_status text default null,
    p_order text default null, p_descending boolean default false, p_after text default null, p_id text default null
) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
    found jsonb;
begin
    perform private.require_admin();
    perform private.require_order(p_order, 'participants', 'messages', 'unread', 'last', 'report');
    with everything as materialized (select * from private.conversations_for_admin()), listed as (
        select array_agg((id, case when report_id is not null then array['reported'] else '{}' end,
            private.matches(p_search, names),
            case p_order when 'messages' then messages when 'unread' then unread
                when 'last' then extract(epoch from last_at)
                -- the reported first, then the latest
                else case when p_order is null
                    then (report_id is null)::integer * 100000000000 - extract(epoch from last_at) end end,
            case p_order when 'participants' then names when 'report' then report_reason end)::private.list_row) as list
        from everything
    )
    select page.answer || jsonb_build_object('rows', (
            select coalesce(jsonb_agg(to_jsonb(e) - 'names' order by array_position(page.ids, id)), '[]')
            from everything e where id = any (page.ids)))
    into found
    from listed, private.list_answer(list, array['reported'],
        p_status, p_order is not null and p_descending, p_limit, p_offset, p_after, p_id) page;
    return found;
end
$$;

create or replace function public.admin_mails(
    p_search text default null, p_status text default null, p_limit integer default 25, p_offset integer default 0,
    p_order text default null, p_descending boolean default false, p_after text default null, p_id text default null
) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
    found jsonb;
begin
    perform private.require_admin();
    perform private.require_order(p_order, 'to', 'subject', 'queued', 'tried', 'attempts', 'status');
    with everything as materialized (select * from private.mails_for_admin()), listed as (
        select array_agg((id::text, array[status], private.matches(p_search, full_name, email, subject, error),
            case p_order when 'queued' then extract(epoch from created_at)
                when 'tried' then extract(epoch from tried_at)
                when 'attempts' then attempts
                -- what waits for a decision first, then the newest
                else case when p_order is null then array_position(array['stopped', 'waiting', 'given_up'], status)
                    * 100000000000 - extract(epoch from created_at) end end,
            case p_order when 'to' then coalesce(nullif(full_name, ''), email) when 'subject' then subject
                when 'status' then status end)::private.list_row) as list
        from everything
    )
    select page.answer || jsonb_build_object('rows', (
            select coalesce(jsonb_agg(to_jsonb(e) order by array_position(page.ids, id::text)), '[]')
            from everything e where id::text = any (page.ids)))
    into found
    from listed, private.list_answer(list, array['stopped', 'waiting', 'given_up'],
        p_status, p_order is not null and p_descending, p_limit, p_offset, p_after, p_id) page;
    return found;
end
$$;

revoke execute on function
    private.list_answer(private.list_row[], text[], text, boolean, integer, integer, text, text) from public;
