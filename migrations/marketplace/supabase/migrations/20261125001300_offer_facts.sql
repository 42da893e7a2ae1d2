-- Facets and counts read what offers are narrowed by from a narrow table, as numbers: the offers themselves are wide, and
-- grouping by texts costs four times as much. And the directory asks how fast those answer whom it shows, not everybody.

create table private.facet_values (
    code integer generated always as identity primary key,
    facet text not null,
    v text not null,
    unique (facet, v)
);
comment on table private.facet_values is
    'Each value that an offer ever had of a facet, in small letters, and the number that private.offer_facts has for it.';

-- The columns of the offer have its names, so that a condition of offers is one of these too.
create table private.offer_facts (
    id uuid primary key constraint offer_facts_id_fkey
        references public.agent_posts (id) on delete cascade on update cascade,
    agent_id uuid not null,
    -- whole cents up to 100 million are exact in it, and it is compared at once
    cnf_price double precision,
    year integer, mileage_km integer, auction_date date,
    make integer, model integer, body integer, fuel integer, gearbox integer, drive integer, colour integer,
    condition integer, location integer,
    availability_status text not null
);
comment on table private.offer_facts is 'What offers are narrowed by, a short row for each; kept by their trigger.';

create function private.facets_of(o public.agent_posts) returns table (facet text, v text)
language sql immutable parallel safe set search_path = '' as $$
    values ('make', lower(o.car_name)), ('model', lower(o.model)), ('body', o.body), ('fuel', o.fuel_code),
        ('gearbox', o.gearbox_code), ('drive', o.drive_code), ('colour', o.colour_code),
        ('condition', lower(o.condition)), ('location', lower(o.location))
$$;
comment on function private.facets_of(public.agent_posts) is 'The value that an offer has of each facet; null where nothing is said.';

create function private.offer_facts_of(o public.agent_posts) returns private.offer_facts
language sql stable security definer set search_path = '' as $$
    select o.id, o.agent_id, o.cnf_price::double precision, o.year, o.mileage_km, o.auction_date,
        max(k.code) filter (where k.facet = 'make'), max(k.code) filter (where k.facet = 'model'),
        max(k.code) filter (where k.facet = 'body'), max(k.code) filter (where k.facet = 'fuel'),
        max(k.code) filter (where k.facet = 'gearbox'), max(k.code) filter (where k.facet = 'drive'),
        max(k.code) filter (where k.facet = 'colour'), max(k.code) filter (where k.facet = 'condition'),
        max(k.code) filter (where k.facet = 'location'), o.availability_status
    from private.facets_of(o) f join private.facet_values k on k.facet = f.facet and k.v = f.v
$$;
comment on function private.offer_facts_of(public.agent_posts) is 'The facts of an offer; its values are known.';

create or replace function private.note_search_words() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
    -- In order: two agents who bring the same new words wait for one another, never in a circle.
    insert into private.search_words
    select distinct w.word from added a, unnest(private.words_of(concat_ws(' ', a.car_name, a.model, a.variant))) as w(word)
    where not exists (select from private.search_words known where known.word = w.word)
    order by w.word on conflict do nothing;
    insert into private.offer_words as known select a.id, private.offer_doc(a) from added a
    on conflict (post_id) do update set doc = excluded.doc where known.doc <> excluded.doc;
    insert into private.facet_values (facet, v)
    select distinct f.facet, f.v from added a, private.facets_of(a) f
    where f.v is not null and not exists (
        select from private.facet_values known where known.facet = f.facet and known.v = f.v)
    order by f.facet, f.v on conflict do nothing;
    -- A statement of its own, which sees the values that others brought meanwhile.
    insert into private.offer_facts as known select (private.offer_facts_of(a)).* from added a
    on conflict (id) do update set (agent_id, cnf_price, year, mileage_km, auction_date, make, model, body, fuel,
        gearbox, drive, colour, condition, location, availability_status) = (excluded.agent_id, excluded.cnf_price,
        excluded.year, excluded.mileage_km, excluded.auction_date, excluded.make, excluded.model, excluded.body,
        excluded.fuel, excluded.gearbox, excluded.drive, excluded.colour, excluded.condition, excluded.location,
        excluded.availability_status)
    where known is distinct from excluded;
    return null;
