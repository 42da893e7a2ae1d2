-- Offers are searched in the database: a page, what can be narrowed, how many there are.

create extension if not exists pg_trgm with schema extensions;

-- What agents write in words of their own, as codes. The first that fits: 'hybrid petrol' is a hybrid.
create function private.code_of(kind text, said text) returns text
language sql immutable parallel safe set search_path = '' as $$
    select case
        when btrim(coalesce(said, '')) = '' then null
        when kind = 'fuel' then case
            when said ~* '\m(hybrid|phev|hev)\M' then 'hybrid'
            when said ~* '\m(electric|ev)\M' then 'electric'
            when said ~* '\mdiesel\M' then 'diesel'
            when said ~* '\m(gasoline|petrol)\M' then 'gasoline' else 'other' end
        when kind = 'gearbox' then case
            when said ~* '\mcvt\M' then 'cvt'
            when said ~* '\m(manual|m\W?t)\M' then 'manual'
            when said ~* '\m(automatic|auto|a\W?t)\M' then 'automatic' else 'other' end
        when kind = 'drive' then case
            when said ~* '\m(awd|4wd|4x4)\M' then 'awd'
            when said ~* '\m(rwd|fr)\M' then 'rwd'
            when said ~* '\m(fwd|ff)\M' then 'fwd' else 'other' end
        when kind = 'colour' then case
            when said ~* '\m(white|pearl)\M' then 'white'
            when said ~* '\msilver\M' then 'silver'
            when said ~* '\m(grey|gray|gunmetal)\M' then 'grey'
            when said ~* '\mblack\M' then 'black'
            when said ~* '\m(red|maroon|wine)\M' then 'red'
            when said ~* '\m(blue|navy)\M' then 'blue'
            when said ~* '\mgreen\M' then 'green'
            when said ~* '\myellow\M' then 'yellow'
            when said ~* '\morange\M' then 'orange'
            when said ~* '\m(brown|bronze)\M' then 'brown'
            when said ~* '\m(beige|champagne)\M' then 'beige'
            when said ~* '\mgold\M' then 'gold'
            when said ~* '\m(purple|violet)\M' then 'purple' else 'other' end
    end
$$;
comment on function private.code_of(text, text) is 'The code of a fuel, gearbox, drive or colour; null where nothing is said.';

create function private.words_of(said text) returns text[]
language sql immutable parallel safe set search_path = '' as $$
    select coalesce(array_agg(distinct left(word, 60)), '{}')
    from regexp_split_to_table(lower(coalesce(said, '')), '[[:space:][:punct:]]+') as word where word <> ''
$$;
comment on function private.words_of(text) is 'The words of a text: small letters, 60 of each word at most.';
-- whoever writes an offer computes its codes
grant execute on function private.code_of(text, text) to authenticated, service_role;

alter table public.agent_posts
    add column fuel_code text generated always as (private.code_of('fuel', fuel_type)) stored,
    add column gearbox_code text generated always as (private.code_of('gearbox', transmission)) stored,
    add column drive_code text generated always as (private.code_of('drive', drivetrain)) stored,
    add column colour_code text generated always as (private.code_of('colour', color)) stored;
comment on column public.agent_posts.fuel_code is 'What fuel_type means: gasoline, hybrid, electric, diesel or other.';
comment on column public.agent_posts.gearbox_code is 'What transmission means: automatic, manual, cvt or other.';
comment on column public.agent_posts.drive_code is 'What drivetrain means: fwd, rwd, awd or other.';
comment on column public.agent_posts.colour_code is 'What color means, one word.';

create function private.offer_doc(o public.agent_posts) returns tsvector
language sql stable parallel safe set search_path = '' as $$
    select array_to_tsvector(private.words_of(concat_ws(' ', o.car_name, o.model, o.variant, o.year, o.engine_size, o.transmission,
        o.fuel_type, o.drivetrain, o.color, o.location, o.description)))
$$;
comment on function private.offer_doc(public.agent_posts) is 'The words an offer is found by.';

-- Computed once when an offer is written: a search that walks the newest offers would else compute them for each.
create table private.offer_words (
    post_id uuid primary key references public.agent_posts on delete cascade on update cascade,
    doc tsvector not null);
