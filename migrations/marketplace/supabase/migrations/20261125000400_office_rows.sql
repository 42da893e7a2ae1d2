-- What the rows of the back office's lists show, read for the rows of a page alone.

drop function public.admin_agents(text, text, integer, integer, text, boolean, text, text),
    public.admin_importers(text, text, integer, integer, text, boolean, text, text),
    public.admin_requests(text, text, integer, integer, text, boolean, text, text),
    public.admin_tickets(text, text, integer, integer, text, boolean, text, text),
    public.admin_conversations(text, integer, integer, text, text, boolean, text, text),
    public.admin_mails(text, text, integer, integer, text, boolean, text, text),
    public.admin_audit(text, text, integer, uuid, date, date, boolean, text, text);
drop function private.list_answer(private.list_row[], text[], text, boolean, integer, integer, text, text),
    private.list_page(private.list_entry[], text, boolean, integer, integer, text),
    private.require_order(text, text[]), private.asked_id(text), private.matches(text, text[]),
    private.agents_for_admin(uuid), private.importers_for_admin(uuid), private.tickets_for_admin(uuid),
    private.conversations_for_admin(), private.mails_for_admin(), private.request_for_admin(uuid);
drop type private.list_row, private.list_entry;

create function private.agents_for_admin(ids text[]) returns table (
    user_id uuid, full_name text, company_name text, country text, city text, phone text, email text, avatar_url text,
    created_at timestamptz, status text, suspension_reason text, rating numeric, reviews_count bigint,
    submission jsonb, pending_documents text[]
)
language sql stable security definer set search_path = '' as $$
    select p.user_id, p.full_name, p.company_name, p.country, p.city, private.phone_of(p.user_id), u.email, p.avatar_url, p.created_at,
        private.shown_agent_status(p, v), m.suspension_reason, coalesce(r.rating, 0), r.reviews,
        case when v.id is not null then to_jsonb(v) end,
        case when v.id is null then array['identity_document', 'company_proof'] else array_remove(array[
            case when v.identity_document_path is null then 'identity_document' end,
            case when v.company_proof_path is null then 'company_proof' end], null) end
    from unnest(ids::uuid[]) with ordinality as asked (id, place)
    join public.profiles p on p.user_id = asked.id
    join auth.users u on u.id = p.user_id
    left join lateral (select id from public.agent_verifications
        where agent_id = p.user_id order by submitted_at desc, id limit 1) latest on true
    left join public.agent_verifications v on v.id = latest.id
    left join public.account_moderation m on m.user_id = p.user_id
    cross join lateral (select round(avg(reviews.rating), 1) as rating, count(*) as reviews
        from public.reviews where reviewed_id = p.user_id) r
    order by asked.place
$$;
comment on function private.agents_for_admin(text[]) is 'These agents, each with the newest submission and its status.';

create function private.importers_for_admin(ids text[]) returns table (
    user_id uuid, full_name text, company_name text, country text, city text, phone text, email text, avatar_url text,
    created_at timestamptz, last_sign_in_at timestamptz, status text, account_type text, suspension_reason text,
    requests bigint, completed bigint, success_rate integer, spent numeric
)
language sql stable security definer set search_path = '' as $$
    select p.user_id, p.full_name, p.company_name, p.country, p.city, private.phone_of(p.user_id), u.email, p.avatar_url, p.created_at,
        u.last_sign_in_at,
        case when p.status = 'active' and coalesce(u.last_sign_in_at, p.created_at) < now() - interval '90 days'
            then 'inactive' else p.status end,
        p.account_type, m.suspension_reason, r.requests, r.completed,
        coalesce(round(100.0 * r.completed / nullif(r.requests, 0)), 0)::integer, d.spent
    from unnest(ids::uuid[]) with ordinality as asked (id, place)
    join public.profiles p on p.user_id = asked.id
    join auth.users u on u.id = p.user_id
    left join public.account_moderation m on m.user_id = p.user_id
    cross join lateral (select count(*) as requests, count(*) filter (where car_requests.status = 'completed') as completed
        from public.car_requests where importer_id = p.user_id) r
    cross join lateral (select coalesce(sum(value_usd), 0) as spent
        from public.deals where importer_id = p.user_id and deals.status = 'completed') d
    order by asked.place
