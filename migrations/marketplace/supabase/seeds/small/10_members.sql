-- The people screens show by name. Those with a line in accounts.json can sign in.
create temp table featured_agents on commit drop as
select * from (values
    (1, 'kenji.tanaka@minato.example', 'Kenji Tanaka', 'Tokyo', 'Tanaka Auto Export', '+81 3 5550 0141', '12 years',
        array['Toyota', 'Luxury'], array['Japanese', 'English', 'German'],
        'Family exporter in Ota. I drive every car before I offer it, and send the auction sheet with a translation.'),
    (2, 'yuki.sato@minato.example', 'Yuki Sato', 'Tokyo', 'Sato Mobility', '+81 3 5550 0177', '7 years',
        array['Electric', 'Honda'], array['Japanese', 'English'],
        'Hybrids and electric cars with a battery report you can read. Shipping from Yokohama every second Friday.'),
    (3, 'hiroshi.yamamoto@minato.example', 'Hiroshi Yamamoto', 'Osaka', 'Kansai Performance', '+81 6 5550 0112', '15 years',
        array['Sports'], array['Japanese', 'English', 'Spanish'],
        'Sports cars from Kansai auctions since 2011. Compression test and underbody photographs on request.'),
    (4, 'aiko.nakamura@minato.example', 'Aiko Nakamura', 'Nagoya', 'Chubu Motor Trading', '+81 52 555 0190', '9 years',
        array['Toyota', 'Commercial'], array['Japanese', 'English', 'Swahili'],
        'Vans, trucks and Toyotas straight from Aichi. Regular sailings to Mombasa and Dar es Salaam.'),
    (5, 'daichi.kobayashi@minato.example', 'Daichi Kobayashi', 'Kyoto', 'Kyoto Fine Cars', '+81 75 555 0123', '18 years',
        array['Luxury', 'Sports'], array['Japanese', 'English', 'French'],
        'Saloons and classics from first owners. Few cars, full history, no hurry.'),
    (6, 'haruka.ito@minato.example', 'Haruka Ito', 'Fukuoka', 'Kyushu Auto Link', '+81 92 555 0165', '6 years',
        array['Commercial', 'Honda'], array['Japanese', 'English', 'Korean'],
        'Compact and kei vehicles from Kyushu, loaded at Hakata. Quick answers, plain invoices.')
) as t (n, email, full_name, city, company_name, phone, experience, specialties, languages, bio);

create temp table featured_importers on commit drop as
select * from (values
    (1, 'anna.schmidt@minato.example', 'Anna Schmidt', 'DE', 'Hamburg', 'Schmidt Fahrzeugimport', '+49 40 5550 0126',
        '$15,000 - $30,000', 'Monthly', array['Toyota', 'Mazda', 'Lexus'], array['Hamburg', 'Bremerhaven']),
    (2, 'michael.carter@minato.example', 'Michael Carter', 'US', 'Seattle', 'Cascade JDM', '+1 206 555 0139',
        '$20,000 - $60,000', 'Quarterly', array['Nissan', 'Subaru'], array['Tacoma', 'Long Beach']),
    (3, 'olivia.brown@minato.example', 'Olivia Brown', 'AU', 'Brisbane', 'Southern Cross Imports', '+61 7 5550 0173',
        '$10,000 - $25,000', 'Monthly', array['Toyota', 'Mitsubishi'], array['Brisbane', 'Port Kembla']),
    (4, 'liam.tremblay@minato.example', 'Liam Tremblay', 'CA', 'Vancouver', 'Pacific Rim Auto', '+1 604 555 0118',
        '$12,000 - $35,000', 'Quarterly', array['Honda', 'Subaru'], array['Vancouver', 'Halifax']),
    (5, 'marcia.campbell@minato.example', 'Marcia Campbell', 'JM', 'Kingston', 'Campbell Auto Mart', '+1 876 555 0150',
        '$6,000 - $14,000', 'Weekly', array['Toyota', 'Nissan'], array['Kingston']),
    (6, 'brian.otieno@minato.example', 'Brian Otieno', 'KE', 'Mombasa', 'Otieno Motors', '+254 41 555 0102',
        '$7,000 - $16,000', 'Weekly', array['Toyota', 'Isuzu', 'Subaru'], array['Mombasa']),
    (7, 'bilal.ahmed@minato.example', 'Bilal Ahmed', 'PK', 'Karachi', 'Ahmed Traders', '+92 21 5550 0184',
        '$5,000 - $12,000', 'Weekly', array['Suzuki', 'Daihatsu', 'Toyota'], array['Karachi']),
    (8, 'fatima.alhashimi@minato.example', 'Fatima Al Hashimi', 'AE', 'Dubai', 'Creek Automobiles', '+971 4 555 0161',
        '$25,000 - $90,000', 'Monthly', array['Lexus', 'Nissan', 'Toyota'], array['Jebel Ali']),
    (9, 'james.whitfield@minato.example', 'James Whitfield', 'GB', 'Southampton', 'Whitfield & Sons', '+44 23 5550 0137',
        '$12,000 - $40,000', 'Monthly', array['Mazda', 'Honda'], array['Southampton']),
    (10, 'neema.mushi@minato.example', 'Neema Mushi', 'TZ', 'Dar es Salaam', 'Mushi Auto Imports', '+255 22 555 0119',
        '$6,000 - $15,000', 'Weekly', array['Toyota', 'Nissan'], array['Dar es Salaam']),
    (11, 'nuwan.perera@minato.example', 'Nuwan Perera', 'LK', 'Colombo', 'Perera Lanka Autos', '+94 11 555 0148',
        '$8,000 - $18,000', 'Monthly', array['Suzuki', 'Honda'], array['Hambantota', 'Colombo']),
    (12, 'keisha.joseph@minato.example', 'Keisha Joseph', 'TT', 'Port of Spain', 'Joseph Vehicle Supplies', '+1 868 555 0192',
        '$7,000 - $15,000', 'Monthly', array['Nissan', 'Toyota'], array['Port of Spain'])
) as t (n, email, full_name, country, city, company_name, phone, budget_range, import_frequency, brands, ports);

