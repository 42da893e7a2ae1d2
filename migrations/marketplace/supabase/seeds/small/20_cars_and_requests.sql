-- Two cars below 15,000, two up to 20,000, two above; three in stock, two at auction, one reserved.
insert into public.agent_posts (id, agent_id, car_name, model, variant, year, engine_size, cnf_price, mileage_km, transmission,
    fuel_type, drivetrain, body, color, location, condition, availability_status, auction_date, image_url, image_urls,
    description, features, specifications, created_at)
select pg_temp.id_of('post:' || picture), pg_temp.member(agent || '@minato.example'), make, model, variant, year, engine, price,
    km, gearbox, fuel, drive, body, color, place, condition, status, (now() + auction) at time zone 'Asia/Tokyo',
    pg_temp.picture(picture), array[pg_temp.picture(picture)], description, features, jsonb_build_object('auction_grade', grade, 'doors', doors, 'seats', 5),
    now() - age
from (values
    ('toyota-aqua.svg', 'kenji.tanaka', 'Toyota', 'Aqua', 'S Style Black', 2018, '1.5L', 11900, 48200, 'CVT', 'Hybrid', 'FWD', 'hatch',
        'Pearl white', 'Yokohama', 'Excellent', 'available', null::interval,
        'One owner, full dealer service book. Hybrid battery tested at 91%. Two keys, no smoking.',
        array['Rear camera', 'Lane departure alert', 'ETC'], '4.5', 5, interval '3 hours'),
    ('honda-vezel.svg', 'yuki.sato', 'Honda', 'Vezel', 'Hybrid Z', 2019, '1.5L', 17800, 39500, 'DCT', 'Hybrid', 'AWD', 'suv',
        'Midnight blue', 'Tokyo', 'Excellent', 'available', null,
        'Honda Sensing, heated seats, original wheels. Underbody dry and free of rust.',
        array['Honda Sensing', 'Heated seats', 'LED headlights'], '4.5', 5, interval '8 hours'),
    ('nissan-note.svg', 'haruka.ito', 'Nissan', 'Note e-Power', 'X', 2020, '1.2L', 13400, 31800, 'Automatic', 'Hybrid', 'FWD', 'hatch',
        'Garnet red', 'Hakata', 'Like New', 'available', null,
        'Drives like an electric car, fills up like any other. Small scratch on the left sill, photographed.',
        array['ProPILOT', 'Around view monitor'], '4.5', 5, interval '1 day 2 hours'),
    ('mazda-cx5.svg', 'daichi.kobayashi', 'Mazda', 'CX-5', 'XD L Package', 2019, '2.2L', 19600, 52100, 'Automatic', 'Diesel', 'AWD', 'suv',
        'Machine grey', 'Kobe', 'Good', 'pending', null,
        'Reserved until the deposit arrives. Leather, Bose sound, timing chain and injectors checked.',
        array['Leather seats', 'Bose audio', 'Power tailgate'], '4', 5, interval '2 days'),
    ('toyota-crown.svg', 'aiko.nakamura', 'Toyota', 'Crown', 'RS Advance', 2019, '2.0L', 24500, 44700, 'Automatic', 'Gasoline', 'RWD', 'sedan',
        'Precious black', 'Nagoya', 'Excellent', 'available', interval '5 days 6 hours',
        'In the USS Nagoya sale next week. The price is my limit for grade 4.5; I send the sheet before I bid.',
        array['Adaptive cruise', 'Head-up display', 'Ventilated seats'], '4.5', 4, interval '3 days'),
    ('subaru-wrx.svg', 'hiroshi.yamamoto', 'Subaru', 'WRX S4', 'STI Sport', 2020, '2.0L', 28900, 27300, 'CVT', 'Gasoline', 'AWD', 'sedan',
        'WR blue', 'Osaka', 'Excellent', 'available', interval '3 days 4 hours',
        'Unmodified. Bilstein dampers, Recaro seats. At auction in Osaka on Thursday; grade 5 expected.',
        array['EyeSight', 'Recaro seats', 'Bilstein dampers'], '5', 4, interval '4 days')
) as cars (picture, agent, make, model, variant, year, engine, price, km, gearbox, fuel, drive, body, color, place, condition, status,
    auction, description, features, grade, doors, age)
on conflict do nothing;

insert into public.car_requests (id, importer_id, car_make, car_model, year_range, budget_min, budget_max, condition, fuel_type,
    transmission, description, urgency, shipping_port, is_flexible_budget, is_flexible_year, status, created_at)
select pg_temp.id_of('request:' || name), pg_temp.member(importer || '@minato.example'), make, model, years, low, high, condition,
    fuel, gearbox, description, urgency, port, flexible, flexible, status, now() - age
