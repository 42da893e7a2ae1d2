-- Deals of the last completed January to July, each with its request and invitation. A month's values add up to the
-- figure on the chart, whatever the featured members traded in it.
create temp table months on commit drop as
select m, target, deals, make_date(extract(year from current_date)::int - (extract(month from current_date) <= 7)::int, m, 1) as first_day
from (values (1, 142000, 9), (2, 168000, 10), (3, 195000, 12), (4, 188000, 11), (5, 231000, 14), (6, 256000, 15), (7, 284000, 17))
    as t (m, target, deals);

create temp table cars on commit drop as
select row_number() over () as lot, t.* from (values
    ('Nissan', 'GT-R', 52, '2010-2014'), ('Toyota', 'Supra', 24, '2020-2024'), ('Toyota', 'Crown', 15, '2015-2019'),
    ('Nissan', 'Skyline GT-R R32', 27, 'Before 1995'), ('Honda', 'CBR1000RR', 7, '2015-2019'), ('Mazda', 'MX-5', 12, '2015-2019'),
    ('Lexus', 'LS 460', 16, '2010-2014'), ('Mazda', 'RX-7', 22, '1995-1999'), ('Suzuki', 'Hayabusa', 8, '2015-2019'),
    ('Subaru', 'WRX STI', 18, '2015-2019'), ('Lexus', 'GS 350', 14, '2010-2014'), ('Mitsubishi', 'Lancer Evolution IX', 20, '2005-2009'),
    ('Acura', 'NSX', 60, '2000-2004')
) as t (make, model, weight, years);

-- Hiroshi sold much in spring and little since; Kenji, Yuki and Aiko sell steadily, Daichi more and more
create temp table sales on commit drop as
select s.*, sum(weight) over (partition by m) as all_weights, row_number() over (partition by m order by i desc) as from_last,
    pg_temp.id_of(format('sale:%s:%s', m, i)) as deal_id, pg_temp.id_of(format('sale request:%s:%s', m, i)) as request_id,
    pg_temp.id_of(format('sale invitation:%s:%s', m, i)) as invitation_id
from (
    select m.m, i, m.target, c.make, c.model, c.years, c.weight,
        m.first_day + ((i - 1) * 27 / m.deals) * interval '1 day' + interval '12 hours' as completed_at,
        pg_temp.member(case
            when i = 1 or (i = 7 and m.m > 2) then 'kenji.tanaka@minato.example'
            when (i in (2, 4, 6) and m.m <= 3) or (i = 2 and m.m = 5) then 'hiroshi.yamamoto@minato.example'
            when i = 3 or (i = 9 and m.m > 3) then 'yuki.sato@minato.example'
            when i = 5 then 'aiko.nakamura@minato.example'
            when i in (6, 8) and m.m > 3 then 'daichi.kobayashi@minato.example'
            else format('agent%s@members.minato.example', lpad((1 + pg_temp.number_of(format('seller %s %s', m.m, i), 191))::text, 3, '0'))
            end) as agent_id,
        pg_temp.member(case
            when i = 2 then 'fatima.alhashimi@minato.example' when i = 5 then 'michael.carter@minato.example'
            when i = 8 then 'james.whitfield@minato.example' when i = 10 then 'brian.otieno@minato.example'
            when i = 4 and m.m > 2 then 'liam.tremblay@minato.example'
            else format('importer%s@members.minato.example', lpad((10 + pg_temp.number_of(format('buyer %s %s', m.m, i), 287))::text, 3, '0'))
            end) as importer_id
    from months m cross join lateral generate_series(1, m.deals) as i
    join cars c on c.lot = 1 + (m.m * 5 + i * 3) % 13
) as s;

insert into public.car_requests (id, importer_id, car_make, car_model, year_range, budget_min, budget_max, condition, urgency,
    shipping_port, status, created_at)
select request_id, importer_id, make, model, years, weight * 800, weight * 1400, 'Good',
    (array['high', 'medium', 'low', 'none'])[1 + i % 4], p.shipping_ports[1], 'completed', completed_at - interval '25 days'
from sales join public.profiles p on p.user_id = importer_id
on conflict do nothing;
update public.request_cases c set assigned_agent_id = s.agent_id
from sales s where c.request_id = s.request_id and c.assigned_agent_id is null;

insert into public.invitations (id, agent_id, importer_id, request_id, message, status, created_at, responded_at)
select invitation_id, agent_id, importer_id, request_id, format('Hello %s, I am interested in helping you with your car import request.', full_name),
    'accepted', completed_at - interval '24 days', completed_at - interval '23 days'
from sales join public.profiles on user_id = importer_id
-- Kenji's own screens show five invitations; what he sold here was arranged before
where agent_id <> pg_temp.member('kenji.tanaka@minato.example')
on conflict do nothing;

insert into public.deals (id, invitation_id, request_id, agent_id, importer_id, make, model, category, country, value_usd, status,
    satisfaction, opened_at, completed_at)
