-- So many rows of every kind (psql variable rows) beside the seed small, older than the seed's, seven of each instant.
-- Whatever is not a multiple of ten is saved, followed and open.
-- Nobody is told of them.
begin;
alter table public.profiles disable trigger user;
alter table public.agent_posts disable trigger user;
alter table public.agent_posts enable trigger note_search_words;
alter table public.saved_posts disable trigger user;
alter table public.follows disable trigger user;
alter table public.car_requests disable trigger user;
alter table public.invitations disable trigger user;
alter table public.messages disable trigger user;
alter table public.reviews disable trigger user;
alter table public.request_cases disable trigger user;
alter table public.support_tickets disable trigger user;
alter table public.notification_outbox disable trigger user;
alter table public.admin_audit_log disable trigger user;

create temp table many as
select n, lpad(n::text, 4, '0') as label, md5('member ' || n)::uuid as member, md5('car ' || n)::uuid as car,
    md5('request ' || n)::uuid as request, now() - interval '30 days' - n / 7 * interval '1 minute' as at
from generate_series(1, :rows) as n;

create temp table people as
select max(user_id::text) filter (where full_name = 'Anna Schmidt')::uuid as anna,
    max(user_id::text) filter (where full_name = 'Kenji Tanaka')::uuid as kenji
from public.profiles;

insert into auth.users (id, instance_id, aud, role, email, email_confirmed_at, created_at, updated_at)
select member, '00000000-0000-0000-0000-000000000000', 'authenticated', 'authenticated', 'many-' || n || '@example.com', at, at, at
from many;
insert into public.profiles (user_id, user_type, full_name, country, city, verification_status, verified_at, created_at,
    is_confirmed)
select member, 'agent', 'Agent ' || label, 'JP', 'Osaka', 'verified', at, at, true from many;

-- A few pages of importers, to be invited by agents.
insert into auth.users (id, instance_id, aud, role, email, email_confirmed_at, created_at, updated_at)
select md5('importer ' || n)::uuid, '00000000-0000-0000-0000-000000000000', 'authenticated', 'authenticated',
    'importer-' || n || '@example.com', at, at, at
from many where n <= 60;
insert into public.profiles (user_id, user_type, full_name, country, interested_car_brands, created_at, is_confirmed)
select md5('importer ' || n)::uuid, 'importer', 'Importer ' || label, case when n = 60 then 'ZM' else 'KE' end,
    array['Toyota'], at, true
from many where n <= 60;

insert into public.agent_posts (id, agent_id, car_name, model, cnf_price, description, created_at, updated_at)
select car, member, 'Toyota', 'Car ' || label, 9000 + n, 'One of many.', at, at from many;
insert into public.saved_posts (user_id, post_id, created_at) select anna, car, at from many, people where n % 10 <> 0;
insert into public.follows (follower_id, following_id, created_at) select anna, member, at from many, people where n % 10 <> 0;

insert into public.car_requests (id, importer_id, car_make, car_model, year_range, budget_min, budget_max, urgency, created_at,
    updated_at)
select request, anna, 'Toyota', 'Wish ' || label, '2015-2019', 8000, 12000, 'low', at, at from many, people;
insert into public.invitations (agent_id, importer_id, request_id, message, status, created_at, updated_at)
select kenji, anna, request, 'Hello', case when n % 10 = 0 then 'declined' else 'sent' end, at, at from many, people;

insert into public.request_cases (request_id, status, priority)
select request, case when n % 10 = 0 then 'completed' else 'pending_agent' end, 'low' from many;

-- for the back office: importers, tickets, mails that failed, what was decided, and who talks with whom
insert into auth.users (id, instance_id, aud, role, email, email_confirmed_at, created_at, updated_at)
select md5('buyer ' || n)::uuid, '00000000-0000-0000-0000-000000000000', 'authenticated', 'authenticated', 'buyer-' || n || '@example.com', at, at, at
from many;
insert into public.profiles (user_id, user_type, full_name, country, city, created_at, is_confirmed)
select md5('buyer ' || n)::uuid, 'importer', 'Buyer ' || label, 'KE', 'Mombasa', at, true from many;
insert into public.support_tickets (user_id, subject, body, category, created_at)
select anna, 'Question ' || label, 'Where is it?', 'shipping', at from many, people;
insert into public.notification_outbox (user_id, channel, kind, error, attempts, due_at, tried_at, created_at)
select kenji, 'email', 'account_active', 'Mailbox unavailable', 8, 'infinity', at, at from many, people;
insert into public.admin_audit_log (action, target_type, target_id, created_at)
select 'set_account_type', 'member', md5('buyer ' || n), at from many order by n desc;
insert into public.messages (sender_id, receiver_id, conversation_id, content, is_read, created_at)
select md5('buyer ' || n)::uuid, member, private.conversation_of(md5('buyer ' || n)::uuid, member), 'Is it there?', true, at from many;

insert into public.messages (sender_id, receiver_id, conversation_id, content, is_read, created_at)
select case when n % 2 = 0 then anna else first.member end, case when n % 2 = 0 then first.member else anna end,
    private.conversation_of(anna, first.member), 'Message ' || many.label, true, many.at
from many, people, (select member from many where n = 1) as first;
-- Everybody else wrote to both once.
insert into public.messages (sender_id, receiver_id, conversation_id, content, is_read, created_at)
select member, sides.receiver, private.conversation_of(member, sides.receiver), 'Word ' || label, true, at
from many, people, lateral (values (anna), (kenji)) as sides (receiver) where n > 1;
insert into public.reviews (reviewed_id, reviewer_id, rating, comment, created_at, updated_at)
select sides.reviewed, sides.reviewer, 5, 'Review ' || label, at, at
from many, people, lateral (values (kenji, member), (anna, member), (member, anna)) as sides (reviewed, reviewer);

alter table public.profiles enable trigger user;
alter table public.agent_posts enable trigger user;
alter table public.saved_posts enable trigger user;
alter table public.follows enable trigger user;
alter table public.car_requests enable trigger user;
alter table public.invitations enable trigger user;
alter table public.messages enable trigger user;
select private.rebuild_conversations();
alter table public.reviews enable trigger user;
alter table public.request_cases enable trigger user;
alter table public.support_tickets enable trigger user;
alter table public.notification_outbox enable trigger user;
alter table public.admin_audit_log enable trigger user;
select private.rebuild_entries();
-- none of it happened a moment ago
do $$
declare
    list text;
begin
    for list in select relname from pg_class where relnamespace = 'private'::regnamespace and relname like '%\_entries' and relkind = 'r' loop
        execute format('update private.%I set changed_at = now() - interval ''1 day''', list);
    end loop;
end
$$;
commit;
analyze public.profiles, public.agent_posts, public.saved_posts, public.follows, public.car_requests, public.invitations,
    public.messages, public.reviews, public.conversations;
