-- A marketplace of so many offers as `bench.offers` says, with 20,000 people, 50,000 requests, 1,000,000 messages and
-- some 180,000 reviews at 100,000 offers; in proportion below, and offers alone where `bench.beside` is 0. The same rows
-- in every run.
-- Notifications of all that would take longer than what is measured.
alter table public.agent_posts disable trigger user;
alter table public.agent_posts enable trigger note_search_words;
alter table public.messages disable trigger user;
alter table public.car_requests disable trigger user;
alter table public.reviews disable trigger user;
alter table public.profiles disable trigger note_office;

create function pg_temp.so_many(at_most bigint) returns bigint language sql as $$
    select ceil(at_most * current_setting('bench.offers')::numeric / 100000)::bigint $$;
-- An even number from 0 to 1 that depends on the row and the column alone.
create function pg_temp.chance(n bigint, what text) returns double precision language sql immutable as $$
    select (('x' || left(md5(what || n), 7))::bit(28)::integer) / 268435456.0 $$;
-- The first are frequent, as makes and places are.
create function pg_temp.one_of(n bigint, what text, words text[]) returns text language sql immutable as $$
    select words[1 + floor(cardinality(words) * pg_temp.chance(n, what) ^ 2)::integer] $$;

insert into auth.users (id, aud, role, email, email_confirmed_at, raw_app_meta_data, raw_user_meta_data)
select md5('bench' || n)::uuid, 'authenticated', 'authenticated', 'bench' || n || '@minato.example', now(), '{}',
    jsonb_build_object('full_name', 'Person ' || n, 'role', case when n % 10 = 0 then 'agent' else 'importer' end,
        'country', pg_temp.one_of(n, 'country', '{JP,KE,TZ,JM,GB,UG,ZM,NZ,AU,DE}'))
from generate_series(1, greatest(20, pg_temp.so_many(20000))) n
on conflict do nothing;

update public.profiles set verification_status = 'verified', verified_at = created_at where user_type = 'agent';

insert into public.agent_posts (agent_id, car_name, model, variant, description, year, mileage_km, engine_size, cnf_price, transmission,
    fuel_type, drivetrain, color, location, condition, body, availability_status, auction_date, image_url, created_at)
select md5('bench' || 10 * (1 + n % greatest(2, pg_temp.so_many(2000))))::uuid,
    pg_temp.one_of(n, 'make', '{Toyota,Nissan,Honda,Mazda,Subaru,Suzuki,Mitsubishi,Daihatsu,Isuzu,Lexus,Hino,BMW,Audi,Volvo}'),
    pg_temp.one_of(n, 'model', '{Aqua,Note,Fit,Vitz,Prius,Hiace,Demio,Impreza,Swift,Wagon R,X-Trail,Vezel,Alphard,Jimny,Skyline,CX-5,Harrier,
        Land Cruiser,Corolla,Crown,Forester,Pajero,Move,Elf}'),
    pg_temp.one_of(n, 'variant', '{S,G,X,Limited,Hybrid,Custom,Z,RS}'),
    'One owner, serviced on time, sold as seen in the pictures. Ships from the next vessel on; papers are complete and the auction '
        || 'sheet comes on request. Lot ' || md5('lot' || n) || '.',
    2000 + floor(25 * sqrt(pg_temp.chance(n, 'year')))::integer, floor(200000 * pg_temp.chance(n, 'km'))::integer,
    pg_temp.one_of(n, 'cc', '{1.5L,1.3L,2.0L,660cc,2.5L,3.0L}'), 1500 + 50 * floor(700 * pg_temp.chance(n, 'price') ^ 2),
    pg_temp.one_of(n, 'gearbox', '{Automatic,CVT,Manual}'), pg_temp.one_of(n, 'fuel', '{Gasoline,Hybrid,Diesel,Electric}'),
    pg_temp.one_of(n, 'drive', '{FWD,4WD,RWD,AWD}'), pg_temp.one_of(n, 'colour', '{White,Pearl white,Black,Silver,Grey,Blue,Red,Brown,Green}'),
    pg_temp.one_of(n, 'place', '{Yokohama,Nagoya,Kobe,Osaka,Tokyo,Chiba,Fukuoka,Sendai,Hiroshima,Sapporo}'),
    pg_temp.one_of(n, 'condition', '{Excellent,Very Good,Good,Fair}'), pg_temp.one_of(n, 'body', '{hatch,suv,sedan,van,kei,wagon,truck,coupe,bus,other}'),
    pg_temp.one_of(n, 'status', '{available,available,available,pending,sold}'),
    case when n % 12 = 0 then current_date + (n % 20)::integer end,
    '/storage/v1/object/public/car-images/' || md5('photo' || n) || '.webp',
    now() - (pg_temp.chance(n, 'age') * 300) * interval '1 day'
