-- What the back office reads about members, requests and tickets.

-- Lists answer {total, counts, rows}: `counts` are the tabs', over everybody; `total` and `rows` obey search and status.

create function private.matches(search text, variadic words text[]) returns boolean
language sql immutable set search_path = '' as $$
    select coalesce(search, '') = '' or strpos(lower(array_to_string(words, ' ')), lower(search)) > 0
$$;
comment on function private.matches(text, text[]) is 'Whether any of the words contains the searched text; an empty search matches all.';

create function private.page_of(list jsonb, wanted text, max_rows integer, skip integer) returns jsonb
language sql immutable set search_path = '' as $$
    with kept as (
        select item, position from jsonb_array_elements(list) with ordinality as t (item, position)
        where coalesce(wanted, '') in ('', 'all') or item -> 'tabs' ? wanted
    )
    select jsonb_build_object(
        'total', (select count(*) from kept),
        'rows', coalesce((select jsonb_agg(item - 'tabs' order by position) from (
            select * from kept order by position
            limit least(greatest(coalesce(max_rows, 25), 0), 1000) offset greatest(coalesce(skip, 0), 0)) page), '[]'))
$$;
comment on function private.page_of(jsonb, text, integer, integer) is 'The rows of one tab, one page of them, and how many there are.';

create function private.shown_agent_status(member public.profiles, submission public.agent_verifications) returns text
language sql immutable set search_path = '' as $$
    select case
        when member.status = 'suspended' then 'suspended'
        when member.verification_status = 'verified' then 'verified'
        when member.verification_status = 'pending' and submission.payment_status is distinct from 'received'
            then 'payment_pending'
        when member.verification_status = 'pending' then 'pending'
        else 'unverified' end
$$;
comment on function private.shown_agent_status(public.profiles, public.agent_verifications) is
    'An agent''s status as the back office shows it.';

create function private.agents_for_admin() returns table (
    user_id uuid, full_name text, company_name text, country text, city text, phone text, email text, avatar_url text,
    created_at timestamptz, status text, suspension_reason text, rating numeric, reviews_count bigint,
    submission jsonb, pending_documents text[]
)
language sql stable security definer set search_path = '' as $$
    select p.user_id, p.full_name, p.company_name, p.country, p.city, p.phone, u.email, p.avatar_url, p.created_at,
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
    where p.user_type = 'agent'
$$;
comment on function private.agents_for_admin() is 'Every agent with the newest submission and its status.';

create function public.admin_agents(
    p_search text default null, p_status text default null, p_limit integer default 25, p_offset integer default 0
) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
    counts jsonb;
    list jsonb;
begin
    perform private.require_admin();
    select jsonb_build_object('all', count(*), 'verified', count(*) filter (where status = 'verified'),
            'pending', count(*) filter (where status = 'pending'),
            'payment_pending', count(*) filter (where status = 'payment_pending'),
            'suspended', count(*) filter (where status = 'suspended'),
            'unverified', count(*) filter (where status = 'unverified')),
        coalesce(jsonb_agg(to_jsonb(a) || jsonb_build_object('tabs', jsonb_build_array(status))
            order by coalesce((submission ->> 'submitted_at')::timestamptz, created_at) desc, user_id)
            filter (where private.matches(p_search, full_name, company_name, city, country, email)), '[]')
    into counts, list from private.agents_for_admin() a;
    return jsonb_build_object('counts', counts) || private.page_of(list, p_status, p_limit, p_offset);
end
$$;
comment on function public.admin_agents(text, text, integer, integer) is 'Agents for the back office, the newest submission first.';

create function private.importers_for_admin() returns table (
    user_id uuid, full_name text, company_name text, country text, city text, phone text, email text, avatar_url text,
    created_at timestamptz, last_sign_in_at timestamptz, status text, account_type text, suspension_reason text,
    requests bigint, completed bigint, success_rate integer, spent numeric
)
language sql stable security definer set search_path = '' as $$
    select p.user_id, p.full_name, p.company_name, p.country, p.city, p.phone, u.email, p.avatar_url, p.created_at,
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
    where p.user_type = 'importer'
