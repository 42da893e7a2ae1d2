-- What the back office has beside a marketplace of 100,000 offers (`marketplace.sql`, in the same connection): a case of
-- each request, a submission of each agent, 20,000 reviews, 10,000 deals, 20,000 tickets, 200 reported conversations,
-- 5,000 mails that failed and 100,000 entries of the record. The same rows in every run, and in proportion below.
create function pg_temp.person(n bigint) returns uuid language sql immutable as $$ select md5('bench' || n)::uuid $$;
create function pg_temp.people() returns bigint language sql as $$ select greatest(20, pg_temp.so_many(20000)) $$;

do $$
declare
    filled text;
begin
    foreach filled in array array['profiles', 'car_requests', 'request_cases', 'agent_verifications', 'reviews', 'deals', 'support_tickets',
        'ticket_messages', 'conversation_reports', 'notification_outbox', 'admin_audit_log'] loop
        execute format('alter table public.%I disable trigger user', filled);
    end loop;
end
$$;

update public.profiles set city = pg_temp.one_of(length(full_name) + ascii(right(full_name, 1)), 'city', '{Yokohama,Nairobi,Kobe,Kingston,Mombasa,Lusaka}'),
    company_name = full_name || ' Motors', verification_status = case when user_type = 'importer' then 'unverified'
        else pg_temp.one_of(ascii(right(user_id::text, 1)), 'verified', '{verified,pending,unverified}') end;
update public.car_requests set description = 'Low mileage and a clean auction sheet, please; right-hand drive, for the school run.',
    budget_min = 1000 + floor(9000 * pg_temp.chance(abs(hashtext(id::text)), 'budget')), year_range = '2012 - 2018', shipping_port = 'Mombasa';
update public.car_requests set budget_max = budget_min + 4000;
insert into public.request_cases (request_id, status, priority, progress, assigned_agent_id, notes)
select id, case when status = 'completed' then 'completed' else
        pg_temp.one_of(n, 'case', '{pending_agent,in_progress,pending_approval,cancelled,disputed}') end,
    pg_temp.one_of(n, 'priority', '{low,medium,high,urgent}'), floor(100 * pg_temp.chance(n, 'progress')),
    case when n % 2 = 0 then pg_temp.person(10 * (1 + n % (pg_temp.people() / 10))) end,
    '[{"at": "2026-03-01", "action": "approve", "text": "Looked through, nothing to add."}]'
from (select id, status, row_number() over (order by created_at, id) as n from public.car_requests) numbered on conflict do nothing;

insert into public.agent_verifications (agent_id, bio, company_name, experience, languages, identity_document_path,
    company_proof_path, payment_method, payment_status, status, submitted_at)
select pg_temp.person(10 * n), 'Cars from the auctions of Yokohama since 2004, to four continents.', 'Company ' || n, '12 years', '{English,Japanese}',
    'identity.pdf', case when n % 5 > 0 then 'company.pdf' end, 'bank', pg_temp.one_of(n, 'fee', '{received,claimed,none}'),
    pg_temp.one_of(n, 'submission', '{approved,pending,rejected}'), now() - n * interval '3 hours'
from generate_series(1, pg_temp.people() / 10) n;

insert into public.reviews (reviewer_id, reviewed_id, rating, created_at)
select pg_temp.person(1 + n % pg_temp.people()), pg_temp.person(10 * (1 + n * 7 % (pg_temp.people() / 10))), 3 + n % 3, now() - n * interval '1 minute'
from generate_series(1, pg_temp.so_many(20000)) n
where 1 + n % pg_temp.people() <> 10 * (1 + n * 7 % (pg_temp.people() / 10)) on conflict do nothing;

insert into public.deals (agent_id, importer_id, value_usd, status, completed_at)
select pg_temp.person(10 * (1 + n % (pg_temp.people() / 10))), pg_temp.person(1 + n * 3 % pg_temp.people()), 2000 + n, 'completed', now() - n * interval '1 hour'
from generate_series(1, pg_temp.so_many(10000)) n;

insert into public.support_tickets (user_id, subject, body, category, priority, status, tags, created_at)
select pg_temp.person(1 + n % pg_temp.people()), 'The ship is late, ticket ' || n, repeat('Nobody tells me where my car is. ', 8),
    pg_temp.one_of(n, 'category', '{shipping,payment,account,general}'), pg_temp.one_of(n, 'priority', '{medium,low,high,urgent}'),
    pg_temp.one_of(n, 'ticket', '{resolved,open,in_progress,waiting_response,escalated}'),
    case when n % 50 = 0 then '{dispute}' else '{}' end::text[], now() - n * interval '20 minutes'
from generate_series(1, pg_temp.so_many(20000)) n;
insert into public.ticket_messages (ticket_id, author_id, body)
select id, user_id, 'It was due last week, and the agent is silent.' from public.support_tickets where user_id is not null;

insert into public.conversation_reports (reporter_id, counterpart_id, reason)
select sender_id, receiver_id, 'Asks for money outside' from public.messages where sender_id is not null and receiver_id is not null
group by 1, 2 order by 1, 2 limit pg_temp.so_many(200) on conflict do nothing;

insert into public.notification_outbox (user_id, channel, kind, payload, attempts, error, due_at, tried_at, created_at)
select pg_temp.person(1 + n % pg_temp.people()), 'email', 'message', jsonb_build_object('sender_id', pg_temp.person(1 + n * 7 % pg_temp.people())),
    1 + n % 8, 'Mailbox unavailable', case when n % 3 = 0 then 'infinity' else now() + interval '1 day' end, now(), now() - n * interval '1 minute'
from generate_series(1, pg_temp.so_many(5000)) n;

insert into public.admin_audit_log (action, target_type, target_id, details, created_at)
select case when n % 2 = 0 then 'review_agent' else 'request_approve' end, case when n % 2 = 0 then 'agent' else 'request' end,
    case when n % 2 = 0 then pg_temp.person(10 * (1 + n % (pg_temp.people() / 10))) else r.id end::text, '{"note": "As agreed by telephone"}',
    now() - (pg_temp.so_many(100000) - n) * interval '5 minutes'
from generate_series(1, pg_temp.so_many(100000)) n
left join (select id, row_number() over (order by id) as place from public.car_requests) r
    on r.place = 1 + n % greatest(1, pg_temp.so_many(50000));

do $$
declare
    filled text;
begin
    foreach filled in array array['profiles', 'car_requests', 'request_cases', 'agent_verifications', 'reviews', 'deals', 'support_tickets',
        'ticket_messages', 'conversation_reports', 'notification_outbox', 'admin_audit_log'] loop
        execute format('alter table public.%I enable trigger user', filled);
    end loop;
end
$$;
select private.rebuild_entries();
