-- The back office lists the mails that could not be delivered, sends them again or gives them up.

-- A mail that failed is tried again by itself, eight times. Then it is the administrator's: sent again, or given up.
create index notification_outbox_failed_idx on public.notification_outbox (id)
    where sent_at is null and channel = 'email' and error is not null;

create or replace function private.mail_done(notification bigint, failure text) returns void
language sql volatile security definer set search_path = '' as $$
    update public.notification_outbox
    set attempts = attempts + 1, error = left(failure, 2000), tried_at = now(), claimed_at = null,
        sent_at = case when failure is null then now() end,
        due_at = case
            when failure is null then due_at
            when attempts >= 7 or given_up_at is not null then 'infinity'
            else now() + interval '1 minute' * 2 ^ attempts end
    where id = notification
$$;

create function private.mails_for_admin() returns table (
    id bigint, user_id uuid, full_name text, user_type text, email text, kind text, subject text, status text,
    created_at timestamptz, tried_at timestamptz, due_at timestamptz, attempts integer, error text
)
language sql stable security definer set search_path = '' as $$
    select o.id, o.user_id, p.full_name, p.user_type, u.email, o.kind,
        coalesce(private.filled(t.subject, private.facts_of(o)), o.kind),
        case when o.given_up_at is not null then 'given_up' when o.due_at = 'infinity' then 'stopped' else 'waiting' end,
        o.created_at, o.tried_at, nullif(o.due_at, 'infinity'), o.attempts, o.error
    from public.notification_outbox o
    join public.profiles p on p.user_id = o.user_id
    left join auth.users u on u.id = o.user_id
    left join private.notification_texts t on t.kind = o.kind
    where o.sent_at is null and o.channel = 'email' and o.error is not null
$$;
comment on function private.mails_for_admin() is 'Every mail that could not be delivered so far: to whom, about what, how often tried, and why not.';

create function public.admin_mails(
    p_search text default null, p_status text default null, p_limit integer default 25, p_offset integer default 0,
    p_order text default null, p_descending boolean default false, p_after text default null, p_id text default null
) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
    answer jsonb;
begin
    perform private.require_admin();
    perform private.require_order(p_order, 'to', 'subject', 'queued', 'tried', 'attempts', 'status');
    with everything as materialized (select * from private.mails_for_admin()), entries as (
        select array_agg((id::text, array[status],
            case p_order when 'queued' then extract(epoch from created_at)
                when 'tried' then extract(epoch from tried_at)
                when 'attempts' then attempts
                -- what waits for a decision first, then the newest
                else case when p_order is null then array_position(array['stopped', 'waiting', 'given_up'], status)
                    * 100000000000 - extract(epoch from created_at) end end,
            case p_order when 'to' then coalesce(nullif(full_name, ''), email) when 'subject' then subject
                when 'status' then status end)::private.list_entry)
            filter (where case when p_id is null
                then private.matches(p_search, full_name, email, subject, error) else id::text = p_id end) as list
        from everything
    )
    select jsonb_build_object(
        'counts', (select jsonb_build_object('all', count(*), 'stopped', count(*) filter (where status = 'stopped'),
            'waiting', count(*) filter (where status = 'waiting'),
            'given_up', count(*) filter (where status = 'given_up')) from everything),
        'total', page.total, 'next', page.next,
        'rows', (select coalesce(jsonb_agg(to_jsonb(e) order by array_position(page.ids, id::text)), '[]')
            from everything e where id::text = any (page.ids)))
    into answer
    from entries, private.list_page(list, case when p_id is null then p_status end, p_order is not null and p_descending,
        p_limit, p_offset, p_after) page;
    return answer;
end
$$;
comment on function public.admin_mails(text, text, integer, integer, text, boolean, text, text) is
    'Mails that could not be delivered (p_status: stopped, waiting, given_up), those not tried any more first unless p_order names a column.';

create function public.admin_mail_action(p_mail bigint, p_action text) returns void
language plpgsql security definer set search_path = '' as $$
declare
    mail public.notification_outbox;
    gives_up constant boolean := p_action = 'give_up';
