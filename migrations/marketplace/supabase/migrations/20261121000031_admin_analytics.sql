-- The back office's figures, computed from the rows.

create function private.analytics_window(wanted_from date, wanted_to date, out first_day date, out last_day date)
language sql stable security definer set search_path = '' as $$
    select coalesce(wanted_from, case when private.setting('demo_mode') = 'true'
            then make_date(extract(year from current_date)::int - (extract(month from current_date) <= 7)::int, 1, 1)
            else (date_trunc('month', current_date) - interval '6 months')::date end),
        coalesce(wanted_to, case when private.setting('demo_mode') = 'true'
            then make_date(extract(year from current_date)::int - (extract(month from current_date) <= 7)::int, 7, 31)
            else current_date end)
$$;
comment on function private.analytics_window(date, date) is
    'The window analytics look at: as asked; else the last completed January to July in demo mode, else seven months.';

-- value_usd of deals completed in the window, with the half of the window they fall into
create function private.completed_deals(first_day date, last_day date) returns table (
    agent_id uuid, importer_id uuid, category text, country text, value_usd numeric, satisfaction integer,
    month date, is_late boolean
)
language sql stable security definer set search_path = '' as $$
    select agent_id, importer_id, coalesce(category, 'Other'), country, coalesce(value_usd, 0), satisfaction,
        date_trunc('month', completed_at)::date,
        completed_at >= first_day + (last_day + 1 - first_day) / 2.0 * interval '1 day'
    from public.deals
    where status = 'completed' and completed_at >= first_day and completed_at < last_day + 1
$$;
comment on function private.completed_deals(date, date) is 'The deals analytics count.';

create function private.growth(early numeric, late numeric) returns integer
language sql immutable set search_path = '' as $$
    select case when coalesce(early, 0) = 0 then case when coalesce(late, 0) > 0 then 100 else 0 end
        else round(100 * (coalesce(late, 0) - early) / early)::integer end
$$;
comment on function private.growth(numeric, numeric) is 'The second half of the window against the first, in percent.';

create function private.analytics_summary(first_day date, last_day date) returns jsonb
language sql stable security definer set search_path = '' as $$
    select jsonb_build_object(
        'total_revenue', coalesce(sum(value_usd), 0),
        'total_revenue_growth', private.growth(sum(value_usd) filter (where not is_late), sum(value_usd) filter (where is_late)),
        'active_users', (select count(distinct user_id) from public.user_activity where day > current_date - 30),
        'avg_transaction_value', coalesce(round(avg(value_usd), 2), 0),
        'avg_transaction_value_growth', private.growth(avg(value_usd) filter (where not is_late), avg(value_usd) filter (where is_late)),
        'transaction_volume', count(*),
        'transaction_volume_growth', private.growth(count(*) filter (where not is_late), count(*) filter (where is_late)),
        'conversion_rate', (select coalesce(round(100.0 * count(*) filter (where status = 'accepted') / nullif(count(*), 0), 1), 0)
            from public.invitations where created_at >= first_day and created_at < last_day + 1),
        'global_reach', (select count(distinct country) from public.profiles))
    from private.completed_deals(first_day, last_day)
$$;
comment on function private.analytics_summary(date, date) is 'The six cards.';

create function private.analytics_by_month(first_day date, last_day date) returns jsonb
language sql stable security definer set search_path = '' as $$
    select coalesce(jsonb_agg(jsonb_build_object(
        'month', to_char(month, 'YYYY-MM'),
        'revenue', coalesce((select sum(value_usd) from private.completed_deals(first_day, last_day) d where d.month = m.month), 0),
        'users', (select count(*) from public.profiles where created_at >= m.month and created_at < m.month + interval '1 month'),
        'requests', (select count(*) from public.car_requests
            where created_at >= m.month and created_at < m.month + interval '1 month')) order by month), '[]')
    from (select generate_series(date_trunc('month', first_day), last_day, '1 month')::date) as m (month)
$$;
comment on function private.analytics_by_month(date, date) is 'Revenue, new accounts and new requests of each month.';

create function private.analytics_activity() returns jsonb
language sql stable security definer set search_path = '' as $$
    select jsonb_build_object(
        'daily_active_users', (select count(*) from public.user_activity where day = current_date),
        'new_registrations', (select count(*) from public.profiles where created_at > now() - interval '7 days'),
        'active_conversations', (select count(distinct (least(sender_id, receiver_id), greatest(sender_id, receiver_id)))
            from public.messages where created_at > now() - interval '7 days'))
$$;
comment on function private.analytics_activity() is 'Who was here today, who came this week, who talked this week.';

create function private.analytics_by_country(first_day date, last_day date) returns jsonb
language sql stable security definer set search_path = '' as $$
    with revenue as (
        select country, sum(value_usd) as revenue from private.completed_deals(first_day, last_day) group by 1
    ), accounts as (
        select country, count(*) as users from public.profiles where country is not null group by 1
    )
    select coalesce(jsonb_agg(jsonb_build_object('country', country, 'users', coalesce(users, 0),
        'revenue', coalesce(revenue, 0),
        'percentage', coalesce(round(100 * revenue / nullif((select sum(revenue) from revenue), 0), 1), 0))
        order by coalesce(revenue, 0) desc, users desc, country), '[]')
    from accounts full join revenue using (country)