end
$$;
comment on function private.note_search_words() is 'Keeps the words and the facts of new and changed offers.';

insert into private.facet_values (facet, v)
select distinct f.facet, f.v from public.agent_posts o, private.facets_of(o) f where f.v is not null order by f.facet, f.v;
analyze private.facet_values;
insert into private.offer_facts select f.* from public.agent_posts o, private.offer_facts_of(o) f;
create index offer_facts_agent_id_idx on private.offer_facts (agent_id);
analyze private.offer_facts;

-- What the facts replace; a list of one agent's offers goes on as it did.
create index agent_posts_agent_id_created_at_idx on public.agent_posts (agent_id, created_at desc, id desc);
drop index public.agent_posts_facets_idx;
create or replace function private.facet_columns() returns table (facet text, mask integer, part integer, expression text)
language sql immutable set search_path = '' as $$
    select f.facet, f.mask, f.part, 'o.' || f.column_name from (values
        ('make', 1, 1, 'make'), ('model', 2, 2, 'model'), ('body', 4, 1, 'body'), ('fuel', 8, 3, 'fuel'),
        ('gearbox', 16, 3, 'gearbox'), ('drive', 32, 3, 'drive'), ('colour', 64, 4, 'colour'),
        ('condition', 128, 4, 'condition'), ('location', 256, 5, 'location'), ('year', 1024, null, 'year'),
        ('km', 2048, null, 'mileage_km'), ('price', 4096, null, 'cnf_price')) as f(facet, mask, part, column_name)
$$;
comment on function private.facet_columns() is
    'What offers are narrowed by: a bit for the filters that an offer fails, what is grouped together, and the fact.';

-- `o` is the facts of an offer; of an agent and of ranges the condition is that of the offer.
create function private.fact_choices(s private.offer_search) returns table (facet text, condition text)
language sql immutable set search_path = '' as $$
    select c.facet, case when f.part is null then c.condition else format('o.%1$I = any (array(select k.code '
        'from private.facet_values k where k.facet = %1$L and k.v = any (($1).%1$I)))', c.facet) end
    from private.choice_conditions(s) c left join private.facet_columns() f using (facet)
$$;
comment on function private.fact_choices(private.offer_search) is 'What was chosen of each facet, as conditions of the facts.';

create function private.fact_conditions(s private.offer_search) returns text
language sql immutable set search_path = '' as $$
    select private.fixed_conditions(s) || coalesce(string_agg(' and ' || c.condition, ''), '') from private.fact_choices(s) c
$$;
comment on function private.fact_conditions(private.offer_search) is 'All an offer has to fulfil to be found, of its facts.';

