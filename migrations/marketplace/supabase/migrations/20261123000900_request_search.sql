-- Requests are searched in the database, a page at a time. The policy of the table decides what a caller sees.

create index car_requests_newest_idx on public.car_requests (status, created_at desc, id desc);
create index car_requests_own_idx on public.car_requests (importer_id, created_at desc, id desc);
drop index public.car_requests_status_idx;
drop index public.car_requests_importer_id_idx;
-- Changed lately: what a list that is shown has missed.
create index car_requests_changed_idx on public.car_requests (updated_at);

-- Read once a statement, where a question for each row took longer than all else.
create function private.invited_requests() returns setof uuid
language sql stable security definer set search_path = '' as $$
    select request_id from public.invitations where agent_id = auth.uid() and request_id is not null
$$;
comment on function private.invited_requests() is 'The requests whose importers the caller invited because of them.';
revoke execute on function private.invited_requests() from public, anon;
grant execute on function private.invited_requests() to authenticated, service_role;
alter policy "Importers see their own requests, agents open and invited ones" on public.car_requests
    using (
        importer_id = (select auth.uid())
        or (select private.is_admin())
        or (
            ((status = 'active' and (select private.is_active_agent())) or id in (select private.invited_requests()))
            and not (importer_id = any (array(select private.suspended_users())))
        ));
drop function private.invited_to(uuid);

create type private.request_search as (
    q text, place text[], country text[], make text[], condition text[], urgency text[], status text[], budget numrange,
    mine boolean, page_size integer, after_at timestamptz, after_id uuid, viewer uuid);
comment on type private.request_search is 'A search for requests, checked.';

-- As its owner, for callers may not use what reads the keys; of tables it reads only who the caller is.
create function private.read_request_search(p jsonb) returns private.request_search
language plpgsql stable security definer set search_path = '' as $$
declare
    s private.request_search;
    unknown text;
begin
    if jsonb_typeof(p) is distinct from 'object' then
        perform private.refuse_search('search');
    end if;
    select key into unknown from jsonb_object_keys(p) as key where key not in (
        'q', 'place', 'country', 'make', 'condition', 'urgency', 'status', 'budget', 'mine', 'cursor', 'limit') limit 1;
    if unknown is not null or length(p ->> 'q') > 100 then
        perform private.refuse_search(coalesce(unknown, 'q'));
    end if;
    s.q := nullif(lower(btrim(p ->> 'q')), '');
    s.place := private.search_list(p, 'place'); s.country := private.search_list(p, 'country');
    s.make := private.search_list(p, 'make'); s.condition := private.search_list(p, 'condition');
    s.urgency := private.search_list(p, 'urgency'); s.status := private.search_list(p, 'status');
    s.budget := private.search_range(p, 'budget'); s.mine := private.search_flag(p, 'mine');
    s.page_size := private.search_page_size(p);
    select c.value::timestamptz, c.id into s.after_at, s.after_id from private.read_cursor(p, 'new', 'timestamptz') c;
    s.viewer := auth.uid();
    -- Who sees the own ones alone has them found by their index.
    s.mine := s.mine or (private.my_user_type() is not distinct from 'importer' and private.is_admin() is not true
        and not exists (select from public.invitations where agent_id = s.viewer));
    return s;
end
$$;
comment on function private.read_request_search(jsonb) is
    'A search as a caller wrote it, checked; what cannot be read is refused with 22023.';

-- The values come from $1, a request_search: planned anew each time, so that what is not asked costs nothing.
create function private.request_conditions() returns text
language sql immutable parallel safe set search_path = '' as $sql$
    select $$(not ($1).mine or r.importer_id = ($1).viewer)
        and (($1).status is null or r.status = any (($1).status))
        and (($1).urgency is null or r.urgency = any (($1).urgency))
        and (($1).make is null or lower(r.car_make) = any (($1).make))
        and (($1).condition is null or lower(r.condition) = any (($1).condition))
        and (($1).budget is null or r.budget_max > coalesce(lower(($1).budget), -1)
            and (upper_inf(($1).budget) or r.budget_max <= upper(($1).budget)))
        and (($1).country is null or lower(i.country) = any (($1).country))
        and (($1).q is null or lower(i.country) = any (($1).place)
            or strpos(lower(concat_ws(' ', r.car_make, r.car_model, i.city)), ($1).q) > 0)$$
$sql$;
comment on function private.request_conditions() is 'All a request has to fulfil to be found.';

-- `r` is the request, `i` its importer.
create function private.request_card() returns text
language sql immutable parallel safe set search_path = '' as $sql$
    select $$r.id, r.importer_id, r.car_make, r.car_model, r.year_range, r.budget_min, r.budget_max, r.condition,
        r.fuel_type, r.transmission, r.description, r.urgency, r.shipping_port, r.is_flexible_budget,
        r.is_flexible_year, r.status, r.created_at, r.updated_at,
        case when i.user_id is not null then jsonb_build_object('full_name', i.full_name, 'country', i.country,
            'city', i.city, 'avatar_url', i.avatar_url) end as importer,
        private.offer_cursor('new', r.created_at::text, r.id) as cursor$$
