-- Everybody else, so that the back office has something to manage: 239 agents and 297 importers without a password.
-- Chance would differ from run to run; a number made of a name does not.
create or replace function pg_temp.number_of(name text, below integer) returns integer language sql immutable as $$
    select (('x' || substr(md5(name), 1, 7))::bit(28)::integer) % below
$$;
create or replace function pg_temp.one_of(list text[], name text) returns text language sql immutable as $$
    select list[1 + pg_temp.number_of(name, cardinality(list))]
$$;

create temp table peoples on commit drop as
select * from (values
    ('japan', array['Takashi', 'Naoko', 'Shinji', 'Emi', 'Masaru', 'Kaori', 'Ryota', 'Mika', 'Kenta', 'Satomi', 'Jun', 'Noriko', 'Tetsuya', 'Ayumi', 'Makoto', 'Chie', 'Goro', 'Rina'],
        array['Suzuki', 'Takahashi', 'Ito', 'Kato', 'Yoshida', 'Yamada', 'Sasaki', 'Matsumoto', 'Inoue', 'Kimura', 'Hayashi', 'Shimizu', 'Saito', 'Mori', 'Abe', 'Ikeda', 'Hashimoto', 'Ogawa', 'Maeda']),
    ('english', array['Oliver', 'Grace', 'Daniel', 'Chloe', 'Thomas', 'Emma', 'Samuel', 'Lucy', 'Aaron', 'Nicole', 'Marcus', 'Denise'],
        array['Walker', 'Hughes', 'Campbell', 'Morgan', 'Clarke', 'Bennett', 'Reid', 'Sullivan', 'Grant', 'Thompson', 'Baptiste']),
    ('europe', array['Lukas', 'Sofia', 'Marek', 'Elena', 'Jonas', 'Katarina', 'Andrei', 'Ines', 'Mikael', 'Clara', 'Paolo', 'Nina'],
        array['Novak', 'Rossi', 'Larsen', 'Moreau', 'Fischer', 'Kowalski', 'Jansen', 'Ferreira', 'Lindqvist', 'Popescu', 'Murphy']),
    ('africa', array['Joseph', 'Amina', 'Emmanuel', 'Grace', 'Kwame', 'Zainab', 'Peter', 'Esther', 'Tendai', 'Ruth', 'Samuel', 'Blessing'],
        array['Mwangi', 'Okafor', 'Mensah', 'Banda', 'Mutasa', 'Nakato', 'Kamau', 'Phiri', 'Adeyemi', 'Dlamini', 'Mugisha']),
    ('southasia', array['Imran', 'Ayesha', 'Rahim', 'Nadia', 'Sanjay', 'Priyanka', 'Chaminda', 'Farhana', 'Usman', 'Dilini', 'Arjun', 'Sadia'],
        array['Khan', 'Rahman', 'Fernando', 'Hussain', 'Chowdhury', 'Silva', 'Malik', 'Sharma', 'Akhtar', 'Jayasinghe', 'Siddiqui']),
    ('gulf', array['Omar', 'Layla', 'Khalid', 'Mariam', 'Yusuf', 'Noura', 'Hassan', 'Salma', 'Tariq', 'Huda'],
        array['Al Mansouri', 'Haddad', 'Al Balushi', 'Nasser', 'Al Sayed', 'Khoury', 'Al Otaibi', 'Farouk', 'Saleh']),
    ('pacific', array['Sione', 'Mere', 'Tomasi', 'Lani', 'Manu', 'Ana', 'Wei', 'Li Na', 'Joon', 'Rosa'],
        array['Tuilagi', 'Waqa', 'Fifita', 'Santos', 'Tan', 'Lim', 'Reyes', 'Kaho', 'Nair']),
    ('latin', array['Carlos', 'Valentina', 'Diego', 'Camila', 'Mateo', 'Lucia', 'Jorge', 'Paula'],
        array['Gonzalez', 'Rojas', 'Fernandez', 'Vargas', 'Castillo', 'Mendoza', 'Silva', 'Benitez'])
) as t (people, first_names, last_names);

