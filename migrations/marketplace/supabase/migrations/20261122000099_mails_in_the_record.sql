-- What administrators did with mails is counted in the record's tabs, as everything else is.

create or replace function public.admin_audit(
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
            from unnest(array['all', 'agent', 'member', 'request', 'ticket', 'report', 'mail', 'setting']) as known (kind)),
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
    'What administrators did: by whom, about what (p_status: agent, member, request, ticket, report, mail, setting) and when.';
