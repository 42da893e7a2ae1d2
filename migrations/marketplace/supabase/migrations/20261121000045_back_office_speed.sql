-- The back office on a platform of years: days have an index, and a page of requests is only a page.

create index messages_created_at_idx on public.messages (created_at);
create index car_requests_created_at_idx on public.car_requests (created_at);
create index profiles_created_at_idx on public.profiles (created_at);
create index invitations_created_at_idx on public.invitations (created_at);

-- As before, but only the rows of the page become JSON.
create or replace function public.admin_requests(
    p_search text default null, p_status text default null, p_limit integer default 25, p_offset integer default 0
) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
    counts jsonb;
    page jsonb;
begin
    perform private.require_admin();
    select jsonb_build_object('all', count(*), 'pending_approval', count(*) filter (where c.status = 'pending_approval'),
            'in_progress', count(*) filter (where c.status = 'in_progress'),
            'pending_agent', count(*) filter (where c.status = 'pending_agent'),
            'disputed', count(*) filter (where c.status = 'disputed'),
            'completed', count(*) filter (where c.status = 'completed'),
            'cancelled', count(*) filter (where c.status = 'cancelled'))
    into counts from public.request_cases c;
    with found as materialized (
        select c.request_id, c.status, r.created_at
        from public.request_cases c
        join public.car_requests r on r.id = c.request_id
        join public.profiles p on p.user_id = r.importer_id
        left join public.profiles a on a.user_id = c.assigned_agent_id
        where (coalesce(p_status, '') in ('', 'all') or c.status = p_status)
            and private.matches(p_search, r.car_make, r.car_model, p.full_name, p.country, a.full_name)
    ), paged as (
        select * from found
        order by array_position(array['disputed', 'pending_approval', 'pending_agent', 'in_progress'], status),
            created_at desc, request_id
        limit least(greatest(coalesce(p_limit, 25), 0), 1000) offset greatest(coalesce(p_offset, 0), 0)
    )
    select jsonb_build_object('total', (select count(*) from found), 'rows', coalesce((
        select jsonb_agg(private.request_for_admin(request_id)
            order by array_position(array['disputed', 'pending_approval', 'pending_agent', 'in_progress'], status),
                created_at desc, request_id)
        from paged), '[]'))
    into page;
    return jsonb_build_object('counts', counts) || page;
end
$$;

create function private.request_for_admin(request uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
    select jsonb_build_object('id', r.id, 'importer_id', r.importer_id, 'importer_name', p.full_name,
        'importer_country', p.country, 'car_make', r.car_make, 'car_model', r.car_model, 'year_range', r.year_range,
        'budget_min', r.budget_min, 'budget_max', r.budget_max, 'shipping_port', r.shipping_port,
        'description', r.description, 'request_status', r.status, 'created_at', r.created_at, 'status', c.status,
        'priority', c.priority, 'progress', c.progress, 'assigned_agent_id', c.assigned_agent_id,
        'assigned_agent', a.full_name, 'dispute_reason', c.dispute_reason, 'evidence', c.evidence, 'notes', c.notes,
        'invitations', (select count(*) from public.invitations i where i.request_id = r.id))
    from public.car_requests r
    join public.request_cases c on c.request_id = r.id
    join public.profiles p on p.user_id = r.importer_id
    left join public.profiles a on a.user_id = c.assigned_agent_id
    where r.id = request
$$;
comment on function private.request_for_admin(uuid) is 'One request with its case.';
revoke execute on function private.request_for_admin(uuid) from public;

drop function private.requests_for_admin();