create temp table markets on commit drop as
select n, country, people, city, port from (values
    (1, 'DE', 'europe', 'Hamburg', 'Hamburg'), (2, 'US', 'english', 'Los Angeles', 'Long Beach'),
    (3, 'AU', 'english', 'Sydney', 'Port Kembla'), (4, 'CA', 'english', 'Vancouver', 'Vancouver'),
    (5, 'JM', 'english', 'Kingston', 'Kingston'), (6, 'KE', 'africa', 'Nairobi', 'Mombasa'),
    (7, 'PK', 'southasia', 'Karachi', 'Karachi'), (8, 'AE', 'gulf', 'Dubai', 'Jebel Ali'),
    (9, 'GB', 'english', 'Bristol', 'Bristol'), (10, 'TZ', 'africa', 'Dar es Salaam', 'Dar es Salaam'),
    (11, 'LK', 'southasia', 'Colombo', 'Hambantota'), (12, 'TT', 'english', 'Port of Spain', 'Port of Spain'),
    (13, 'BD', 'southasia', 'Dhaka', 'Chattogram'), (14, 'NG', 'africa', 'Lagos', 'Tin Can Island'),
    (15, 'BB', 'english', 'Bridgetown', 'Bridgetown'), (16, 'GY', 'english', 'Georgetown', 'Georgetown'),
    (17, 'NZ', 'english', 'Auckland', 'Auckland'), (18, 'IE', 'english', 'Dublin', 'Dublin'),
    (19, 'ZM', 'africa', 'Lusaka', 'Dar es Salaam'), (20, 'UG', 'africa', 'Kampala', 'Mombasa'),
    (21, 'ZW', 'africa', 'Harare', 'Beira'), (22, 'GH', 'africa', 'Accra', 'Tema'),
    (23, 'MZ', 'africa', 'Maputo', 'Maputo'), (24, 'ZA', 'africa', 'Durban', 'Durban'),
    (25, 'BW', 'africa', 'Gaborone', 'Durban'), (26, 'MW', 'africa', 'Lilongwe', 'Nacala'),
    (27, 'RW', 'africa', 'Kigali', 'Dar es Salaam'), (28, 'CY', 'europe', 'Limassol', 'Limassol'),
    (29, 'MT', 'europe', 'Valletta', 'Valletta'), (30, 'NL', 'europe', 'Rotterdam', 'Rotterdam'),
    (31, 'FR', 'europe', 'Le Havre', 'Le Havre'), (32, 'PL', 'europe', 'Gdynia', 'Gdynia'),
    (33, 'SE', 'europe', 'Gothenburg', 'Gothenburg'), (34, 'FI', 'europe', 'Hanko', 'Hanko'),
    (35, 'OM', 'gulf', 'Muscat', 'Sohar'), (36, 'QA', 'gulf', 'Doha', 'Hamad'),
    (37, 'BH', 'gulf', 'Manama', 'Khalifa Bin Salman'), (38, 'FJ', 'pacific', 'Suva', 'Suva'),
    (39, 'WS', 'pacific', 'Apia', 'Apia'), (40, 'SG', 'pacific', 'Singapore', 'Singapore'),
    (41, 'PH', 'pacific', 'Manila', 'Batangas'), (42, 'CL', 'latin', 'Iquique', 'Iquique'),
    (43, 'PY', 'latin', 'Asuncion', 'Iquique'), (44, 'BS', 'english', 'Nassau', 'Nassau')
) as t (n, country, people, city, port);

-- 191 verified, 11 whose payment arrived (Mei is the twelfth), 23 whose payment did not, 14 suspended
create temp table many_agents on commit drop as
select n, format('agent%s@members.minato.example', lpad(n::text, 3, '0')) as email,
    pg_temp.one_of(first_names, 'agent first ' || n) || ' ' || pg_temp.one_of(last_names, 'agent last ' || n) as full_name,
    pg_temp.one_of(last_names, 'agent last ' || n) || ' '
        || pg_temp.one_of(array['Auto Export', 'Motors', 'Trading', 'Car Select', 'Vehicle Export', 'Jidosha'], 'firm ' || n)
        as company_name,
    pg_temp.one_of(array['Tokyo', 'Osaka', 'Nagoya', 'Yokohama', 'Kobe', 'Fukuoka', 'Sapporo', 'Kyoto', 'Chiba', 'Hiroshima'],
        'agent city ' || n) as city,
    case when n <= 191 then 'verified' when n <= 202 then 'pending' when n <= 225 then 'payment_pending' else 'suspended' end as state,
    case when n <= 191 then now() - (200 + pg_temp.number_of('agent since ' || n, 700)) * interval '1 day'
        else now() - (3 + pg_temp.number_of('agent since ' || n, 20)) * interval '1 day' end
        - case when n > 225 then interval '300 days' else interval '0' end as created
from generate_series(1, 239) as n, peoples where people = 'japan';

create temp table many_importers on commit drop as
select i.n, format('importer%s@members.minato.example', lpad(i.n::text, 3, '0')) as email,
    pg_temp.one_of(first_names, 'importer first ' || i.n) || ' ' || pg_temp.one_of(last_names, 'importer last ' || i.n) as full_name,
    pg_temp.one_of(last_names, 'importer last ' || i.n) || ' '
        || pg_temp.one_of(array['Imports', 'Auto Mart', 'Motors', 'Vehicle Supplies', 'Car Centre'], 'shop ' || i.n) as company_name,
    country, city, port,
    case when i.n <= 9 then now() - i.n * interval '17 hours'
        else now() - (10 + pg_temp.number_of('importer since ' || i.n, 690)) * interval '1 day' end as created