$sql$;
comment on function private.request_card() is 'What a list shows of a request, as columns of a statement.';

create function public.cursor(public.car_requests) returns text
language sql stable set search_path = '' as $$ select private.offer_cursor('new', ($1.created_at)::text, $1.id) $$;
comment on function public.cursor(public.car_requests) is 'Where search_requests goes on behind the request.';

create function public.search_requests(p jsonb default '{}') returns table (
    id uuid, importer_id uuid, car_make text, car_model text, year_range text, budget_min numeric, budget_max numeric,
    condition text, fuel_type text, transmission text, description text, urgency text, shipping_port text,
    is_flexible_budget boolean, is_flexible_year boolean, status text, created_at timestamptz, updated_at timestamptz,
    importer jsonb, cursor text)
language plpgsql stable security invoker set search_path = '' rows 24 as $$
declare
    s private.request_search := private.read_request_search(p);
begin
    return query execute format($sql$
        select %s from public.car_requests r left join public.profiles i on i.user_id = r.importer_id
        where (($1).after_id is null or (r.created_at, r.id) < (($1).after_at, ($1).after_id)) and %s
        order by r.created_at desc, r.id desc limit %s$sql$,
        private.request_card(), private.request_conditions(), s.page_size) using s;
end
$$;
comment on function public.search_requests(jsonb) is
    'A page of the requests that fit, newest first; the cursor of its last row asks for the next one.';

-- In one pass. Of the own requests those of every state are counted, for the tabs above the list show them all.
create function public.count_requests(p jsonb default '{}') returns jsonb
language plpgsql stable security invoker set search_path = '' as $$
declare
    s private.request_search := private.read_request_search(p - 'cursor');
    counted jsonb;
begin
    execute format($sql$
        with n as (
            select r.status, i.country, count(*) as n, count(*) filter (where %s) as fits
            from public.car_requests r left join public.profiles i on i.user_id = r.importer_id
            where case when ($1).mine then r.importer_id = ($1).viewer
                else ($1).status is null or r.status = any (($1).status) end
            group by r.status, i.country)
        select jsonb_build_object('total', coalesce(sum(n.fits), 0),
            'all', coalesce(sum(n.n) filter (where ($1).status is null or n.status = any (($1).status)), 0),
            'states', coalesce((select jsonb_object_agg(of.status, of.n) from (
                select m.status, sum(m.n) as n from n m group by m.status) of), '{}'),
            'countries', coalesce(jsonb_agg(distinct n.country) filter (where n.country is not null), '[]'))
        from n$sql$, private.request_conditions()) into counted using s;
    return counted;
end
$$;
comment on function public.count_requests(jsonb) is
    'How many requests fit: total; all of that status (and own), whatever else is asked for; states of these; countries they come from.';

-- How long ago, not when: clocks of browsers go as they like.
create function public.request_changes(p jsonb, p_seconds integer, p_shown uuid[] default '{}') returns jsonb
language plpgsql stable security invoker set search_path = '' as $$
declare
    s private.request_search := private.read_request_search(p - 'cursor');
    told jsonb;
begin
    if cardinality(p_shown) > 1000 then
        perform private.refuse_search('shown');
    end if;
    -- Ten seconds more: what is written in a transaction carries the time of its beginning.
    execute format($sql$
        with changed as (
            select %2$s from public.car_requests r left join public.profiles i on i.user_id = r.importer_id
            where r.updated_at >= now() - $2 and %1$s order by r.updated_at desc limit 61)
        select jsonb_build_object(
            'rows', coalesce((select jsonb_agg(to_jsonb(c) order by c.created_at desc, c.id desc) from changed c), '[]'),
            'is_more', (select count(*) > 60 from changed),
            'gone', coalesce((select jsonb_agg(shown) from unnest($3) as shown where shown not in (
                select r.id from public.car_requests r left join public.profiles i on i.user_id = r.importer_id
                where r.id = any ($3) and %1$s)), '[]'))$sql$, private.request_conditions(), private.request_card())
    into told using s, make_interval(secs => greatest(coalesce(p_seconds, 0), 0) + 10.0), coalesce(p_shown, '{}');
    return told || jsonb_build_object('counts', public.count_requests(p));
end
$$;
comment on function public.request_changes(jsonb, integer, uuid[]) is
    'What a list of requests missed in the last seconds: rows that changed and fit, which of those shown are gone or fit no longer, the counts now. is_more: too much, read the list again.';

revoke execute on function private.read_request_search(jsonb), private.request_conditions(), private.request_card()
    from public, anon;
revoke execute on function public.search_requests(jsonb), public.count_requests(jsonb),
    public.request_changes(jsonb, integer, uuid[]), public.cursor(public.car_requests) from public, anon;
grant execute on function private.read_request_search(jsonb), private.request_conditions(), private.request_card(),
    private.refuse_search(text), private.offer_cursor(text, text, uuid) to authenticated, service_role;
grant execute on function public.search_requests(jsonb), public.count_requests(jsonb),
    public.request_changes(jsonb, integer, uuid[]), public.cursor(public.car_requests) to authenticated, service_role;