comment on table private.offer_words is 'The words each offer is found by.';
insert into private.offer_words select o.id, private.offer_doc(o) from public.agent_posts o;
create index offer_words_doc_idx on private.offer_words using gin (doc);

-- Each order ends in the id, so that no two offers stand at the same place. What nobody said comes last.
create index agent_posts_newest_idx on public.agent_posts (created_at desc, id desc);
create index agent_posts_cheapest_idx on public.agent_posts (coalesce(cnf_price, 1e11), id);
create index agent_posts_dearest_idx on public.agent_posts (coalesce(cnf_price, -1) desc, id desc);
create index agent_posts_oldest_idx on public.agent_posts (coalesce(year, 9999), id);
create index agent_posts_youngest_idx on public.agent_posts (coalesce(year, -1) desc, id desc);
create index agent_posts_least_driven_idx on public.agent_posts (coalesce(mileage_km, 2147483647), id);
create index agent_posts_make_idx on public.agent_posts (lower(car_name), lower(model), created_at desc, id desc);
-- what facets and counts read instead of the table
create index agent_posts_facets_idx on public.agent_posts (agent_id, created_at desc) include (car_name, model, body, fuel_code,
    gearbox_code, drive_code, colour_code, condition, location, year, mileage_km, cnf_price, availability_status, auction_date);
drop index public.agent_posts_created_at_idx;
drop index public.agent_posts_agent_id_idx;

create table private.search_words (word text primary key);
comment on table private.search_words is 'The words of all makes and models: what a mistyped word may have meant.';
create index search_words_word_idx on private.search_words using gin (word extensions.gin_trgm_ops);

create function private.note_search_words() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
    -- In order: two agents who bring the same new words wait for one another, never in a circle.
    insert into private.search_words
    select distinct w.word from added a, unnest(private.words_of(concat_ws(' ', a.car_name, a.model, a.variant))) as w(word)
    where not exists (select from private.search_words known where known.word = w.word)
    order by w.word on conflict do nothing;
    insert into private.offer_words as known select a.id, private.offer_doc(a) from added a
    on conflict (post_id) do update set doc = excluded.doc where known.doc <> excluded.doc;
    return null;
end
$$;
comment on function private.note_search_words() is 'Keeps the words of new and changed offers.';
create trigger note_search_words after insert on public.agent_posts
    referencing new table as added for each statement execute function private.note_search_words();
create trigger note_changed_search_words after update on public.agent_posts
    referencing new table as added for each statement execute function private.note_search_words();

create function private.refresh_search_words() returns void
language sql volatile security definer set search_path = '' as $$
    with used as materialized (
        select distinct w.word from (select distinct car_name, model, variant from public.agent_posts) o,
            unnest(private.words_of(concat_ws(' ', o.car_name, o.model, o.variant))) as w(word)),
    gone as (delete from private.search_words known where not exists (select from used where used.word = known.word))
    insert into private.search_words select word from used order by word on conflict do nothing
$$;
comment on function private.refresh_search_words() is 'Forgets the words that no offer has any more.';
select private.refresh_search_words();

create or replace function private.tidy() returns void
language sql volatile security definer set search_path = '' as $$
    select private.expire_requests();
    select private.refresh_search_words();
    delete from public.notification_outbox o
    where o.created_at < now() - interval '90 days'
        or (o.sent_at is null and o.channel = 'email' and not exists (
            select from public.notification_preferences p
            where p.user_id = o.user_id and private.wants_mail(p,
                (select topic from private.notification_texts t where t.kind = o.kind))))
$$;

-- What is asked, read once.
create type private.offer_search as (
    q tsquery, read_as text, make text[], model text[], body text[], fuel text[], gearbox text[], drive text[],
    colour text[], condition text[], location text[], agent uuid[], year numrange, km numrange, price numrange,
    status text[], followed boolean, saved boolean, sort text, page_size integer, after_value text, after_id uuid,
    viewer uuid, hidden uuid[], today date);
comment on type private.offer_search is 'A search for offers, checked.';

create function private.refuse_search(key text) returns void
language plpgsql immutable set search_path = '' as $$
begin
    raise exception 'This search cannot be read: %.', left(key, 40) using errcode = '22023', hint = 'search_' || left(key, 40);