select deal_id, (select i.id from public.invitations i where i.id = shared.invitation_id), request_id, agent_id, importer_id, make, model,
    private.category_of(make, model), p.country,
    case from_last
        when 1 then budget - sum(share) over (partition by m) + share
        else share end,
    'completed', 4 + pg_temp.number_of('satisfied ' || deal_id, 2), completed_at - interval '23 days', completed_at
from (
    select s.*, floor(budget * weight / all_weights / 100) * 100 as share
    from (select sales.*, target - coalesce((
            select sum(value_usd) from public.deals d
            where d.status = 'completed' and date_trunc('month', d.completed_at) = date_trunc('month', sales.completed_at)
            and d.id not in (select deal_id from sales)), 0) as budget
        from sales) s
) as shared
join public.profiles p on p.user_id = importer_id
on conflict do nothing;

-- invitations that led nowhere: conversion is not a hundred percent
insert into public.invitations (id, agent_id, importer_id, message, status, created_at, responded_at)
select pg_temp.id_of('tried:' || n), pg_temp.member(format('agent%s@members.minato.example', lpad((1 + n * 7 % 191)::text, 3, '0'))), p.user_id,
    format('Hello %s, I am interested in helping you with your car import request.', p.full_name),
    case when n % 3 = 0 then 'sent' else 'declined' end, m.first_day + n % 28 * interval '1 day',
    case when n % 3 <> 0 then m.first_day + n % 28 * interval '1 day' + interval '2 days' end
from generate_series(1, 96) as n
join months m on m.m = 1 + n % 7
join public.profiles p on p.user_id = pg_temp.member(format('importer%s@members.minato.example', lpad((10 + n * 3 % 287)::text, 3, '0')))
on conflict do nothing;

-- requests that are over or wait for approval: the four featured ones stay the only active ones
insert into public.car_requests (id, importer_id, car_make, car_model, year_range, budget_min, budget_max, condition, urgency,
    shipping_port, status, created_at)
select pg_temp.id_of('asked:' || n), p.user_id, c.make, c.model, c.years, c.weight * 700, c.weight * 1200, 'Any Condition',
    (array['high', 'medium', 'low', 'none'])[1 + n % 4], p.shipping_ports[1],
    case when n <= 7 then 'pending' else 'expired' end,
    case when n <= 7 then now() - n * interval '9 hours' else now() - (95 + n * 4) * interval '1 day' end
from generate_series(1, 60) as n
join cars c on c.lot = 1 + n % 13
join public.profiles p on p.user_id = pg_temp.member(format('importer%s@members.minato.example', lpad((20 + n * 4)::text, 3, '0')))
on conflict do nothing;

-- a 4 and a 5, or two 4s: good people, below the featured six
insert into public.reviews (id, reviewed_id, reviewer_id, rating, comment, created_at)
select pg_temp.id_of(format('opinion:%s:%s', n, k)), pg_temp.member(a.email),
    pg_temp.member(format('importer%s@members.minato.example', lpad((10 + (n * 2 + k) % 287)::text, 3, '0'))),
    case when k = 1 then 4 when pg_temp.number_of('opinion ' || n, 3) = 0 then 5 else 4 end,
    pg_temp.one_of(array['Good communication, car as described.', 'All papers in order.', 'Would buy again.',
        'Took a little longer than planned.', 'Clean car, fair price.'], format('words %s %s', n, k)),
    now() - pg_temp.number_of(format('said %s %s', n, k), 300) * interval '1 day'
from many_agents a cross join generate_series(1, 2) as k where state in ('verified', 'suspended')
on conflict do nothing;

-- a question and its answer some hours later, over the last month
insert into public.messages (id, sender_id, receiver_id, content, is_read, created_at)
select pg_temp.id_of(format('talk:%s:%s', n, turn)), case turn when 1 then importer else agent end,
    case turn when 1 then agent else importer end,
    case turn when 1 then pg_temp.one_of(array['Is this car still available?', 'What would shipping to my port cost?',
        'Could you send the auction sheet?', 'Do you have the same in white?'], 'question ' || n)
    else pg_temp.one_of(array['Yes, I can hold it for two days.', 'I will send the figures this evening.',
        'Attached to the mail I just sent.', 'Next week, two of them.'], 'answer ' || n) end,
    true, now() - (2 + n % 28) * interval '1 day' - (n % 11) * interval '1 hour'
        + (turn - 1) * (1 + pg_temp.number_of('waited ' || n, 14)) * interval '1 hour'
from (
    select n, pg_temp.member(format('importer%s@members.minato.example', lpad((10 + n * 2)::text, 3, '0'))) as importer,
        pg_temp.member(format('agent%s@members.minato.example', lpad((1 + n)::text, 3, '0'))) as agent
    from generate_series(1, 120) as n
) as talks cross join generate_series(1, 2) as turn where turn = 1 or n % 9 > 0
on conflict do nothing;