$$;
comment on function private.importers_for_admin(text[]) is 'These importers, with figures; inactive also means no sign-in for 90 days.';

create function private.requests_for_admin(ids text[]) returns table (
    id uuid, importer_id uuid, importer_name text, importer_country text, car_make text, car_model text, year_range text,
    budget_min numeric, budget_max numeric, shipping_port text, description text, request_status text,
    created_at timestamptz, status text, priority text, progress integer, assigned_agent_id uuid, assigned_agent text,
    dispute_reason text, evidence jsonb, notes jsonb, invitations bigint
)
language sql stable security definer set search_path = '' as $$
    select r.id, r.importer_id, p.full_name, p.country, r.car_make, r.car_model, r.year_range, r.budget_min, r.budget_max,
        r.shipping_port, r.description, r.status, r.created_at, c.status, c.priority, c.progress, c.assigned_agent_id,
        a.full_name, c.dispute_reason, c.evidence, c.notes,
        (select count(*) from public.invitations i where i.request_id = r.id)
    from unnest(ids::uuid[]) with ordinality as asked (id, place)
    join public.car_requests r on r.id = asked.id
    join public.request_cases c on c.request_id = r.id
    join public.profiles p on p.user_id = r.importer_id
    left join public.profiles a on a.user_id = c.assigned_agent_id
    order by asked.place
$$;
comment on function private.requests_for_admin(text[]) is 'These requests, each with its case.';

create function private.tickets_for_admin(ids text[]) returns table (
    id uuid, user_id uuid, full_name text, user_type text, subject text, body text, category text, priority text,
    tags text[], status text, assigned_to uuid, created_at timestamptz, updated_at timestamptz, messages jsonb,
    evidence jsonb
)
language sql stable security definer set search_path = '' as $$
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
    from unnest(ids::uuid[]) with ordinality as asked (id, place)
    join public.support_tickets t on t.id = asked.id
    left join public.profiles p on p.user_id = t.user_id
    order by asked.place
$$;
comment on function private.tickets_for_admin(text[]) is
    'These tickets, each with its conversation and, for a dispute, what was handed in.';

create function private.conversations_for_admin(ids text[]) returns table (
    id text, participants jsonb, messages integer, unread integer, started_at timestamptz, last_at timestamptz,
    report_id uuid, report_reason text, report_status text
)
language sql stable security definer set search_path = '' as $$
    select c.id, jsonb_build_array(
            jsonb_build_object('user_id', a.user_id, 'full_name', a.full_name, 'user_type', a.user_type),
            jsonb_build_object('user_id', b.user_id, 'full_name', b.full_name, 'user_type', b.user_type)),
        c.messages, c.unread, c.started, c.last, r.id, r.reason, r.status
    from unnest(ids) with ordinality as asked (id, place)
    join private.conversation_entries c on c.id = asked.id
    join public.profiles a on a.user_id = c.one
    join public.profiles b on b.user_id = c.other
    left join lateral (
        select id, reason, status from public.conversation_reports
        where status <> 'closed' and reporter_id in (c.one, c.other) and counterpart_id in (c.one, c.other)
        order by created_at desc, id limit 1) r on true
    order by asked.place
$$;
comment on function private.conversations_for_admin(text[]) is 'These conversations: who wrote with whom, and how much, never what.';