$$;
comment on function private.importers_for_admin() is 'Every importer with figures; inactive also means no sign-in for 90 days.';

create function public.admin_importers(
    p_search text default null, p_status text default null, p_limit integer default 25, p_offset integer default 0
) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
    counts jsonb;
    list jsonb;
begin
    perform private.require_admin();
    select jsonb_build_object('all', count(*), 'active', count(*) filter (where status = 'active'),
            'inactive', count(*) filter (where status = 'inactive'),
            'suspended', count(*) filter (where status = 'suspended'),
            'standard', count(*) filter (where account_type = 'standard'),
            'premium', count(*) filter (where account_type = 'premium'),
            'business', count(*) filter (where account_type = 'business')),
        coalesce(jsonb_agg(to_jsonb(i) || jsonb_build_object('tabs', jsonb_build_array(status, account_type))
            order by spent desc, created_at desc, user_id)
            filter (where private.matches(p_search, full_name, company_name, city, country, email)), '[]')
    into counts, list from private.importers_for_admin() i;
    return jsonb_build_object('counts', counts) || private.page_of(list, p_status, p_limit, p_offset);
end
$$;
comment on function public.admin_importers(text, text, integer, integer) is 'Importers for the back office, the biggest spenders first.';

create function private.requests_for_admin() returns table (
    id uuid, importer_id uuid, importer_name text, importer_country text, car_make text, car_model text, year_range text,
    budget_min numeric, budget_max numeric, shipping_port text, description text, request_status text,
    created_at timestamptz, status text, priority text, progress integer, assigned_agent_id uuid, assigned_agent text,
    dispute_reason text, evidence jsonb, notes jsonb, invitations bigint
)
language sql stable security definer set search_path = '' as $$
    select r.id, r.importer_id, p.full_name, p.country, r.car_make, r.car_model, r.year_range, r.budget_min, r.budget_max,
        r.shipping_port, r.description, r.status, r.created_at, c.status, c.priority, c.progress, c.assigned_agent_id,
        a.full_name, c.dispute_reason, c.evidence, c.notes, coalesce(i.invitations, 0)
    from public.car_requests r
    join public.request_cases c on c.request_id = r.id
    join public.profiles p on p.user_id = r.importer_id
    left join public.profiles a on a.user_id = c.assigned_agent_id
    left join (select request_id, count(*) as invitations from public.invitations group by 1) i on i.request_id = r.id
$$;
comment on function private.requests_for_admin() is 'Every request with its case.';

-- tabs: Approval, Progress, No Agent, Disputed, Completed are the case's statuses
create function public.admin_requests(
    p_search text default null, p_status text default null, p_limit integer default 25, p_offset integer default 0
) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
    counts jsonb;
    list jsonb;
begin
    perform private.require_admin();
    select jsonb_build_object('all', count(*), 'pending_approval', count(*) filter (where status = 'pending_approval'),
            'in_progress', count(*) filter (where status = 'in_progress'),
            'pending_agent', count(*) filter (where status = 'pending_agent'),
            'disputed', count(*) filter (where status = 'disputed'),
            'completed', count(*) filter (where status = 'completed'),
            'cancelled', count(*) filter (where status = 'cancelled')),
        coalesce(jsonb_agg(to_jsonb(r) || jsonb_build_object('tabs', jsonb_build_array(status))
            order by array_position(array['disputed', 'pending_approval', 'pending_agent', 'in_progress'], status),
                created_at desc, id)
            filter (where private.matches(p_search, car_make, car_model, importer_name, importer_country, assigned_agent)), '[]')
    into counts, list from private.requests_for_admin() r;
    return jsonb_build_object('counts', counts) || private.page_of(list, p_status, p_limit, p_offset);
end
$$;
comment on function public.admin_requests(text, text, integer, integer) is 'Requests for the back office, those waiting for a decision first.';