from generate_series(1, current_setting('bench.offers')::bigint) n;

insert into public.saved_posts (user_id, post_id)
select md5('bench1')::uuid, id from public.agent_posts order by created_at limit 200 on conflict do nothing;
insert into public.follows (follower_id, following_id)
select md5('bench1')::uuid, user_id from public.profiles where user_type = 'agent' and user_id <> md5('bench1')::uuid
order by user_id limit 50 on conflict do nothing;

insert into public.car_requests (importer_id, car_make, car_model, status, created_at)
select md5('bench' || 1 + n % greatest(20, pg_temp.so_many(20000)))::uuid, pg_temp.one_of(n, 'make', '{Toyota,Nissan,Honda,Mazda,Subaru}'),
    pg_temp.one_of(n, 'model', '{Aqua,Note,Fit,Vitz,Prius}'), case when n % 2 = 0 then 'active' else 'completed' end,
    now() - n * interval '10 minutes'
from generate_series(1, pg_temp.so_many(50000 * current_setting('bench.beside')::integer)) n;

-- Everybody writes to ten others; the first person also has 10,000 with one other, and 20 with each of 500 more.
insert into public.messages (sender_id, receiver_id, conversation_id, content, is_read, created_at)
select sender, receiver, private.conversation_of(sender, receiver), 'Is the car still there?', n % 10 <> 0,
    now() - n * interval '30 seconds'
from (
    select n, md5('bench' || one)::uuid as sender, md5('bench' || other)::uuid as receiver
    from (
        select n, 1 + n % people as one, 1 + (n + 1 + n / people % 10 * 997) % people as other
        from generate_series(1, pg_temp.so_many(980000 * current_setting('bench.beside')::integer)) n,
            (select greatest(20, pg_temp.so_many(20000)) as people) of_all
        union all
        select n, case when n % 2 = 0 then 1 else 2 end, case when n % 2 = 0 then 2 else 1 end
        from generate_series(1, pg_temp.so_many(10000 * current_setting('bench.beside')::integer)) n
        union all
        select n, case when n % 2 = 0 then 1 else 3 + n % other.so_many end,
            case when n % 2 = 0 then 3 + n % other.so_many else 1 end
        from generate_series(1, pg_temp.so_many(10000 * current_setting('bench.beside')::integer)) n,
            (select least(500, greatest(15, pg_temp.so_many(20000) - 3)) as so_many) other
    ) of_numbers
    where one <> other
) of_people;

-- The first agents have the most.
insert into public.reviews (reviewed_id, reviewer_id, rating, comment, created_at, updated_at)
select md5('bench' || 10 * (1 + floor(agents * pg_temp.chance(n, 'reviewed') ^ 2)))::uuid,
    md5('bench' || 2 + 10 * (n % agents))::uuid, 1 + n % 5, 'Fast answers, honest pictures.',
    now() - n * interval '1 minute', now() - n * interval '1 minute'
from generate_series(1, pg_temp.so_many(200000 * current_setting('bench.beside')::integer)) n,
    (select greatest(2, pg_temp.so_many(2000)) as agents) of_all
on conflict do nothing;

alter table public.agent_posts enable trigger user;
alter table public.reviews enable trigger user;
alter table public.messages enable trigger user;
select private.rebuild_conversations();
alter table public.car_requests enable trigger user;
alter table public.profiles enable trigger note_office;
select private.refresh_search_words();
vacuum analyze public.agent_posts, public.car_requests, public.messages, public.conversations, public.profiles, public.reviews, private.offer_words,
    private.offer_facts;