create function private.mails_for_admin(ids text[]) returns table (
    id bigint, user_id uuid, full_name text, user_type text, email text, kind text, subject text, status text,
    created_at timestamptz, tried_at timestamptz, due_at timestamptz, attempts integer, error text
)
language sql stable security definer set search_path = '' as $$
    select o.id, o.user_id, p.full_name, p.user_type, u.email, o.kind,
        coalesce(private.filled(t.subject, private.facts_of(o)), o.kind),
        case when o.given_up_at is not null then 'given_up' when o.due_at = 'infinity' then 'stopped' else 'waiting' end,
        o.created_at, o.tried_at, nullif(o.due_at, 'infinity'), o.attempts, o.error
    from unnest(ids::bigint[]) with ordinality as asked (id, place)
    join public.notification_outbox o on o.id = asked.id
    join public.profiles p on p.user_id = o.user_id
    left join auth.users u on u.id = o.user_id
    left join private.notification_texts t on t.kind = o.kind
    order by asked.place
$$;
comment on function private.mails_for_admin(text[]) is
    'These mails that could not be delivered so far: to whom, about what, how often tried, and why not.';

create function private.records_for_admin(ids text[]) returns table (
    id bigint, created_at timestamptz, admin_id uuid, administrator text, action text, target_type text, target_id text,
    target text, details jsonb
)
language sql stable security definer set search_path = '' as $$
    select l.id, l.created_at, l.admin_id, private.administrator(l.admin_id), l.action, l.target_type, l.target_id,
        private.audit_target(l.target_type, l.target_id), l.details
    from unnest(ids::bigint[]) with ordinality as asked (id, place)
    join public.admin_audit_log l on l.id = asked.id
    order by asked.place
$$;
comment on function private.records_for_admin(text[]) is 'These entries of the record, by the names of today.';

create or replace function private.overview_stats() returns jsonb
language sql stable security definer set search_path = '' as $$
    select jsonb_build_object(
        'total_agents', count(*) filter (where user_type = 'agent'),
        'verified_agents', (select count(*) from private.agent_entries where status = 'verified'),
        'pending_agents', (select count(*) from private.agent_entries where status = 'pending'),
        'payment_pending_agents', (select count(*) from private.agent_entries where status = 'payment_pending'),
        'suspended_agents', count(*) filter (where user_type = 'agent' and status = 'suspended'),
        'total_importers', count(*) filter (where user_type = 'importer'),
        'countries', count(distinct country),
        'active_requests', (select count(*) from public.car_requests where status = 'active'),
        'open_deals', (select count(*) from public.deals where status = 'open'),
        'open_tickets', (select count(*) from public.support_tickets where status <> 'resolved'))
    from public.profiles
$$;

create or replace function private.overview_alerts() returns jsonb
language sql stable security definer set search_path = '' as $$
    select coalesce(jsonb_agg(jsonb_build_object('kind', kind, 'severity', severity, 'count', count) order by rank), '[]')
    from (values
        (1, 'disputed_requests', 'high', (select count(*) from public.request_cases where status = 'disputed')),
        (2, 'disputed_deals', 'high', (select count(*) from private.ticket_entries where is_disputed)),
        (3, 'reported_conversations', 'high', (select count(*) from public.conversation_reports where status = 'open')),
        (4, 'escalated_tickets', 'high', (select count(*) from public.support_tickets where status = 'escalated')),
        (5, 'pending_agents', 'medium', (select count(*) from private.agent_entries where status = 'pending')),
        (6, 'requests_to_approve', 'medium', (select count(*) from public.request_cases where status = 'pending_approval')),
        (7, 'undelivered_notifications', 'low', (
            select count(*) from private.mail_entries where status in ('stopped', 'waiting')))
    ) as alerts (rank, kind, severity, count)
    where count > 0
$$;

create or replace function public.admin_overview() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
    perform private.require_admin();
    return jsonb_build_object(
        'stats', private.overview_stats(),
        'alerts', private.overview_alerts(),
        'pending_approvals', (select coalesce(jsonb_agg(to_jsonb(a)), '[]') from private.agents_for_admin(array(
            select id from private.agent_entries where status = 'pending' order by submitted, id limit 5)) a));
end
$$;

revoke execute on all functions in schema private from public;