end
$$;
comment on function private.refuse_search(text) is 'Refuses a search, by the key that is wrong.';

create function private.search_list(p jsonb, key text) returns text[]
language plpgsql immutable set search_path = '' as $$
declare
    found text[];
begin
    found := case jsonb_typeof(p -> key)
        when 'string' then string_to_array(p ->> key, ',')
        when 'array' then array(select jsonb_array_elements_text(p -> key)) end;
    if p -> key <> 'null' and (found is null or cardinality(found) > 60) then
        perform private.refuse_search(key);
    end if;
    return (select array_agg(lower(btrim(said))) from unnest(found) as said where btrim(said) <> '');
end
$$;
comment on function private.search_list(jsonb, text) is 'The values of a key, any of which fits: a list, or text with commas.';

create function private.search_range(p jsonb, key text) returns numrange
language plpgsql immutable set search_path = '' as $$
declare
    ends text[];
begin
    if coalesce(p ->> key, '') = '' then
        return null;
    end if;
    ends := regexp_match(p ->> key, '^(\d{0,9})-(\d{0,9})$');
    if ends is null or (ends[1] <> '' and ends[2] <> '' and ends[1]::numeric > ends[2]::numeric) then
        perform private.refuse_search(key);
    end if;
    return numrange(nullif(ends[1], '')::numeric, nullif(ends[2], '')::numeric, '[]');
end
$$;
comment on function private.search_range(jsonb, text) is 'The numbers between two, both included: 2010-2015, 2010- or -2015.';

create function private.search_flag(p jsonb, key text) returns boolean
language plpgsql immutable set search_path = '' as $$
begin
    if coalesce(p ->> key, '') not in ('', '0', '1', 'true', 'false') then
        perform private.refuse_search(key);
    end if;
    return coalesce(p ->> key in ('1', 'true'), false);
end
$$;
comment on function private.search_flag(jsonb, text) is 'Whether a key is set.';

-- Without sequential scans: a word that no offer has would be looked for in all of them, for the planner expects an early find.
create function private.known_word(said text, is_last boolean) returns text
language sql stable security definer set search_path = '' set enable_seqscan = off as $$
    select coalesce(
        (select said from private.search_words
            where word = said or (is_last and word ^@ said) limit 1),
        (select said where exists (select from private.offer_words
            where doc @@ (quote_literal(said) || case when is_last then ':*' else '' end)::tsquery)),
        (select word from private.search_words where word operator(extensions.%) said
            order by extensions.similarity(word, said) desc, word limit 1),
        said)
$$;
comment on function private.known_word(text, boolean) is 'A word as offers write it: itself, or else the one most like it.';

create function private.read_words(p jsonb, out q tsquery, out read_as text)
language plpgsql stable security definer set search_path = '' as $$
declare
    said text[] := array(select left(w, 60) from regexp_split_to_table(lower(p ->> 'q'), '[[:space:][:punct:]]+')
        with ordinality as s(w, place) where w <> '' order by place limit 12);
    meant text[] := said;
begin
    if length(p ->> 'q') > 100 then
        perform private.refuse_search('q');
    elsif cardinality(said) = 0 then
        return;
    elsif not private.search_flag(p, 'exact') then
        meant := array(select private.known_word(w, place = cardinality(said))
            from unnest(said) with ordinality as s(w, place) order by place);
    end if;
    q := array_to_string(array(select quote_literal(w) from unnest(meant) as w), ' & ')::text || ':*';
    read_as := case when meant <> said then array_to_string(meant, ' ') end;
end
$$;
comment on function private.read_words(jsonb) is 'What a text searches for, and how it was read where a word was mistyped.';

-- Each order: what it sorts by, the type of that, and which way.
create function private.offer_order(sort text, out expression text, out type text, out direction text)
language sql immutable set search_path = '' as $$
    select o.expression, o.type, o.direction from (values
        ('new', 'o.created_at', 'timestamptz', 'desc'),
        ('price', 'coalesce(o.cnf_price, 1e11)', 'numeric', 'asc'), ('-price', 'coalesce(o.cnf_price, -1)', 'numeric', 'desc'),
        ('year', 'coalesce(o.year, 9999)', 'integer', 'asc'), ('-year', 'coalesce(o.year, -1)', 'integer', 'desc'),
        ('km', 'coalesce(o.mileage_km, 2147483647)', 'integer', 'asc')) as o(name, expression, type, direction)
    where o.name = sort
