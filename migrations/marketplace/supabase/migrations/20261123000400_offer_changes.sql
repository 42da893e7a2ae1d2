-- What changed of a list of offers since it was read, in one small answer; and how many there are in each state.

-- Changed lately: what a list that is shown has missed.
create index agent_posts_changed_idx on public.agent_posts (updated_at);

create function private.offer_visible(s private.offer_search) returns text
language sql immutable set search_path = '' as $$
    select case when s.hidden <> '{}' then 'o.agent_id <> all (($1).hidden)' else 'true' end
$$;
comment on function private.offer_visible(private.offer_search) is 'Who may see an offer at all.';

-- `o` is the offer, `a` its agent, $1 the search.
create function private.offer_card() returns text
language sql immutable set search_path = '' as $$
    select $sql$o.id, o.agent_id, o.car_name, o.model, o.variant, o.year, o.mileage_km, o.engine_size, o.transmission,
        o.fuel_type, o.drivetrain, o.color, o.location, o.condition, o.body, left(o.description, 400) as description, o.image_url,
        o.cnf_price, o.availability_status, o.auction_date, o.created_at,
        case when a.is_confirmed or a.user_id = ($1).viewer or private.is_admin() then jsonb_build_object(
            'full_name', a.full_name, 'country', a.country, 'company_name', a.company_name, 'avatar_url', a.avatar_url,
            'verification_status', a.verification_status, 'verified_at', a.verified_at) end as agent,
        exists (select from public.saved_posts k where k.user_id = ($1).viewer and k.post_id = o.id) as is_saved,
        exists (select from public.follows f where f.follower_id = ($1).viewer and f.following_id = o.agent_id) as is_followed$sql$
$$;
comment on function private.offer_card() is 'What a list shows of an offer, as columns of a statement.';

create or replace function public.search_offers(p jsonb default '{}') returns table (
    id uuid, agent_id uuid, car_name text, model text, variant text, year integer, mileage_km integer, engine_size text,
    transmission text, fuel_type text, drivetrain text, color text, location text, condition text, body text,
    description text, image_url text, cnf_price numeric, availability_status text, auction_date date,
    created_at timestamptz, agent jsonb, is_saved boolean, is_followed boolean, cursor text)
language plpgsql stable security definer set search_path = '' rows 24 as $$
declare
    s private.offer_search := private.read_search(p);
    ordered record;
begin
    select * into ordered from private.offer_order(s.sort);
    return query execute format($sql$
        with page as (
            select o.*, (%1$s)::text as at
            from public.agent_posts o where %2$s and %3$s order by %1$s %4$s, o.id %4$s limit %5$s)
        select %6$s, private.offer_cursor(($1).sort, o.at, o.id)
        from page o join public.profiles a on a.user_id = o.agent_id
        order by %1$s %4$s, o.id %4$s$sql$,
        ordered.expression, private.offer_conditions(s),
        case when s.after_id is null then 'true' else format('(%s, o.id) %s (($1).after_value::%s, ($1).after_id)',
            ordered.expression, case ordered.direction when 'asc' then '>' else '<' end, ordered.type) end,
        ordered.direction, s.page_size, private.offer_card()) using s;
end
$$;

-- In one pass, and each state whatever the search says of states: the tabs above a list count them all.
create function private.count_states(s private.offer_search, out in_stock integer, out auction integer, out reserved integer, out sold integer)
language plpgsql stable security definer set search_path = '' as $$
begin
    s.status := null;
    execute format($sql$
        select count(*) filter (where o.availability_status = 'available' and coalesce(o.auction_date < ($1).today, true)),
            count(*) filter (where o.availability_status = 'available' and o.auction_date >= ($1).today),
            count(*) filter (where o.availability_status = 'pending'), count(*) filter (where o.availability_status = 'sold')
        from public.agent_posts o where %s$sql$, private.offer_conditions(s))
    into in_stock, auction, reserved, sold using s;
end
$$;
comment on function private.count_states(private.offer_search) is 'How many offers of each state fit.';