do $$
declare
    member record;
begin
    for member in
        select email, n <= 1 as signs_in, now() - interval '2 years' + n * interval '41 days' as created,
            jsonb_build_object('full_name', full_name, 'country', 'JP', 'city', city, 'phone', phone, 'role', 'agent') as said
        from featured_agents
        union all
        select email, n <= 1, now() - interval '1 year' + n * interval '17 days',
            jsonb_build_object('full_name', full_name, 'country', country, 'city', city, 'phone', phone,
                'company_name', company_name, 'role', 'importer')
        from featured_importers
        union all
        select email, true, now() - age, said from (values
            ('mei.watanabe@minato.example', interval '9 days',
                '{"full_name": "Mei Watanabe", "country": "JP", "city": "Yokohama", "phone": "+81 45 555 0128", "role": "agent"}'::jsonb),
            ('sora.fujita@minato.example', interval '2 days',
                '{"full_name": "Sora Fujita", "country": "JP", "city": "Kobe", "phone": "+81 78 555 0155", "role": "agent"}'),
            ('tom.fischer@minato.example', interval '1 day',
                '{"full_name": "Tom Fischer", "country": "DE", "city": "Bremen", "phone": "+49 421 5550 0110", "role": "importer", "company_name": "Fischer Automobile"}'),
            (nullif(current_setting('minato.admin_email', true), ''), interval '2 years', '{}')
        ) as others (email, age, said) where email is not null
    loop
        call pg_temp.add_user(member.email, member.signs_in, member.said, member.created);
    end loop;
    perform minato.grant_admin_role(id) from auth.users where lower(email) = lower(current_setting('minato.admin_email', true));
end
$$;

update public.profiles p
set company_name = f.company_name, experience = f.experience, specialties = f.specialties, languages_spoken = f.languages,
    bio = f.bio, verification_status = 'verified', verified_at = p.created_at + interval '3 days'
from featured_agents f where p.user_id = pg_temp.member(f.email) and p.verification_status = 'unverified';

update public.profiles p
set budget_range = f.budget_range, import_frequency = f.import_frequency, interested_car_brands = f.brands,
    shipping_ports = f.ports
from featured_importers f where p.user_id = pg_temp.member(f.email) and p.budget_range is null;
update public.profiles p set created_at = u.created_at
from auth.users u where u.id = p.user_id and p.created_at = now() and u.created_at < now();
update public.profiles set verified_at = created_at + interval '3 days' where verified_at > now();

insert into public.agent_verifications (id, agent_id, bio, company_name, experience, languages, identity_document_path,
    company_proof_path, payment_method, payment_claimed, payment_status, payment_reference, status, submitted_at, reviewed_at)
select pg_temp.id_of('verification:' || email), pg_temp.member(email), f.bio, f.company_name, f.experience, languages,
    'samples/identity-document.png', 'samples/company-proof.png', 'bank', true, 'received', 'TRX-' || 40210 + n, 'approved',
    p.created_at + interval '1 day', p.created_at + interval '3 days'
from featured_agents f join public.profiles p on p.user_id = pg_temp.member(f.email)
on conflict do nothing;

-- Mei has paid and waits for the decision; Sora has not begun
insert into public.agent_verifications (id, agent_id, bio, company_name, experience, languages, identity_document_path,
    company_proof_path, payment_method, payment_claimed, payment_status, payment_reference, submitted_at)
values (pg_temp.id_of('verification:mei'), pg_temp.member('mei.watanabe@minato.example'),
    'Kei cars and small vans, loaded at Yokohama.', 'Watanabe Kei Export', '4 years', array['Japanese', 'English'],
    'samples/identity-document.png', 'samples/company-proof.png', 'easypaisa', true, 'received', 'EP-771204',
    now() - interval '20 hours')
on conflict do nothing;
update public.profiles set verification_status = 'pending', company_name = 'Watanabe Kei Export', experience = '4 years',
    languages_spoken = array['Japanese', 'English'], bio = 'Kei cars and small vans, loaded at Yokohama.'
where user_id = pg_temp.member('mei.watanabe@minato.example') and verification_status = 'unverified';
