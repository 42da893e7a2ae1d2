-- The record of what administrators did is a list of its own, and names who did it.

create function private.administrator(id uuid) returns text
language sql stable security definer set search_path = '' as $$
    select u.email from auth.users u where u.id = administrator.id
$$;
comment on function private.administrator(uuid) is 'The address of the administrator who did something; nothing when the account is gone.';

create function private.audit_target(target_type text, target_id text) returns text
language sql stable security definer set search_path = '' as $$
    select case
        when target_type in ('agent', 'member') then
            (select full_name from public.profiles where user_id::text = target_id)
        when target_type = 'request' then
            (select car_make || ' ' || car_model from public.car_requests where id::text = target_id)
        when target_type = 'ticket' then (select subject from public.support_tickets where id::text = target_id)
        when target_type = 'setting' then target_id
        when target_type = 'report' then (
            select concat_ws(' – ', a.full_name, b.full_name) from public.conversation_reports r
            left join public.profiles a on a.user_id = r.reporter_id
            left join public.profiles b on b.user_id = r.counterpart_id
            where r.id::text = target_id) end
$$;
comment on function private.audit_target(text, text) is 'What an entry of the record is about, by its name of today; nothing when it is gone.';

-- answers {total, counts, rows, next, administrators}: the counts are those of every kind of target in these days
create function public.admin_audit(
    p_search text default null, p_status text default null, p_limit integer default 25, p_who uuid default null,
    p_from date default null, p_to date default null, p_descending boolean default true, p_after text default null,
    p_id text default null
) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
    answer jsonb;
    size constant integer := least(greatest(coalesce(p_limit, 25), 0), 1000);
begin
    perform private.require_admin();
    with found as (
        select l.* from public.admin_audit_log l
        where case when p_id is null then (p_who is null or l.admin_id = p_who)
            and (p_from is null or l.created_at >= p_from) and (p_to is null or l.created_at < p_to + 1)
            -- names are looked up only for what is searched or shown
            and (coalesce(p_search, '') = '' or private.matches(p_search, private.administrator(l.admin_id), l.action,
                replace(l.action, '_', ' '), private.audit_target(l.target_type, l.target_id), l.target_id, l.details::text))
            else l.id::text = p_id end
    ), kept as (
        select * from found where p_id is not null or coalesce(p_status, '') in ('', 'all') or target_type = p_status
    ), rest as (
        select * from kept
        where coalesce(p_after, '') = ''
            or case when p_descending then id < p_after::bigint else id > p_after::bigint end
    ), page as (
        select r.id, r.created_at, r.admin_id, private.administrator(r.admin_id) as administrator, r.action, r.target_type,
            r.target_id, private.audit_target(r.target_type, r.target_id) as target, r.details
        from (select * from rest order by case when p_descending then -id else id end limit size) r
    )
    select jsonb_build_object(
        'total', (select count(*) from kept),
        'counts', (select jsonb_object_agg(kind, (select count(*) from found where kind in ('all', target_type)))
            from unnest(array['all', 'agent', 'member', 'request', 'ticket', 'report', 'setting']) as known (kind)),
        'rows', (select coalesce(jsonb_agg(to_jsonb(page) order by case when p_descending then -id else id end), '[]') from page),
        'next', case when (select count(*) from rest) > size
            then (select (case when p_descending then min(id) else max(id) end)::text from page) end,
        'administrators', (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'email', private.administrator(id))), '[]')
            from (select distinct admin_id from public.admin_audit_log where admin_id is not null) as acted (id)))
    into answer;
    return answer;
end
$$;
comment on function public.admin_audit(text, text, integer, uuid, date, date, boolean, text, text) is
    'What administrators did: by whom, about what (p_status: agent, member, request, ticket, report, setting) and when.';

create function public.admin_open_document(p_submission uuid, p_document text) returns void
language plpgsql security definer set search_path = '' as $$
declare
    agent uuid;
begin
    perform private.require_admin();
    if p_document is null or p_document not in ('identity_document', 'company_proof') then
        raise exception 'Unknown document "%"', p_document using errcode = '22023';
    end if;
    select agent_id into agent from public.agent_verifications where id = p_submission;
    if agent is null then
        raise exception 'There is no such submission' using errcode = 'P0002';
    end if;
    perform private.audit('open_document', 'agent', agent::text,
        jsonb_build_object('document', p_document, 'submission', p_submission));
end
$$;
comment on function public.admin_open_document(uuid, text) is 'Notes in the record which document of a submission the administrator opened.';

create function public.admin_opened_documents(p_submission uuid) returns setof text
language plpgsql stable security definer set search_path = '' as $$
begin
    perform private.require_admin();
    return query select distinct details ->> 'document' from public.admin_audit_log
        where action = 'open_document' and admin_id = auth.uid() and details ->> 'submission' = p_submission::text;
end
$$;
comment on function public.admin_opened_documents(uuid) is 'Which documents of a submission the caller has opened before.';

create index admin_audit_log_documents_idx on public.admin_audit_log ((details ->> 'submission'))
    where action = 'open_document';

-- As before, but whoever acted is named, and what the entry is about; a look at a document is only in the record.
create or replace function public.admin_activity(p_limit integer default 20) returns table (
    at timestamptz, kind text, actor text, target_type text, target_id text, details jsonb
)
language plpgsql stable security definer set search_path = '' as $$
begin
    perform private.require_admin();
    return query
    select events.* from (
        (select l.created_at, l.action, coalesce(private.administrator(l.admin_id), 'Super Admin'), l.target_type, l.target_id,
            l.details || jsonb_strip_nulls(jsonb_build_object('target', private.audit_target(l.target_type, l.target_id)))
            from public.admin_audit_log l where l.action <> 'open_document' order by l.created_at desc limit p_limit)
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

revoke execute on function private.administrator(uuid), private.audit_target(text, text) from public;
revoke execute on function public.admin_audit(text, text, integer, uuid, date, date, boolean, text, text),
    public.admin_open_document(uuid, text), public.admin_opened_documents(uuid) from public, anon;