create function private.tickets_for_admin() returns table (
    id uuid, user_id uuid, full_name text, user_type text, subject text, body text, category text, priority text,
    tags text[], status text, assigned_to uuid, created_at timestamptz, updated_at timestamptz, messages jsonb
)
language sql stable security definer set search_path = '' as $$
    select t.id, t.user_id, p.full_name, p.user_type, t.subject, t.body, t.category, t.priority, t.tags, t.status,
        t.assigned_to, t.created_at, t.updated_at,
        coalesce((select jsonb_agg(jsonb_build_object('author_id', m.author_id, 'body', m.body, 'created_at', m.created_at,
            'from_member', m.author_id = t.user_id) order by m.created_at, m.id)
            from public.ticket_messages m where m.ticket_id = t.id), '[]')
    from public.support_tickets t left join public.profiles p on p.user_id = t.user_id
$$;
comment on function private.tickets_for_admin() is 'Every ticket with its conversation.';

create function public.admin_tickets(
    p_search text default null, p_status text default null, p_limit integer default 25, p_offset integer default 0
) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
    counts jsonb;
    list jsonb;
begin
    perform private.require_admin();
    select jsonb_build_object('all', count(*), 'open', count(*) filter (where status = 'open'),
            'in_progress', count(*) filter (where status = 'in_progress'),
            'waiting_response', count(*) filter (where status = 'waiting_response'),
            'escalated', count(*) filter (where status = 'escalated'),
            'resolved', count(*) filter (where status = 'resolved')),
        coalesce(jsonb_agg(to_jsonb(t) || jsonb_build_object('tabs', jsonb_build_array(status))
            order by status = 'resolved', created_at desc, id)
            filter (where private.matches(p_search, subject, body, full_name, category, array_to_string(tags, ' '))), '[]')
    into counts, list from private.tickets_for_admin() t;
    return jsonb_build_object('counts', counts) || private.page_of(list, p_status, p_limit, p_offset);
end
$$;
comment on function public.admin_tickets(text, text, integer, integer) is 'Support tickets, the unresolved first.';

-- who wrote with whom, and how much: never what
create function public.admin_conversations(
    p_search text default null, p_limit integer default 25, p_offset integer default 0
) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
    list jsonb;
begin
    perform private.require_admin();
    with conversations as (
        select least(sender_id, receiver_id) as one, greatest(sender_id, receiver_id) as other, count(*) as messages,
            count(*) filter (where not is_read) as unread, min(created_at) as started_at, max(created_at) as last_at
        from public.messages where sender_id is not null and receiver_id is not null group by 1, 2
    )
    select coalesce(jsonb_agg(jsonb_build_object(
            'participants', jsonb_build_array(
                jsonb_build_object('user_id', a.user_id, 'full_name', a.full_name, 'user_type', a.user_type),
                jsonb_build_object('user_id', b.user_id, 'full_name', b.full_name, 'user_type', b.user_type)),
            'messages', c.messages, 'unread', c.unread, 'started_at', c.started_at, 'last_at', c.last_at,
            'report_id', r.id, 'report_reason', r.reason, 'report_status', r.status)
            order by r.id is null, c.last_at desc, c.one, c.other), '[]')
    into list
    from conversations c
    join public.profiles a on a.user_id = c.one
    join public.profiles b on b.user_id = c.other
    left join lateral (
        select id, reason, status from public.conversation_reports
        where status <> 'closed' and least(reporter_id, counterpart_id) = c.one
            and greatest(reporter_id, counterpart_id) = c.other
        order by created_at desc limit 1) r on true
    where private.matches(p_search, a.full_name, b.full_name);
    return private.page_of(list, null, p_limit, p_offset);
end
$$;
comment on function public.admin_conversations(text, integer, integer) is 'Conversations by participants and counts, the reported first; no contents.';

revoke execute on function public.admin_agents(text, text, integer, integer),
    public.admin_importers(text, text, integer, integer), public.admin_requests(text, text, integer, integer),
    public.admin_tickets(text, text, integer, integer), public.admin_conversations(text, integer, integer)
    from public, anon;