$$;
comment on function private.analytics_by_country(date, date) is 'Revenue by the importer''s country, with its share and the accounts there.';

create function private.analytics_by_category(first_day date, last_day date) returns jsonb
language sql stable security definer set search_path = '' as $$
    with cars as (
        select car_make, car_model, count(*) as requests from public.car_requests
        where created_at >= first_day and created_at < last_day + 1 group by 1, 2
    ), asked as (
        select private.category_of(car_make, car_model) as category, sum(requests) as requests from cars group by 1
    ), paid as (
        select category, sum(value_usd) as value from private.completed_deals(first_day, last_day) group by 1
    )
    select coalesce(jsonb_agg(jsonb_build_object('category', category, 'requests', coalesce(requests, 0),
        'value', coalesce(value, 0),
        'percentage', coalesce(round(100 * value / nullif((select sum(value) from paid), 0), 1), 0))
        order by category = 'Other', coalesce(value, 0) desc, category), '[]')
    from asked full join paid using (category)
$$;
comment on function private.analytics_by_category(date, date) is 'Requests and revenue of each vehicle category.';

create function private.analytics_top_agents(first_day date, last_day date) returns jsonb
language sql stable security definer set search_path = '' as $$
    select coalesce(jsonb_agg(to_jsonb(t) order by revenue desc, name), '[]') from (
        select p.user_id, p.full_name as name, count(*) as deals, sum(d.value_usd) as revenue,
            coalesce((select round(avg(rating), 1) from public.reviews where reviewed_id = p.user_id), 0) as rating,
            private.growth(sum(d.value_usd) filter (where not is_late), sum(d.value_usd) filter (where is_late)) as growth
        from private.completed_deals(first_day, last_day) d join public.profiles p on p.user_id = d.agent_id
        group by p.user_id, p.full_name order by revenue desc, name limit 5) t
$$;
comment on function private.analytics_top_agents(date, date) is 'The five agents with the highest value of deals.';

create function private.analytics_top_importers(first_day date, last_day date) returns jsonb
language sql stable security definer set search_path = '' as $$
    select coalesce(jsonb_agg(to_jsonb(t) order by spent desc, name), '[]') from (
        select p.user_id, p.full_name as name, sum(d.value_usd) as spent, count(*) as orders,
            round(avg(d.satisfaction), 1) as satisfaction
        from private.completed_deals(first_day, last_day) d join public.profiles p on p.user_id = d.importer_id
        group by p.user_id, p.full_name order by spent desc, name limit 5) t
$$;
comment on function private.analytics_top_importers(date, date) is 'The five importers who spent most.';

create function public.admin_analytics(p_from date default null, p_to date default null) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
    first_day date;
    last_day date;
begin
    perform private.require_admin();
    select w.first_day, w.last_day into first_day, last_day from private.analytics_window(p_from, p_to) w;
    if last_day < first_day or last_day - first_day > 3660 then
        raise exception 'The window must begin before it ends and last at most ten years' using errcode = '22023';
    end if;
    return jsonb_build_object(
        'from', first_day, 'to', last_day,
        'summary', private.analytics_summary(first_day, last_day),
        'by_month', private.analytics_by_month(first_day, last_day),
        'activity', private.analytics_activity(),
        'by_country', private.analytics_by_country(first_day, last_day),
        'by_category', private.analytics_by_category(first_day, last_day),
        'top_agents', private.analytics_top_agents(first_day, last_day),
        'top_importers', private.analytics_top_importers(first_day, last_day));
end
$$;
comment on function public.admin_analytics(date, date) is 'The platform''s figures in a window of days, both included.';

create function private.overview_stats() returns jsonb
language sql stable security definer set search_path = '' as $$
    select jsonb_build_object(
        'total_agents', count(*) filter (where user_type = 'agent'),
        'verified_agents', (select count(*) from private.agents_for_admin() where status = 'verified'),
        'pending_agents', (select count(*) from private.agents_for_admin() where status = 'pending'),
        'payment_pending_agents', (select count(*) from private.agents_for_admin() where status = 'payment_pending'),
        'suspended_agents', count(*) filter (where user_type = 'agent' and status = 'suspended'),
        'total_importers', count(*) filter (where user_type = 'importer'),
        'countries', count(distinct country),
        'active_requests', (select count(*) from public.car_requests where status = 'active'),
        'open_deals', (select count(*) from public.deals where status = 'open'),
        'open_tickets', (select count(*) from public.support_tickets where status <> 'resolved'))
    from public.profiles
$$;
comment on function private.overview_stats() is 'The dashboard''s tiles.';