$$;
comment on function private.offer_order(text) is 'How an order of offers is written; null where there is no such order.';

create function private.offer_cursor(sort text, value text, id uuid) returns text
language sql immutable set search_path = '' as $$
    select translate(encode(convert_to(jsonb_build_array(sort, value, id)::text, 'UTF8'), 'base64'), E'+/=\n', '-_')
$$;
comment on function private.offer_cursor(text, text, uuid) is 'The place behind an offer in an order, as text nobody has to read.';

create function private.read_cursor(p jsonb, sort text, type text, out value text, out id uuid)
language plpgsql stable set search_path = '' as $$
declare
    said text := translate(p ->> 'cursor', '-_', '+/');
    parts jsonb;
begin
    if coalesce(said, '') = '' then
        return;
    end if;
    parts := convert_from(decode(rpad(said, (length(said) + 3) / 4 * 4, '='), 'base64'), 'UTF8')::jsonb;
    if parts ->> 0 is distinct from sort or jsonb_array_length(parts) <> 3 or parts ->> 1 is null or parts ->> 2 is null then
        perform private.refuse_search('cursor');
    end if;
    execute format('select $1::%s::text', type) into value using parts ->> 1;
    id := (parts ->> 2)::uuid;
exception when data_exception then
    perform private.refuse_search('cursor');
end
$$;
comment on function private.read_cursor(jsonb, text, text) is 'Where a page begins; a cursor of another order is refused.';

create function private.search_agents(p jsonb) returns uuid[]
language plpgsql immutable set search_path = '' as $$
begin
    return private.search_list(p, 'agent')::uuid[];
exception when invalid_text_representation then
    perform private.refuse_search('agent');
end
$$;
comment on function private.search_agents(jsonb) is 'Whose offers are searched.';

create function private.search_status(p jsonb) returns text[]
language plpgsql immutable set search_path = '' as $$
declare
    wanted text[] := coalesce(private.search_list(p, 'status'), '{in-stock,auction,reserved}');
begin
    if not wanted <@ '{in-stock,auction,reserved,sold}' then
        perform private.refuse_search('status');
    end if;
    return case when wanted @> '{in-stock,auction,reserved,sold}' then null else wanted end;
end
$$;
comment on function private.search_status(jsonb) is 'Which availability is searched; null for any.';

create function private.search_page_size(p jsonb) returns integer
language plpgsql immutable set search_path = '' as $$
begin
    if coalesce(p ->> 'limit', '24') !~ '^([1-9]|[1-5][0-9]|60)$' then
        perform private.refuse_search('limit');
    end if;
    return coalesce(p ->> 'limit', '24')::integer;
end
$$;
comment on function private.search_page_size(jsonb) is 'How many offers a page has: 1 to 60.';

create function private.read_search(p jsonb) returns private.offer_search
language plpgsql stable security definer set search_path = '' as $$
declare
    s private.offer_search;
    unknown text;
    ordered record;
