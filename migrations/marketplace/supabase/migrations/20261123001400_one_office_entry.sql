-- One entry of a list of the back office is read without all the others, and the tabs are counted in one pass.

create function private.asked_id(id text) returns uuid
language sql immutable set search_path = '' as $$
    select case when id ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then id::uuid
        when id is not null then '00000000-0000-0000-0000-000000000000' end
$$;
comment on function private.asked_id(text) is 'The id as a uuid; one that nobody has for a text that is none, null for null.';

create or replace function private.list_answer(
    list private.list_row[], tabs text[], wanted text, descending boolean, max_rows integer, skip integer, after text,
    one text, out answer jsonb, out ids text[]
)
language sql immutable set search_path = '' as $$
    with counted as (
        select tab, count(*) as rows from unnest(list) as l, unnest(array['all'] || l.tabs) as tab group by tab
    )
    -- one entry tells nothing of the others
    select case when one is null then jsonb_build_object('counts', (
                select jsonb_object_agg(tab, coalesce(counted.rows, 0))
                from unnest(array['all'] || list_answer.tabs) as tab left join counted using (tab)))
            else '{}' end
            || jsonb_build_object('total', page.total, 'next', page.next),
        page.ids
    from private.list_page(
        array(select (l.id, l.tabs, l.figure, l.word)::private.list_entry from unnest(list) as l
            where case when one is null then l.is_found else l.id = one end),
        case when one is null then wanted end, descending, max_rows, skip, after) page
$$;

-- What is asked for is known when the statement is planned: of one entry nothing else is read.
drop function private.agents_for_admin();
create function private.agents_for_admin(one uuid default null) returns table (
    user_id uuid, full_name text, company_name text, country text, city text, phone text, email text, avatar_url text,
    created_at timestamptz, status text, suspension_reason text, rating numeric, reviews_count bigint,
    submission jsonb, pending_documents text[]
)
language sql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan as $$
    select p.user_id, p.full_name, p.company_name, p.country, p.city, private.phone_of(p.user_id), u.email, p.avatar_url, p.created_at,
        private.shown_agent_status(p, v), m.suspension_reason, coalesce(r.rating, 0), coalesce(r.reviews, 0),
        case when v.id is not null then to_jsonb(v) end,
        case when v.id is null then array['identity_document', 'company_proof'] else array_remove(array[
            case when v.identity_document_path is null then 'identity_document' end,
            case when v.company_proof_path is null then 'company_proof' end], null) end
    from public.profiles p
    join auth.users u on u.id = p.user_id
    left join (select distinct on (agent_id) * from public.agent_verifications
        order by agent_id, submitted_at desc, id) latest on latest.agent_id = p.user_id
    left join public.agent_verifications v on v.id = latest.id
    left join public.account_moderation m on m.user_id = p.user_id
    left join (select reviewed_id, round(avg(reviews.rating), 1) as rating, count(*) as reviews
        from public.reviews group by 1) r on r.reviewed_id = p.user_id
    where p.user_type = 'agent' and (one is null or p.user_id = one)
$$;

drop function private.importers_for_admin();
create function private.importers_for_admin(one uuid default null) returns table (
    user_id uuid, full_name text, company_name text, country text, city text, phone text, email text, avatar_url text,
    created_at timestamptz, last_sign_in_at timestamptz, status text, account_type text, suspension_reason text,
    requests bigint, completed bigint, success_rate integer, spent numeric
)
language sql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan as $$
    select p.user_id, p.full_name, p.company_name, p.country, p.city, private.phone_of(p.user_id), u.email, p.avatar_url, p.created_at,
        u.last_sign_in_at,
        case when p.status = 'active' and coalesce(u.last_sign_in_at, p.created_at) < now() - interval '90 days'
            then 'inactive' else p.status end,
        p.account_type, m.suspension_reason, coalesce(r.requests, 0), coalesce(r.completed, 0),
        coalesce(round(100.0 * r.completed / nullif(r.requests, 0)), 0)::integer, coalesce(d.spent, 0)
    from public.profiles p
    join auth.users u on u.id = p.user_id
    left join public.account_moderation m on m.user_id = p.user_id
    left join (select importer_id, count(*) as requests, count(*) filter (where car_requests.status = 'completed') as completed
        from public.car_requests group by 1) r on r.importer_id = p.user_id
    left join (select importer_id, sum(value_usd) as spent from public.deals where deals.status = 'completed' group by 1) d
        on d.importer_id = p.user_id
    where p.user_type = 'importer' and (one is null or p.user_id = one)
$$;

drop function private.tickets_for_admin();
create function private.tickets_for_admin(one uuid default null) returns table (
    id uuid, user_id uuid, full_name text, user_type text, subject text, body text, category text, priority text,
    tags text[], status text, assigned_to uuid, created_at timestamptz, updated_at timestamptz, messages jsonb,
    evidence jsonb
)
language sql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan as $$
    select t.id, t.user_id, p.full_name, p.user_type, t.subject, t.body, t.category, t.priority, t.tags, t.status,
        t.assigned_to, t.created_at, t.updated_at,
        coalesce((select jsonb_agg(jsonb_build_object('author_id', m.author_id, 'body', m.body, 'created_at', m.created_at,
            'from_member', m.author_id = t.user_id) order by m.created_at, m.id)
            from public.ticket_messages m where m.ticket_id = t.id), '[]'),
        coalesce((select jsonb_agg(piece order by s.created_at, s.id)
            from public.disputes d
            join public.dispute_statements s on s.dispute_id = d.id
            cross join lateral jsonb_array_elements(s.evidence) as piece
            where d.ticket_id = t.id), '[]')
    from public.support_tickets t left join public.profiles p on p.user_id = t.user_id
    where one is null or t.id = one
$$;

comment on function private.tickets_for_admin(uuid) is
    'Every ticket, or one, with its conversation and, for a dispute, what was handed in.';

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
        select a.*, (submission ->> 'submitted_at')::timestamptz as submitted_at from private.agents_for_admin(private.asked_id(p_id)) a
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
    with everybody as materialized (select * from private.importers_for_admin(private.asked_id(p_id))), listed as (
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
    with everything as materialized (select * from private.tickets_for_admin(private.asked_id(p_id))), listed as (
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

create or replace function public.admin_requests(
    p_search text default null, p_status text default null, p_limit integer default 25, p_offset integer default 0,
    p_order text default null, p_descending boolean default false, p_after text default null, p_id text default null
) returns jsonb
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan as $$
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
        where p_id is null or c.request_id = private.asked_id(p_id)
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

revoke execute on function private.asked_id(text), private.agents_for_admin(uuid), private.importers_for_admin(uuid),
    private.tickets_for_admin(uuid) from public;

comment on function private.agents_for_admin(uuid) is 'Every agent, or one, with the newest submission and its status.';
comment on function private.importers_for_admin(uuid) is
    'Every importer, or one, with figures; inactive also means no sign-in for 90 days.';