create function private.overview_alerts() returns jsonb
language sql stable security definer set search_path = '' as $$
    select coalesce(jsonb_agg(jsonb_build_object('kind', kind, 'severity', severity, 'count', count) order by rank), '[]')
    from (values
        (1, 'disputed_requests', 'high', (select count(*) from public.request_cases where status = 'disputed')),
        (2, 'reported_conversations', 'high', (select count(*) from public.conversation_reports where status = 'open')),
        (3, 'escalated_tickets', 'high', (select count(*) from public.support_tickets where status = 'escalated')),
        (4, 'pending_agents', 'medium', (select count(*) from private.agents_for_admin() where status = 'pending')),
        (5, 'requests_to_approve', 'medium', (select count(*) from public.request_cases where status = 'pending_approval')),
        (6, 'undelivered_notifications', 'low', (select count(*) from public.notification_outbox where error is not null))
    ) as alerts (rank, kind, severity, count)
    where count > 0
$$;
comment on function private.overview_alerts() is 'What waits for the administrator; nothing when nothing does.';

create function public.admin_overview() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
    perform private.require_admin();
    return jsonb_build_object(
        'stats', private.overview_stats(),
        'alerts', private.overview_alerts(),
        'pending_approvals', (select coalesce(jsonb_agg(to_jsonb(a)), '[]') from (
            select * from private.agents_for_admin() where status = 'pending'
            order by submission ->> 'submitted_at' limit 5) a));
end
$$;
comment on function public.admin_overview() is 'The dashboard: tiles, alerts, and the five submissions that wait longest.';

create function public.admin_activity(p_limit integer default 20) returns table (
    at timestamptz, kind text, actor text, target_type text, target_id text, details jsonb
)
language plpgsql stable security definer set search_path = '' as $$
begin
    perform private.require_admin();
    return query
    select events.* from (
        (select l.created_at, l.action, 'Super Admin', l.target_type, l.target_id, l.details from public.admin_audit_log l
            order by l.created_at desc limit p_limit)
        union all
        (select p.created_at, p.user_type || '_joined', p.full_name, 'member', p.user_id::text,
            jsonb_build_object('country', p.country) from public.profiles p order by p.created_at desc limit p_limit)
        union all
        (select r.created_at, 'request_posted', p.full_name, 'request', r.id::text,
            jsonb_build_object('car', r.car_make || ' ' || r.car_model)
            from public.car_requests r join public.profiles p on p.user_id = r.importer_id
            order by r.created_at desc limit p_limit)
        union all
        (select o.created_at, 'car_posted', p.full_name, 'post', o.id::text,
            jsonb_build_object('car', o.car_name || ' ' || o.model)
            from public.agent_posts o join public.profiles p on p.user_id = o.agent_id
            order by o.created_at desc limit p_limit)
        union all
        (select d.completed_at, 'deal_completed', p.full_name, 'deal', d.id::text,
            jsonb_build_object('value_usd', d.value_usd)
            from public.deals d join public.profiles p on p.user_id = d.agent_id
            where d.status = 'completed' order by d.completed_at desc limit p_limit)
        union all
        (select v.submitted_at, 'verification_submitted', p.full_name, 'agent', p.user_id::text, '{}'
            from public.agent_verifications v join public.profiles p on p.user_id = v.agent_id
            order by v.submitted_at desc limit p_limit)
    ) as events (at, kind, actor, target_type, target_id, details)
    order by events.at desc, events.kind, events.target_id
    limit least(greatest(p_limit, 0), 100);
end
$$;
comment on function public.admin_activity(integer) is 'What happened lately, the newest first.';

create function public.admin_communication_stats() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
    perform private.require_admin();
    return jsonb_build_object(
        'messages_per_day', (select jsonb_agg(jsonb_build_object('day', day::date, 'messages',
                (select count(*) from public.messages where created_at >= day and created_at < day + interval '1 day'))
                order by day)
            from generate_series(current_date - 29, current_date, interval '1 day') as day),
        'median_first_response_minutes', (select round(extract(epoch from
            percentile_cont(0.5) within group (order by median)) / 60) from private.response_times()),
        'answered_within_24h', private.answered_within(interval '24 hours'),
        'tickets_by_status', (select jsonb_object_agg(status, (select count(*) from public.support_tickets t
                where t.status = known.status))
            from unnest(array['open', 'in_progress', 'waiting_response', 'escalated', 'resolved']) as known (status)));
end
$$;
comment on function public.admin_communication_stats() is 'Messages per day, response time, answered share, tickets by status.';

create function private.answered_within(patience interval) returns numeric
language sql stable security definer set search_path = '' as $$
    with opening as (
        select distinct on (least(sender_id, receiver_id), greatest(sender_id, receiver_id))
            sender_id, receiver_id, created_at
        from public.messages where sender_id is not null and receiver_id is not null
        order by least(sender_id, receiver_id), greatest(sender_id, receiver_id), created_at
    )
    select coalesce(round(100.0 * count(*) filter (where exists (
        select from public.messages m where m.sender_id = o.receiver_id and m.receiver_id = o.sender_id
        and m.created_at between o.created_at and o.created_at + patience)) / nullif(count(*), 0), 1), 0)
    from opening o
$$;
comment on function private.answered_within(interval) is 'The share of conversations whose first message was answered in time, in percent.';

revoke execute on function public.admin_analytics(date, date), public.admin_overview(), public.admin_activity(integer),
    public.admin_communication_stats() from public, anon;