from (values
    ('anna-lexus', 'anna.schmidt', 'Lexus', 'LS 500h', '2015-2019', 32000, 41000, 'Excellent', 'hybrid', 'automatic',
        'For a customer who collects it in Hamburg. Left- or right-hand drive, full history, no accident.', 'high', 'Hamburg',
        false, 'active', interval '5 hours'),
    ('michael-skyline', 'michael.carter', 'Nissan', 'Skyline GT-R R33', '1995-1999', 48000, 65000, 'Good', 'gasoline', 'manual',
        'Must be 25 years old at landing in Tacoma. Unmodified engine preferred.', 'medium', 'Tacoma', true, 'active',
        interval '1 day'),
    ('olivia-hiace', 'olivia.brown', 'Toyota', 'HiAce', '2015-2019', 18000, 24000, 'Good', 'diesel', 'automatic',
        'Long wheelbase, for conversion to a camper. Rust-free underbody is what matters.', 'low', 'Brisbane', true, 'active',
        interval '2 days'),
    ('liam-forester', 'liam.tremblay', 'Subaru', 'Forester', '2015-2019', 14000, 19000, 'Any Condition', 'gasoline', 'any',
        'Several wanted over the year, winter package welcome.', 'none', 'Vancouver', false, 'active', interval '4 days'),
    ('anna-mx5', 'anna.schmidt', 'Mazda', 'MX-5', '2015-2019', 15000, 21000, 'Excellent', 'gasoline', 'manual',
        'Soft top, soul red if possible.', 'low', 'Bremerhaven', false, 'pending', interval '10 hours'),
    ('anna-aqua', 'anna.schmidt', 'Toyota', 'Aqua', '2015-2019', 9000, 12000, 'Good', 'hybrid', 'cvt',
        'City car for a driving school.', 'medium', 'Hamburg', false, 'completed', interval '70 days'),
    ('anna-vezel', 'anna.schmidt', 'Honda', 'Vezel', '2020-2024', 12000, 14000, 'Like New', 'hybrid', 'any',
        'Budget was too low for the year, as it turned out.', 'none', 'Hamburg', false, 'expired', interval '160 days')
) as wanted (name, importer, make, model, years, low, high, condition, fuel, gearbox, description, urgency, port, flexible,
    status, age)
on conflict do nothing;

-- Kenji: two sent, two accepted, one declined; Anna has one of Yuki's to answer
insert into public.invitations (id, agent_id, importer_id, request_id, message, status, response_message, created_at, responded_at)
select pg_temp.id_of('invitation:' || agent || ':' || importer || ':' || coalesce(request, '')),
    pg_temp.member(agent || '@minato.example'), pg_temp.member(importer || '@minato.example'),
    (select id from public.car_requests where id = pg_temp.id_of('request:' || request)),
    format('Hello %s, I am interested in helping you with your car import request.', initcap(split_part(importer, '.', 1))),
    status, response, now() - age, case when status <> 'sent' then now() - age + interval '9 hours' end
from (values
    ('kenji.tanaka', 'michael.carter', 'michael-skyline', 'sent', null, interval '7 hours'),
    ('kenji.tanaka', 'olivia.brown', 'olivia-hiace', 'sent', null, interval '1 day 3 hours'),
    ('kenji.tanaka', 'liam.tremblay', 'liam-forester', 'accepted', 'Good to meet you. Please send two or three to start with.',
        interval '3 days'),
    ('kenji.tanaka', 'anna.schmidt', 'anna-aqua', 'accepted', 'Gerne, let us talk about the price.', interval '69 days'),
    ('kenji.tanaka', 'james.whitfield', null, 'declined', 'Thank you, I am covered for this quarter.', interval '12 days'),
    ('yuki.sato', 'anna.schmidt', 'anna-lexus', 'sent', null, interval '2 hours'),
    ('hiroshi.yamamoto', 'olivia.brown', 'olivia-hiace', 'accepted', 'Please quote to Brisbane.', interval '40 hours')
) as invited (agent, importer, request, status, response, age)
on conflict do nothing;

insert into public.deals (id, invitation_id, request_id, agent_id, importer_id, make, model, category, country, value_usd, status,
    satisfaction, opened_at, completed_at)
select pg_temp.id_of('deal:' || i.id), i.id, i.request_id, i.agent_id, i.importer_id, r.car_make, r.car_model,
    private.category_of(r.car_make, r.car_model), p.country, (r.budget_min + r.budget_max) / 2,
    case when r.status = 'completed' then 'completed' when r.id = pg_temp.id_of('request:olivia-hiace') then 'disputed' else 'open' end,
    case when r.status = 'completed' then 5 end, i.responded_at,
    case when r.status = 'completed' then i.responded_at + interval '30 days' end
from public.invitations i
join public.car_requests r on r.id = i.request_id
join public.profiles p on p.user_id = i.importer_id
where i.status = 'accepted'
on conflict do nothing;

update public.request_cases set status = 'in_progress', progress = 40,
    assigned_agent_id = pg_temp.member('kenji.tanaka@minato.example')
where request_id = pg_temp.id_of('request:liam-forester') and status = 'pending_agent';
update public.request_cases set assigned_agent_id = pg_temp.member('kenji.tanaka@minato.example')
where request_id = pg_temp.id_of('request:anna-aqua') and assigned_agent_id is null;
update public.request_cases set status = 'disputed', progress = 60,
    assigned_agent_id = pg_temp.member('hiroshi.yamamoto@minato.example'),
    dispute_reason = 'Mileage on the export certificate differs from the offer.',
    evidence = '[{"kind": "document", "title": "Export certificate"}, {"kind": "photo", "title": "Odometer on arrival"}]'
where request_id = pg_temp.id_of('request:olivia-hiace') and status = 'pending_agent';