from (select n, case when n <= 44 then n else 1 + pg_temp.number_of('market a ' || n, 44) * pg_temp.number_of('market b ' || n, 44) / 44 end
    as market from generate_series(1, 297) as n) i
join markets m on m.n = i.market
join peoples using (people);

-- one statement instead of a call per person: this is most of what the seed does
insert into auth.users (instance_id, id, aud, role, email, encrypted_password, email_confirmed_at, confirmation_token,
    recovery_token, email_change_token_new, email_change, raw_app_meta_data, raw_user_meta_data, created_at, updated_at,
    last_sign_in_at)
select '00000000-0000-0000-0000-000000000000', pg_temp.member(email), 'authenticated', 'authenticated', email, '', created, '', '', '', '',
    '{"provider": "email", "providers": ["email"]}', said, created, created,
    greatest(created, now() - pg_temp.number_of('last seen ' || email, 125) * interval '1 day')
from (
    select email, created, jsonb_build_object('role', 'agent', 'full_name', full_name, 'company_name', company_name,
        'country', 'JP', 'city', city, 'phone', '+81 50 5550 ' || lpad(n::text, 4, '0')) as said from many_agents
    union all
    select email, created, jsonb_build_object('role', 'importer', 'full_name', full_name, 'company_name', company_name,
        'country', country, 'city', city, 'phone', '+1 555 0100 ' || lpad(n::text, 4, '0')) from many_importers
) as people
on conflict do nothing;

update public.profiles p
set created_at = a.created, experience = 2 + pg_temp.number_of('experience ' || n, 17) || ' years',
    specialties = array(select distinct pg_temp.one_of(
        array['Toyota', 'Honda', 'Luxury', 'Sports', 'Electric', 'Commercial'], format('specialty %s %s', n, k))
        from generate_series(1, 2) as k),
    languages_spoken = array['Japanese', 'English'],
    verification_status = case when state = 'verified' then 'verified' when state = 'suspended' then 'verified' else 'pending' end,
    verified_at = case when state in ('verified', 'suspended') then a.created + interval '2 days' end,
    status = case state when 'suspended' then 'suspended' else 'active' end
from many_agents a where p.user_id = pg_temp.member(a.email) and p.experience is null;

update public.profiles p
set created_at = i.created, shipping_ports = array[port],
    interested_car_brands = array[pg_temp.one_of(array['Toyota', 'Nissan', 'Honda', 'Mazda', 'Subaru', 'Suzuki'], 'brand ' || n)],
    budget_range = pg_temp.one_of(array['$5,000 - $12,000', '$10,000 - $20,000', '$15,000 - $30,000', '$30,000 - $60,000'], 'budget ' || n),
    import_frequency = pg_temp.one_of(array['Weekly', 'Monthly', 'Quarterly', 'Yearly'], 'frequency ' || n),
    account_type = case when n % 12 = 0 then 'premium' when n % 7 = 0 then 'business' else 'standard' end,
    status = case when n % 60 = 0 then 'suspended' else 'active' end
from many_importers i where p.user_id = pg_temp.member(i.email) and p.budget_range is null;

insert into public.agent_verifications (id, agent_id, company_name, experience, languages, identity_document_path,
    company_proof_path, payment_method, payment_claimed, payment_status, status, submitted_at, reviewed_at)
select pg_temp.id_of('verification:' || email), pg_temp.member(email), company_name, '5 years', array['Japanese', 'English'],
    'samples/identity-document.png', 'samples/company-proof.png',
    pg_temp.one_of(array['easypaisa', 'bank'], 'method ' || n), state <> 'payment_pending' or n % 2 = 0,
    case when state <> 'payment_pending' then 'received' when n % 2 = 0 then 'claimed' else 'none' end,
    case when state in ('verified', 'suspended') then 'approved' else 'pending' end,
    created + interval '1 day', case when state in ('verified', 'suspended') then created + interval '2 days' end
from many_agents
on conflict do nothing;

insert into public.account_moderation (user_id, suspension_reason, suspended_at)
select pg_temp.member(email), pg_temp.one_of(array['Repeated complaints about undisclosed damage.', 'Documents expired.',
    'Asked for payments outside the invoice.', 'No answer to buyers for a month.'], 'reason ' || email), now() - interval '20 days'
from (select email from many_agents where state = 'suspended'
    union all select email from many_importers where n % 60 = 0) as suspended
on conflict do nothing;

-- days on which people were here: the last thirty
insert into public.user_activity (user_id, day)
select p.user_id, current_date - ago
from public.profiles p cross join generate_series(0, 29) as ago
where p.created_at::date <= current_date - ago and pg_temp.number_of(format('here %s %s', p.user_id, ago), 100) < 14
on conflict do nothing;