begin
    if jsonb_typeof(p) is distinct from 'object' then
        perform private.refuse_search('search');
    end if;
    select key into unknown from jsonb_object_keys(p) as key where key not in (
        'q', 'exact', 'make', 'model', 'body', 'fuel', 'gearbox', 'drive', 'colour', 'condition', 'location', 'agent',
        'year', 'km', 'price', 'status', 'followed', 'saved', 'sort', 'cursor', 'limit') limit 1;
    s.sort := coalesce(nullif(p ->> 'sort', ''), 'new');
    select * into ordered from private.offer_order(s.sort);
    if unknown is not null or ordered.type is null then
        perform private.refuse_search(coalesce(unknown, 'sort'));
    end if;
    select r.q, r.read_as into s.q, s.read_as from private.read_words(p) r;
    s.make := private.search_list(p, 'make'); s.model := private.search_list(p, 'model');
    s.body := private.search_list(p, 'body'); s.fuel := private.search_list(p, 'fuel');
    s.gearbox := private.search_list(p, 'gearbox'); s.drive := private.search_list(p, 'drive');
    s.colour := private.search_list(p, 'colour'); s.condition := private.search_list(p, 'condition');
    s.location := private.search_list(p, 'location'); s.agent := private.search_agents(p);
    s.year := private.search_range(p, 'year'); s.km := private.search_range(p, 'km');
    s.price := private.search_range(p, 'price'); s.status := private.search_status(p);
    s.followed := private.search_flag(p, 'followed'); s.saved := private.search_flag(p, 'saved');
    s.page_size := private.search_page_size(p);
    select c.value, c.id into s.after_value, s.after_id from private.read_cursor(p, s.sort, ordered.type) c;
    s.viewer := auth.uid();
    -- As the policy of the table: whoever is suspended is seen by nobody but themselves and the administrator.
    s.hidden := case when private.is_admin() then '{}' else array(
        select suspended from private.suspended_users() as suspended where suspended is distinct from s.viewer) end;
    s.today := (now() at time zone 'Asia/Tokyo')::date;
    return s;
end
$$;
comment on function private.read_search(jsonb) is 'A search as a caller wrote it, checked; what cannot be read is refused with 22023.';

-- Compared end by end, for of ranges the planner knows nothing.
create function private.between_ends(of text, key text, ends numrange) returns text
language sql immutable set search_path = '' as $$
    select concat_ws(' and ', format('%s is not null', of),
        case when not lower_inf(ends) then format('%s >= lower(($1).%I)%s', of, key, cast_of) end,
        case when not upper_inf(ends) then format('%s <= upper(($1).%I)%s', of, key, cast_of) end)
    from (select case when key <> 'price' then '::integer' else '' end as cast_of) as t
$$;
comment on function private.between_ends(text, text, numrange) is 'The condition that a column lies between the ends of a range.';

-- In words of the columns, for of anything else the planner knows nothing.
create function private.status_condition(status text[]) returns text
language sql immutable set search_path = '' as $$
    select case
        when status is null then null
        when status @> '{in-stock,auction}' then format('o.availability_status = any (%L)', array['available'] || others)
        when 'auction' = any (status) then format('(o.availability_status = any (%L) or o.availability_status = ''available'' '
            'and o.auction_date >= ($1).today)', others)
        when 'in-stock' = any (status) then format('(o.availability_status = any (%L) or o.availability_status = ''available'' '
            'and coalesce(o.auction_date < ($1).today, true))', others)
        else format('o.availability_status = any (%L)', others) end
    from (select array(select case said when 'sold' then 'sold' else 'pending' end
        from unnest(status) as said where said in ('sold', 'reserved')) as others) as t
$$;
comment on function private.status_condition(text[]) is 'The condition that an offer has one of these states, as buyers name them.';

-- The values come from $1, an offer_search; the texts here are all there is of SQL.
create function private.choice_conditions(s private.offer_search) returns table (facet text, condition text)
language sql immutable set search_path = '' as $$
    select f.facet, f.condition from (values
        ('make', s.make is not null, 'lower(o.car_name) = any (($1).make)'),
        ('model', s.model is not null, 'lower(o.model) = any (($1).model)'),
        ('body', s.body is not null, 'o.body = any (($1).body)'),
        ('fuel', s.fuel is not null, 'o.fuel_code = any (($1).fuel)'),
        ('gearbox', s.gearbox is not null, 'o.gearbox_code = any (($1).gearbox)'),
        ('drive', s.drive is not null, 'o.drive_code = any (($1).drive)'),
        ('colour', s.colour is not null, 'o.colour_code = any (($1).colour)'),
        ('condition', s.condition is not null, 'lower(o.condition) = any (($1).condition)'),
        ('location', s.location is not null, 'lower(o.location) = any (($1).location)'),
        ('agent', s.agent is not null, 'o.agent_id = any (($1).agent)'),
        ('year', s.year is not null, private.between_ends('o.year', 'year', s.year)),
        ('km', s.km is not null, private.between_ends('o.mileage_km', 'km', s.km)),
        ('price', s.price is not null, private.between_ends('o.cnf_price', 'price', s.price))) as f(facet, is_asked, condition)
    where f.is_asked
