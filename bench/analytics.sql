-- A platform of years: 5,000 people, 1,000,000 days of activity, 200,000 messages, 50,000 requests, 20,000 deals.
-- Notifications and cases of all that would take longer than what is measured.
alter table public.messages disable trigger user;
alter table public.car_requests disable trigger user;
alter table public.deals disable trigger user;

insert into auth.users (id, aud, role, email, email_confirmed_at, raw_app_meta_data, raw_user_meta_data)
select md5('bench' || n)::uuid, 'authenticated', 'authenticated', 'bench' || n || '@minato.example', now(), '{}',
    jsonb_build_object('full_name', 'Person ' || n, 'role', case when n % 3 = 0 then 'agent' else 'importer' end,
        'country', (array['JP', 'DE', 'KE', 'JM', 'GB', 'US', 'AU', 'NZ', 'ZA', 'TZ'])[1 + n % 10])
from generate_series(1, 5000) n;

insert into public.user_activity (user_id, day)
select md5('bench' || n)::uuid, current_date - d from generate_series(1, 5000) n, generate_series(0, 199) d;

insert into public.messages (sender_id, receiver_id, content, created_at)
select md5('bench' || 1 + n % 5000)::uuid, md5('bench' || 1 + (n * 7) % 5000)::uuid, 'Hello', now() - n * interval '3 minutes'
from generate_series(1, 200000) n;

insert into public.car_requests (importer_id, car_make, car_model, status, created_at)
select md5('bench' || 1 + n % 5000)::uuid, (array['Toyota', 'Nissan', 'Honda', 'Mazda', 'Subaru'])[1 + n % 5],
    'Model ' || n % 40, 'completed', now() - n * interval '10 minutes'
from generate_series(1, 50000) n;

insert into public.request_cases (request_id, status, priority, progress)
select id, 'completed', 'medium', 100 from public.car_requests;

insert into public.deals (agent_id, importer_id, make, model, category, country, value_usd, status, opened_at, completed_at)
select md5('bench' || 3 * (1 + n % 1600))::uuid, md5('bench' || 1 + n % 5000)::uuid, 'Toyota', 'Supra', 'Sports Cars',
    (array['JP', 'DE', 'KE', 'JM'])[1 + n % 4], 8000 + n % 30000, 'completed',
    now() - n * interval '20 minutes', now() - n * interval '20 minutes'
from generate_series(1, 20000) n;

alter table public.messages enable trigger user;
select private.rebuild_conversations();
alter table public.car_requests enable trigger user;
alter table public.deals enable trigger user;
select private.rebuild_entries();
analyze;