-- As before, of facts: a group is of numbers, which are named when they have been counted. Whose the offers are is no list
-- to choose from, so it narrows everything.
create or replace function private.facet_statement(s private.offer_search) returns text
language sql immutable set search_path = '' as $$
    with asked as (
        select coalesce(string_agg(format('case when (%s) is true then 0 else %s end', c.condition, f.mask), ' + '), '0') as fails
        from private.fact_choices(s) c join private.facet_columns() f using (facet)),
    of_agents as (
        select coalesce(string_agg(' and ' || c.condition, ''), '') as condition from private.fact_choices(s) c where c.facet = 'agent'),
    chosen as (
        select string_agg(format('%s as %I', f.expression, f.facet), ', ') as columns, string_agg(format('%I', f.facet), ', ') as names,
            string_agg(format('(%L, %s, %I)', f.facet, f.mask, f.facet), ', ') as said
        from private.facet_columns() f where f.facet = any (private.grouped_facets(s))),
    -- A group of two or three facets with few values costs as much as one; their counts are added up behind.
    parts as (
        select string_agg(format('(fails, %s)', p.names), ', ') as sets from (
            select string_agg(format('%I', f.facet), ', ') as names from private.facet_columns() f
            where f.facet = any (private.grouped_facets(s)) group by f.part) as p),
    ends as (
        select string_agg(format('min(%1$s) as %1$s_min, max(%1$s) as %1$s_max', f.facet), ', ') as taken,
            string_agg(format('%1$L, jsonb_build_object(''min'', min(%1$s_min) filter (where fails in (0, %2$s))%3$s, '
                '''max'', max(%1$s_max) filter (where fails in (0, %2$s))%3$s)', f.facet, f.mask,
                case when f.facet = 'price' then '::numeric(12, 2)' else '' end), ', ') as told
        from private.facet_columns() f where f.part is null)
    -- Nothing on the way is kept: the rows are read once and only their groups remain. `offset 0` computes fails once a row.
    select format($sql$
        with passed as (
            select %1$s, o.year, o.mileage_km as km, o.cnf_price as price, %2$s as fails from private.offer_facts o where %3$s offset 0),
        groups as (
            select fails, %4$s, grouping(location) = 0 as is_whole, count(*) as n, %6$s
            from passed where fails & (fails - 1) = 0 group by grouping sets (%5$s)),
        named as (
            select f.facet, f.code, sum(g.n)::integer as n from groups g cross join lateral (values %7$s) as f(facet, mask, code)
            where f.code is not null and g.fails in (0, f.mask) group by f.facet, f.code),
        ranked as (
            select n.facet, k.v, n.n, row_number() over (partition by n.facet order by n.n desc, k.v) as place
            from named n join private.facet_values k using (code)),
        lists as (select facet, jsonb_agg(jsonb_build_object('v', v, 'n', n) order by place) as l from ranked where place <= 200 group by facet)
        select (select coalesce(jsonb_object_agg(facet, l), '{}') from lists)
            || (select jsonb_build_object('total', coalesce(sum(n) filter (where fails = 0), 0), %8$s) from groups where is_whole)$sql$,
        chosen.columns, asked.fails, private.fixed_conditions(s) || of_agents.condition, chosen.names, parts.sets, ends.taken,
        chosen.said, ends.told)
    from asked, of_agents, chosen, parts, ends
$$;

create or replace function private.count_states(s private.offer_search, out in_stock integer, out auction integer, out reserved integer, out sold integer)
language plpgsql stable security definer set search_path = '' as $$
begin
    s.status := null;
    execute format($sql$
        select count(*) filter (where o.availability_status = 'available' and coalesce(o.auction_date < ($1).today, true)),
            count(*) filter (where o.availability_status = 'available' and o.auction_date >= ($1).today),
            count(*) filter (where o.availability_status = 'pending'), count(*) filter (where o.availability_status = 'sold')
        from private.offer_facts o where %s$sql$, private.fact_conditions(s))
    into in_stock, auction, reserved, sold using s;
end
$$;

-- Offers that fit a choice, where they are few: a page in an order would walk past all others to find them. Words and makes
-- have indexes of their own.
create function private.few_offers(s private.offer_search) returns uuid[]
language plpgsql stable security definer set search_path = '' as $$
declare
    few uuid[];
begin
    if s.q is null and s.make is null and exists (select from private.choice_conditions(s)) then
        execute format('select array_agg(id) from (select o.id from private.offer_facts o where %s limit 501) f',
            private.fact_conditions(s)) into few using s;
        few := coalesce(few, '{}');
    end if;
    return case when cardinality(few) <= 500 then few end;
end
$$;
comment on function private.few_offers(private.offer_search) is 'All offers that fit, where something but a make is chosen and they are 500 at most; else null.';

create or replace function public.search_offers(p jsonb default '{}') returns table (
    id uuid, agent_id uuid, car_name text, model text, variant text, year integer, mileage_km integer, engine_size text,
    transmission text, fuel_type text, drivetrain text, color text, location text, condition text, body text,
    description text, image_url text, cnf_price numeric, availability_status text, auction_date date,
    created_at timestamptz, agent jsonb, is_saved boolean, is_followed boolean, cursor text)
language plpgsql stable security definer set search_path = '' rows 24 as $$
declare
    s private.offer_search := private.read_search(p);
    few uuid[] := private.few_offers(s);
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
        ordered.expression, case when few is null then private.offer_conditions(s) else 'o.id = any ($2)' end,
        case when s.after_id is null then 'true' else format('(%s, o.id) %s (($1).after_value::%s, ($1).after_id)',
            ordered.expression, case ordered.direction when 'asc' then '>' else '<' end, ordered.type) end,
        ordered.direction, s.page_size, private.offer_card()) using s, few;
end
$$;

-- One member's answers, for a profile and for a page of the directory; private.response_times() reads those of all.
create function private.response_time_of(member uuid) returns interval
language sql stable security definer set search_path = '' as $$
    with questions as (
        select sender_id as other, min(created_at) as asked from public.messages
        where receiver_id = member and created_at > now() - interval '90 days' group by 1
    ), answers as (
        select min(m.created_at) - q.asked as waited
        from questions q
        join public.messages m on m.sender_id = member and m.receiver_id = q.other and m.created_at > q.asked
        group by q.other, q.asked
    )
    select percentile_cont(0.5) within group (order by waited) from answers
$$;
comment on function private.response_time_of(uuid) is 'How long a member takes to answer a first question: the median; null where none was answered.';

create or replace function public.member_figures(p_member uuid) returns table (
    completed_deals bigint, open_deals bigint, response_time text
)
language sql stable security definer set search_path = '' as $$
    select
        (select count(*) from public.deals where p_member in (agent_id, importer_id) and status = 'completed'),
        (select count(*) from public.deals where p_member in (agent_id, importer_id) and status = 'open'),
        private.response_time_text(private.response_time_of(p_member))
    where auth.uid() is not null
        and exists (select from public.profiles where user_id = p_member and is_confirmed)
$$;

create or replace function public.agent_directory(
    p_search text default null, p_city text default null, p_specialty text default null,
    p_cursor text default null, p_limit integer default null
) returns table (
    user_id uuid, full_name text, company_name text, country text, city text, avatar_url text, bio text,
    languages_spoken text[], specialties text[], experience text, verification_status text, verified_at timestamptz,
    created_at timestamptz, rating numeric, reviews_count bigint, active_deals bigint, response_time text,
    id uuid, cursor text, total bigint
)
language plpgsql stable security definer set search_path = '' rows 6 as $$
begin
    -- Planned for each call: a plan for any filter expects one agent, and joins all reviews anew for each.
    return query execute $sql$
        with found as (
            select p.*, coalesce(r.rating, 0) as rating, coalesce(r.reviews, 0) as reviews, count(*) over () as total
            from public.profiles p
            left join (select reviewed_id, round(avg(rating), 1) as rating, count(*) as reviews
                from public.reviews group by 1) r on r.reviewed_id = p.user_id
            where p.user_type = 'agent' and p.verification_status = 'verified' and p.status = 'active' and p.is_confirmed
                and (coalesce($1, '') = '' or strpos(lower(concat_ws(' ', p.full_name, p.company_name,
                    array_to_string(p.specialties, ' '))), lower($1)) > 0)
                and (coalesce($2, '') = '' or p.city = $2)
                and (coalesce($3, '') = '' or $3 = any (p.specialties))),
        page as (
            select f.* from found f
            where $4 is null or (-f.rating, -f.reviews, coalesce(f.full_name, ''), f.user_id) > (
                -($4::jsonb ->> 0)::numeric, -($4::jsonb ->> 1)::bigint, $4::jsonb ->> 2, ($4::jsonb ->> 3)::uuid)
            order by -f.rating, -f.reviews, coalesce(f.full_name, ''), f.user_id
            limit case when $5 >= 0 then $5 end)
        select f.user_id, f.full_name, f.company_name, f.country, f.city, f.avatar_url, f.bio, f.languages_spoken,
            f.specialties, f.experience, f.verification_status, f.verified_at, f.created_at, f.rating, f.reviews,
            (select count(*) from public.deals d where d.agent_id = f.user_id and d.status = 'open'),
            private.response_time_text(private.response_time_of(f.user_id)), f.user_id,
            jsonb_build_array(f.rating, f.reviews, coalesce(f.full_name, ''), f.user_id)::text, f.total
        from page f
        order by -f.rating, -f.reviews, coalesce(f.full_name, ''), f.user_id$sql$
    using p_search, p_city, p_specialty, p_cursor, p_limit;
end
$$;

revoke execute on function private.facets_of(public.agent_posts), private.offer_facts_of(public.agent_posts),
    private.fact_choices(private.offer_search), private.fact_conditions(private.offer_search),
    private.few_offers(private.offer_search), private.response_time_of(uuid) from public, anon;