$$;
comment on function private.choice_conditions(private.offer_search) is 'What was chosen of each facet.';

create function private.fixed_conditions(s private.offer_search) returns text
language sql immutable set search_path = '' as $$
    select concat_ws(' and ', 'true',
        case when s.hidden <> '{}' then 'o.agent_id <> all (($1).hidden)' end,
        case when s.q is not null then 'o.id in (select post_id from private.offer_words where doc @@ ($1).q)' end,
        private.status_condition(s.status),
        case when s.followed then 'o.agent_id = any (array(select following_id from public.follows where follower_id = ($1).viewer))' end,
        case when s.saved then 'o.id = any (array(select post_id from public.saved_posts where user_id = ($1).viewer))' end)
$$;
comment on function private.fixed_conditions(private.offer_search) is 'Who may see an offer, and what narrows every facet.';

create function private.offer_conditions(s private.offer_search) returns text
language sql immutable set search_path = '' as $$
    select private.fixed_conditions(s) || coalesce(string_agg(' and ' || c.condition, ''), '') from private.choice_conditions(s) c
$$;
comment on function private.offer_conditions(private.offer_search) is 'All an offer has to fulfil to be found.';

create function public.search_offers(p jsonb default '{}') returns table (
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
        select o.id, o.agent_id, o.car_name, o.model, o.variant, o.year, o.mileage_km, o.engine_size, o.transmission,
            o.fuel_type, o.drivetrain, o.color, o.location, o.condition, o.body, left(o.description, 400), o.image_url,
            o.cnf_price, o.availability_status, o.auction_date, o.created_at,
            case when a.is_confirmed or a.user_id = ($1).viewer or private.is_admin() then jsonb_build_object(
                'full_name', a.full_name, 'country', a.country, 'company_name', a.company_name, 'avatar_url', a.avatar_url,
                'verification_status', a.verification_status, 'verified_at', a.verified_at) end,
            exists (select from public.saved_posts k where k.user_id = ($1).viewer and k.post_id = o.id),
            exists (select from public.follows f where f.follower_id = ($1).viewer and f.following_id = o.agent_id),
            private.offer_cursor(($1).sort, o.at, o.id)
        from page o join public.profiles a on a.user_id = o.agent_id
        order by %1$s %4$s, o.id %4$s$sql$,
        ordered.expression, private.offer_conditions(s),
        case when s.after_id is null then 'true' else format('(%s, o.id) %s (($1).after_value::%s, ($1).after_id)',
            ordered.expression, case ordered.direction when 'asc' then '>' else '<' end, ordered.type) end,
        ordered.direction, s.page_size) using s;
end
$$;
comment on function public.search_offers(jsonb) is 'A page of the offers that fit; the cursor of its last row asks for the next one.';

create function public.count_offers(p jsonb default '{}')
returns table (total integer, available integer, is_more boolean, read_as text)
language plpgsql stable security definer set search_path = '' rows 1 as $$
declare
    s private.offer_search := private.read_search(p - 'cursor');
begin
    execute format($sql$
        select least(count(*), 10000), count(*) filter (where is_available and place <= 10000), count(*) > 10000 from (
            select o.availability_status = 'available' as is_available, row_number() over () as place
            from public.agent_posts o where %s limit 10001) o$sql$, private.offer_conditions(s))
    into total, available, is_more using s;
    read_as := s.read_as;
    return next;
end
$$;
comment on function public.count_offers(jsonb) is 'How many offers fit: exactly up to 10,000, then is_more; and how mistyped words were read.';

create function private.facet_columns() returns table (facet text, mask integer, part integer, expression text)
language sql immutable set search_path = '' as $$
    select f.facet, f.mask, f.part, f.expression from (values
        ('make', 1, 1, 'o.car_name'), ('model', 2, 2, 'o.model'), ('body', 4, 1, 'o.body'), ('fuel', 8, 3, 'o.fuel_code'),
        ('gearbox', 16, 3, 'o.gearbox_code'), ('drive', 32, 3, 'o.drive_code'), ('colour', 64, 4, 'o.colour_code'),
        ('condition', 128, 4, 'o.condition'), ('location', 256, 5, 'o.location'), ('agent', 512, null, 'o.agent_id::text'),
        ('year', 1024, null, 'o.year'), ('km', 2048, null, 'o.mileage_km'), ('price', 4096, null, 'o.cnf_price')
    ) as f(facet, mask, part, expression)