begin
    perform private.require_admin();
    if p_action is null or p_action not in ('send_again', 'give_up') then
        raise exception 'Unknown step "%"', p_action using errcode = '22023';
    end if;
    select * into mail from public.notification_outbox where id = p_mail and channel = 'email' for update;
    if not found then
        raise exception 'There is no such mail' using errcode = 'P0002';
    elsif mail.sent_at is not null then
        raise exception 'This mail has been delivered meanwhile.' using errcode = 'P0001';
    elsif mail.claimed_at > now() - private.mail_lease() then
        raise exception 'This mail is on its way right now. Please look again in a minute.' using errcode = 'P0001';
    elsif gives_up and mail.given_up_at is not null or not gives_up and mail.due_at <= now() then
        return; -- pressed twice
    elsif not gives_up and not exists (
        select from public.notification_preferences p
        join private.notification_texts t on t.kind = mail.kind and private.wants_mail(p, t.topic)
        where p.user_id = mail.user_id) then
        raise exception 'This member does not want such mails any more.' using errcode = 'P0001';
    end if;
    update public.notification_outbox
    set given_up_at = case when gives_up then now() end,
        due_at = case when gives_up then 'infinity'::timestamptz else now() end
    where id = p_mail;
    perform private.audit('mail_' || p_action, 'mail', p_mail::text,
        jsonb_build_object('kind', mail.kind, 'attempts', mail.attempts));
end
$$;
comment on function public.admin_mail_action(bigint, text) is
    'One step of a mail that could not be delivered: send_again, at once and with its next tries, or give_up.';

create or replace function private.audit_target(target_type text, target_id text) returns text
language sql stable security definer set search_path = '' as $$
    select case
        when target_type in ('agent', 'member') then
            (select full_name from public.profiles where user_id::text = target_id)
        when target_type = 'request' then
            (select car_make || ' ' || car_model from public.car_requests where id::text = target_id)
        when target_type = 'ticket' then (select subject from public.support_tickets where id::text = target_id)
        when target_type = 'mail' then (
            select p.full_name from public.notification_outbox o join public.profiles p on p.user_id = o.user_id
            where o.id::text = target_id)
        when target_type = 'setting' then target_id
        when target_type = 'report' then (
            select concat_ws(' – ', a.full_name, b.full_name) from public.conversation_reports r
            left join public.profiles a on a.user_id = r.reporter_id
            left join public.profiles b on b.user_id = r.counterpart_id
            where r.id::text = target_id) end
$$;

-- what was given up waits for nobody; disputes that came by a ticket are counted beside those of requests
create or replace function private.overview_alerts() returns jsonb
language sql stable security definer set search_path = '' as $$
    select coalesce(jsonb_agg(jsonb_build_object('kind', kind, 'severity', severity, 'count', count) order by rank), '[]')
    from (values
        (1, 'disputed_requests', 'high', (select count(*) from public.request_cases where status = 'disputed')),
        (2, 'disputed_deals', 'high', (
            select count(*) from public.support_tickets where status <> 'resolved' and 'dispute' = any (tags))),
        (3, 'reported_conversations', 'high', (select count(*) from public.conversation_reports where status = 'open')),
        (4, 'escalated_tickets', 'high', (select count(*) from public.support_tickets where status = 'escalated')),
        (5, 'pending_agents', 'medium', (select count(*) from private.agents_for_admin() where status = 'pending')),
        (6, 'requests_to_approve', 'medium', (select count(*) from public.request_cases where status = 'pending_approval')),
        (7, 'undelivered_notifications', 'low', (
            select count(*) from public.notification_outbox
            where sent_at is null and channel = 'email' and error is not null and given_up_at is null))
    ) as alerts (rank, kind, severity, count)
    where count > 0
$$;

revoke execute on function private.mails_for_admin() from public;
revoke execute on function public.admin_mails(text, text, integer, integer, text, boolean, text, text),
    public.admin_mail_action(bigint, text) from public, anon;
