-- Importers who take invitations are searched in the database, a page at a time. Suspended ones are nobody to invite.

create index profiles_invitable_idx on public.profiles (created_at desc, id desc)
    where user_type = 'importer' and allow_invitations and status = 'active';

create function public.cursor(public.profiles) returns text
language sql stable set search_path = '' as $$ select private.offer_cursor('new', ($1.created_at)::text, $1.id) $$;
comment on function public.cursor(public.profiles) is 'Where search_importers goes on behind the importer.';

create type private.importer_search as (q text, place text[], country text[], brand text[], page_size integer,
    after_at timestamptz, after_id uuid);
comment on type private.importer_search is 'A search for importers, checked.';

create function private.read_importer_search(p jsonb) returns private.importer_search
language plpgsql stable security definer set search_path = '' as $$
declare
    s private.importer_search;
    unknown text;
begin
    if jsonb_typeof(p) is distinct from 'object' then
        perform private.refuse_search('search');
    end if;
    select key into unknown from jsonb_object_keys(p) as key
    where key not in ('q', 'place', 'country', 'brand', 'cursor', 'limit') limit 1;
    if unknown is not null or length(p ->> 'q') > 100 then
        perform private.refuse_search(coalesce(unknown, 'q'));
    end if;
    s.q := nullif(lower(btrim(p ->> 'q')), '');
    s.place := private.search_list(p, 'place'); s.country := private.search_list(p, 'country');
    s.brand := private.search_list(p, 'brand'); s.page_size := private.search_page_size(p);
    select c.value::timestamptz, c.id into s.after_at, s.after_id from private.read_cursor(p, 'new', 'timestamptz') c;
    return s;
end
$$;
comment on function private.read_importer_search(jsonb) is
    'A search as a caller wrote it, checked; what cannot be read is refused with 22023.';

create function private.invitable_importers(s private.importer_search) returns setof public.profiles
language sql stable security invoker set search_path = '' as $$
    select i.* from public.profiles i
    where i.user_type = 'importer' and i.allow_invitations and i.status = 'active'
        and (s.country is null or lower(i.country) = any (s.country))
        and (s.brand is null or exists (
            select from unnest(i.interested_car_brands) as b where lower(b) = any (s.brand)))
        and (s.q is null or lower(i.country) = any (s.place) or strpos(lower(concat_ws(' ', i.full_name,
            i.company_name, array_to_string(i.interested_car_brands, ' '))), s.q) > 0)
$$;
comment on function private.invitable_importers(private.importer_search) is 'The importers that fit, of those the caller may see.';

create function public.search_importers(p jsonb default '{}') returns setof public.profiles
language sql stable security invoker set search_path = '' rows 24 as $$
    select i.* from private.read_importer_search(p) s, private.invitable_importers(s) i
    where s.after_id is null or (i.created_at, i.id) < (s.after_at, s.after_id)
    order by i.created_at desc, i.id desc limit (select r.page_size from private.read_importer_search(p) r)
$$;
comment on function public.search_importers(jsonb) is
    'A page of the importers who take invitations and fit, newest first; the cursor of its last row asks for the next one.';

-- The choices are those of all, whatever else is asked for.
create function public.count_importers(p jsonb default '{}') returns jsonb
language sql stable security invoker set search_path = '' as $$
    with everybody as (
        select i.country, i.interested_car_brands from private.invitable_importers(null) i)
    select jsonb_build_object(
        'total', (select count(*) from private.read_importer_search(p - 'cursor') s, private.invitable_importers(s)),
        'countries', coalesce((select jsonb_agg(distinct e.country) from everybody e where e.country is not null), '[]'),
        'brands', coalesce((select jsonb_agg(distinct b) from everybody e, unnest(e.interested_car_brands) as b), '[]'))
$$;
comment on function public.count_importers(jsonb) is
    'How many importers who take invitations fit; the countries they come from and the brands they want, of all.';

revoke execute on function private.read_importer_search(jsonb),
    private.invitable_importers(private.importer_search) from public, anon;
revoke execute on function public.cursor(public.profiles), public.search_importers(jsonb), public.count_importers(jsonb)
    from public, anon;
grant execute on function private.read_importer_search(jsonb), private.invitable_importers(private.importer_search),
    public.cursor(public.profiles), public.search_importers(jsonb), public.count_importers(jsonb)
    to authenticated, service_role;
