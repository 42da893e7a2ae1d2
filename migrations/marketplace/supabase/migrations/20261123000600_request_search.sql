-- Requests are searched in the database, a page at a time. The policy of the table decides what a caller sees.

create index car_requests_newest_idx on public.car_requests (status, created_at desc, id desc);
create index car_requests_own_idx on public.car_requests (importer_id, created_at desc, id desc);
drop index public.car_requests_status_idx;
drop index public.car_requests_importer_id_idx;

create type private.request_search as (
    q text, place text[], country text[], make text[], condition text[], urgency text[], status text[], budget numrange,
    mine boolean, page_size integer, after_at timestamptz, after_id uuid, viewer uuid);
comment on type private.request_search is 'A search for requests, checked.';

-- As its owner, for callers may not use what reads the keys; it reads no table.
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
        select r.id, r.importer_id, r.car_make, r.car_model, r.year_range, r.budget_min, r.budget_max, r.condition,
            r.fuel_type, r.transmission, r.description, r.urgency, r.shipping_port, r.is_flexible_budget,
            r.is_flexible_year, r.status, r.created_at, r.updated_at,
            case when i.user_id is not null then jsonb_build_object('full_name', i.full_name, 'country', i.country,
                'city', i.city, 'avatar_url', i.avatar_url) end,
            private.offer_cursor('new', r.created_at::text, r.id)
        from public.car_requests r left join public.profiles i on i.user_id = r.importer_id
        where (($1).after_id is null or (r.created_at, r.id) < (($1).after_at, ($1).after_id)) and %s
        order by r.created_at desc, r.id desc limit %s$sql$, private.request_conditions(), s.page_size) using s;
end
$$;
comment on function public.search_requests(jsonb) is
    'A page of the requests that fit, newest first; the cursor of its last row asks for the next one.';

create function public.count_requests(p jsonb default '{}') returns table (total integer, is_more boolean)
language plpgsql stable security invoker set search_path = '' rows 1 as $$
declare
    s private.request_search := private.read_request_search(p - 'cursor');
begin
    execute format($sql$
        select least(count(*), 10000), count(*) > 10000 from (
            select from public.car_requests r left join public.profiles i on i.user_id = r.importer_id
            where %s limit 10001) found$sql$, private.request_conditions()) into total, is_more using s;
    return next;
end
$$;
comment on function public.count_requests(jsonb) is 'How many requests fit: exactly up to 10,000, then is_more.';

revoke execute on function private.read_request_search(jsonb), private.request_conditions() from public, anon;
revoke execute on function public.search_requests(jsonb), public.count_requests(jsonb) from public, anon;
grant execute on function private.read_request_search(jsonb), private.request_conditions(),
    private.offer_cursor(text, text, uuid) to authenticated, service_role;
grant execute on function public.search_requests(jsonb), public.count_requests(jsonb) to authenticated, service_role;