$$;
comment on function private.facet_columns() is 'What offers are narrowed by: a bit for the filters that an offer fails, and what is grouped together.';

create function private.grouped_facets(s private.offer_search) returns text[]
language sql immutable set search_path = '' as $$
    select array_agg(facet order by mask) from private.facet_columns()
    where facet not in ('agent', 'year', 'km', 'price') and (facet <> 'model' or cardinality(s.make) between 1 and 3)
$$;
comment on function private.grouped_facets(private.offer_search) is 'The facets with values; models only of one to three makes.';

create function private.facet_statement(s private.offer_search) returns text
language sql immutable set search_path = '' as $$
    with asked as (
        select coalesce(string_agg(format('case when (%s) is true then 0 else %s end', c.condition, f.mask), ' + '), '0') as fails
        from private.choice_conditions(s) c join private.facet_columns() f using (facet)),
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
            string_agg(format('%1$L, jsonb_build_object(''min'', min(%1$s_min) filter (where fails in (0, %2$s)), '
                '''max'', max(%1$s_max) filter (where fails in (0, %2$s)))', f.facet, f.mask), ', ') as told
        from private.facet_columns() f where f.facet in ('year', 'km', 'price'))
    -- Nothing on the way is kept: the rows are read once and only their groups remain. `offset 0` computes fails once a row.
    select format($sql$
        with passed as (
            select %1$s, o.year, o.mileage_km as km, o.cnf_price as price, %2$s as fails from public.agent_posts o where %3$s offset 0),
        groups as (
            select fails, %4$s, grouping(location) = 0 as is_whole, count(*) as n, %6$s
            from passed where fails & (fails - 1) = 0 group by grouping sets (%5$s)),
        named as (
            select f.facet, lower(f.v) as v, sum(g.n)::integer as n from groups g cross join lateral (values %7$s) as f(facet, mask, v)
            where f.v is not null and g.fails in (0, f.mask) group by f.facet, lower(f.v)),
        ranked as (select *, row_number() over (partition by facet order by n desc, v) as place from named),
        lists as (select facet, jsonb_agg(jsonb_build_object('v', v, 'n', n) order by place) as l from ranked where place <= 200 group by facet)
        select (select coalesce(jsonb_object_agg(facet, l), '{}') from lists)
            || (select jsonb_build_object('total', coalesce(sum(n) filter (where fails = 0), 0), %8$s) from groups where is_whole)$sql$,
        chosen.columns, asked.fails, private.fixed_conditions(s), chosen.names, parts.sets, ends.taken, chosen.said, ends.told)
    from asked, chosen, parts, ends
$$;
comment on function private.facet_statement(private.offer_search) is
    'Counts in one pass: a value counts for its facet where an offer fails no filter but that facet''s own.';

create function public.offer_facets(p jsonb default '{}') returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
    s private.offer_search := private.read_search(p - 'cursor');
    told jsonb;
begin
    execute private.facet_statement(s) into told using s;
    return told || jsonb_build_object('read_as', s.read_as);
end
$$;
comment on function public.offer_facets(jsonb) is 'What the offers found can be narrowed by: per facet the values with how many offers each has.';

do $$
begin
    execute (select string_agg(format('revoke execute on function %s from public, anon', oid::regprocedure), ';')
        from pg_proc where pronamespace = 'private'::regnamespace and proname = any ('{code_of,words_of,offer_doc,note_search_words,refresh_search_words,refuse_search,search_list,search_range,search_flag,known_word,read_words,offer_order,offer_cursor,read_cursor,search_agents,search_status,search_page_size,read_search,between_ends,status_condition,choice_conditions,fixed_conditions,offer_conditions,facet_columns,grouped_facets,facet_statement}'));
end
$$;
revoke execute on function public.search_offers(jsonb), public.count_offers(jsonb), public.offer_facets(jsonb) from public, anon;
grant execute on function public.search_offers(jsonb), public.count_offers(jsonb), public.offer_facets(jsonb) to authenticated, service_role;