create function private.offer_counts(s private.offer_search) returns jsonb
language sql stable security definer set search_path = '' as $$
    select jsonb_build_object('total', coalesce(sum(n.n) filter (where s.status is null or n.state = any (s.status)), 0),
        'states', jsonb_object_agg(n.state, n.n), 'read_as', s.read_as)
    from private.count_states(s) c,
        lateral (values ('in-stock', c.in_stock), ('auction', c.auction), ('reserved', c.reserved), ('sold', c.sold)) as n(state, n)
$$;
comment on function private.offer_counts(private.offer_search) is 'How many offers fit, in all and of each state.';

drop function public.count_offers(jsonb);
create function public.count_offers(p jsonb default '{}') returns jsonb
language sql stable security definer set search_path = '' as $$
    select private.offer_counts(private.read_search(p - 'cursor'))
$$;
comment on function public.count_offers(jsonb) is
    'How many offers fit: total, states (each, whatever the search says of states), and read_as, how mistyped words were read.';

-- Prices have cents: `under $15,000` is -14999.99.
create or replace function private.search_range(p jsonb, key text) returns numrange
language plpgsql immutable set search_path = '' as $$
declare
    number text := case key when 'price' then '\d{0,9}(?:\.\d{1,2})?' else '\d{0,9}' end;
    ends text[];
begin
    if coalesce(p ->> key, '') = '' then
        return null;
    end if;
    ends := regexp_match(p ->> key, format('^(%1$s)-(%1$s)$', number));
    if ends is null or (ends[1] <> '' and ends[2] <> '' and ends[1]::numeric > ends[2]::numeric) then
        perform private.refuse_search(key);
    end if;
    return numrange(nullif(ends[1], '')::numeric, nullif(ends[2], '')::numeric, '[]');
end
$$;

create function private.refuse_many(shown uuid[]) returns void
language plpgsql immutable set search_path = '' as $$
begin
    if cardinality(shown) > 1000 then
        perform private.refuse_search('shown');
    end if;
end
$$;
comment on function private.refuse_many(uuid[]) is 'Refuses to look after more offers than a screen shows.';

-- How long ago, not when: clocks of browsers go as they like.
create function public.offer_changes(p jsonb, p_seconds integer, p_shown uuid[] default '{}') returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
    s private.offer_search := private.read_search(p - 'cursor');
    told jsonb;
begin
    perform private.refuse_many(p_shown);
    -- Ten seconds more: what is written in a transaction carries the time of its beginning.
    execute format($sql$
        with changed as (
            select o.*, (%2$s) is true as fits from public.agent_posts o
            where o.updated_at >= now() - $2 and %1$s and (o.id = any ($3) or %2$s)
            order by o.updated_at desc limit 61),
        cards as (
            select o.fits, %3$s from (select * from changed order by updated_at desc limit 60) o
            join public.profiles a on a.user_id = o.agent_id)
        select jsonb_build_object(
            'rows', coalesce((select jsonb_agg(to_jsonb(c) order by c.created_at desc, c.id desc) from cards c), '[]'),
            'is_more', (select count(*) > 60 from changed),
            'gone', coalesce((select jsonb_agg(shown) from unnest($3) as shown
                where not exists (select from public.agent_posts o where o.id = shown and %1$s)), '[]'))$sql$,
        private.offer_visible(s), private.offer_conditions(s), private.offer_card())
    into told using s, make_interval(secs => greatest(coalesce(p_seconds, 0), 0) + 10.0), coalesce(p_shown, '{}');
    return told || jsonb_build_object('counts', private.offer_counts(s));
end
$$;
comment on function public.offer_changes(jsonb, integer, uuid[]) is
    'What a list of offers missed in the last seconds: rows that changed and fit or are shown, which of those shown are gone, the counts now. is_more: too much, read the list again.';

revoke execute on function private.offer_visible(private.offer_search), private.offer_card(), private.count_states(private.offer_search),
    private.offer_counts(private.offer_search), private.refuse_many(uuid[]) from public, anon;
revoke execute on function public.count_offers(jsonb), public.offer_changes(jsonb, integer, uuid[]) from public, anon;
grant execute on function public.count_offers(jsonb), public.offer_changes(jsonb, integer, uuid[]) to authenticated, service_role;
