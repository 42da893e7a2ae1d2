-- What agents offer and importers ask for.

create table public.agent_posts (
    id uuid primary key default gen_random_uuid(),
    agent_id uuid not null constraint agent_posts_agent_id_fkey references public.profiles (user_id) on delete cascade,
    car_name text not null constraint agent_posts_car_name_check check (btrim(car_name) <> ''),
    model text not null constraint agent_posts_model_check check (btrim(model) <> ''),
    description text,
    image_url text,
    engine_size text,
    cnf_price numeric(12, 2) constraint agent_posts_cnf_price_check check (cnf_price >= 0),
    availability_status text not null default 'available'
        constraint agent_posts_availability_status_check check (availability_status in ('available', 'pending', 'sold')),
    created_at timestamptz not null default now(),
    year integer constraint agent_posts_year_check check (year between 1900 and 2100),
    variant text,
    mileage_km integer constraint agent_posts_mileage_km_check check (mileage_km >= 0),
    transmission text,
    fuel_type text,
    drivetrain text,
    color text,
    location text,
    condition text,
    features text[],
    specifications jsonb,
    auction_date timestamptz,
    image_urls text[],
    updated_at timestamptz not null default now()
);
comment on table public.agent_posts is 'A car an agent offers.';
comment on column public.agent_posts.car_name is 'The make.';
comment on column public.agent_posts.cnf_price is 'US dollars, cost and freight to the buyer''s port.';
create index agent_posts_agent_id_idx on public.agent_posts (agent_id);
create index agent_posts_created_at_idx on public.agent_posts (created_at desc);

create table public.saved_posts (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null constraint saved_posts_user_id_fkey references public.profiles (user_id) on delete cascade,
    post_id uuid not null constraint saved_posts_post_id_fkey references public.agent_posts (id) on delete cascade,
    created_at timestamptz not null default now(),
    constraint saved_posts_user_id_post_id_key unique (user_id, post_id)
);
comment on table public.saved_posts is 'The offers a member keeps.';
create index saved_posts_post_id_idx on public.saved_posts (post_id);

create table public.car_requests (
    id uuid primary key default gen_random_uuid(),
    importer_id uuid not null
        constraint car_requests_importer_id_fkey references public.profiles (user_id) on delete cascade,
    car_make text not null,
    car_model text not null,
    year_range text,
    budget_min numeric(12, 2) constraint car_requests_budget_min_check check (budget_min >= 0),
    budget_max numeric(12, 2),
    condition text,
    fuel_type text,
    transmission text,
    description text constraint car_requests_description_check check (char_length(description) <= 500),
    urgency text not null default 'none'
        constraint car_requests_urgency_check check (urgency in ('high', 'medium', 'low', 'none')),
    shipping_port text,
    is_flexible_budget boolean not null default false,
    is_flexible_year boolean not null default false,
    status text not null default 'active'
        constraint car_requests_status_check check (status in ('active', 'pending', 'completed', 'expired')),
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    constraint car_requests_budget_check check (budget_max >= budget_min)
);
comment on table public.car_requests is 'A car an importer looks for.';
comment on column public.car_requests.budget_min is 'US dollars.';
create index car_requests_importer_id_idx on public.car_requests (importer_id, created_at desc);
create index car_requests_status_idx on public.car_requests (status, created_at desc);

create table public.vehicle_categories (
    make text not null,
    model_pattern text not null,
    category text not null,
    primary key (make, model_pattern)
);
comment on table public.vehicle_categories is 'Which makes and models (by ILIKE pattern) count as which category in the analytics.';
insert into public.vehicle_categories (make, model_pattern, category) values
    ('Nissan', '%GT-R%', 'Supercars'), ('Acura', 'NSX%', 'Supercars'), ('Honda', 'NSX%', 'Supercars'),
    ('Lexus', 'LFA%', 'Supercars'),
    ('Toyota', '%Supra%', 'Sports Cars'), ('Toyota', '%86%', 'Sports Cars'), ('Mazda', '%MX-5%', 'Sports Cars'),
    ('Mazda', 'Roadster%', 'Sports Cars'), ('Subaru', '%BRZ%', 'Sports Cars'), ('Subaru', '%WRX%', 'Sports Cars'),
    ('Nissan', '%Fairlady%', 'Sports Cars'), ('Honda', '%Civic Type R%', 'Sports Cars'),
    ('Lexus', 'LS%', 'Luxury Sedans'), ('Lexus', 'ES%', 'Luxury Sedans'), ('Lexus', 'GS%', 'Luxury Sedans'),
    ('Toyota', '%Crown%', 'Luxury Sedans'), ('Toyota', '%Century%', 'Luxury Sedans'), ('Infiniti', 'Q%', 'Luxury Sedans'),
    ('Nissan', '%Skyline%', 'Classic JDM'), ('Nissan', '%Silvia%', 'Classic JDM'), ('Mazda', 'RX-7%', 'Classic JDM'),
    ('Mitsubishi', '%Lancer Evolution%', 'Classic JDM'), ('Toyota', '%AE86%', 'Classic JDM'),
    ('Honda', '%CBR%', 'Motorcycles'), ('Suzuki', '%Hayabusa%', 'Motorcycles'), ('Suzuki', '%GSX%', 'Motorcycles'),
    ('Honda', '%Africa Twin%', 'Motorcycles');

-- the longest pattern is the most exact one: an AE86 is a classic, not just some 86
create function private.category_of(car_make text, car_model text) returns text
language sql stable security definer set search_path = '' as $$
    select coalesce((
        select category from public.vehicle_categories
        where make = car_make and car_model ilike model_pattern
        order by length(model_pattern) desc, model_pattern limit 1), 'Other')
$$;
comment on function private.category_of(text, text) is 'The category of a car, Other when none fits.';

create function private.may_post() returns boolean
language sql stable security definer set search_path = '' as $$
    select private.is_active_agent() and (
        private.setting('require_verified_to_post') is distinct from 'true'
        or exists (select from public.profiles where user_id = auth.uid() and verification_status = 'verified'))
$$;
comment on function private.may_post() is 'Whether the caller may offer cars: an active agent, and verified where that is required.';
grant execute on function private.may_post(), private.category_of(text, text) to authenticated, service_role;

alter table public.agent_posts enable row level security;
create policy "Members see the offers of agents who are not suspended" on public.agent_posts
    for select to authenticated using (
        agent_id = (select auth.uid())
        or not agent_id = any (array(select private.suspended_users()))
        or (select private.is_admin()));
create policy "Active agents offer cars as themselves" on public.agent_posts
    for insert to authenticated with check (agent_id = (select auth.uid()) and (select private.may_post()));
create policy "Agents change their own offers" on public.agent_posts
    for update to authenticated using (agent_id = (select auth.uid())) with check (agent_id = (select auth.uid()));
create policy "Agents withdraw their own offers" on public.agent_posts
    for delete to authenticated using (agent_id = (select auth.uid()));
create policy "The administrator removes offers" on public.agent_posts
    for delete to authenticated using ((select private.is_admin()));

alter table public.saved_posts enable row level security;
create policy "Members see what they saved" on public.saved_posts
    for select to authenticated using (user_id = (select auth.uid()));
create policy "Members save offers for themselves" on public.saved_posts
    for insert to authenticated with check (user_id = (select auth.uid()));
create policy "Members unsave what they saved" on public.saved_posts
    for delete to authenticated using (user_id = (select auth.uid()));

-- invited agents are let in where invitations are made
alter table public.car_requests enable row level security;
create policy "Importers see their own requests" on public.car_requests
    for select to authenticated using (importer_id = (select auth.uid()));
create policy "Active agents see active requests" on public.car_requests
    for select to authenticated using (status = 'active' and (select private.is_active_agent()));
create policy "The administrator sees every request" on public.car_requests
    for select to authenticated using ((select private.is_admin()));
create policy "Active importers ask for cars as themselves" on public.car_requests
    for insert to authenticated
    with check (importer_id = (select auth.uid()) and (select private.is_active_importer()));
create policy "Importers change their own requests" on public.car_requests
    for update to authenticated using (importer_id = (select auth.uid())) with check (importer_id = (select auth.uid()));
create policy "Importers withdraw their own requests" on public.car_requests
    for delete to authenticated using (importer_id = (select auth.uid()));

alter table public.vehicle_categories enable row level security;
create policy "Members see the categories" on public.vehicle_categories
    for select to authenticated using (true);

create function private.default_post_columns() returns trigger language plpgsql set search_path = '' as $$
begin
    if current_user in ('anon', 'authenticated') then
        new.created_at := now();
    end if;
    return new;
end
$$;
comment on function private.default_post_columns() is 'An offer is as old as it is: nobody posts into the future to stay on top.';
create trigger default_columns before insert on public.agent_posts
    for each row execute function private.default_post_columns();
create trigger guard_columns before update on public.agent_posts
    for each row execute function private.guard_columns('id', 'agent_id', 'created_at');
create trigger set_updated_at before update on public.agent_posts
    for each row execute function private.set_updated_at();

create function private.default_request_columns() returns trigger language plpgsql set search_path = '' as $$
begin
    if current_user in ('anon', 'authenticated') then
        new.created_at := now();
        new.status := case when private.setting('review_new_requests') = 'true' then 'pending' else 'active' end;
    end if;
    return new;
end
$$;
comment on function private.default_request_columns() is 'A new request is active, or waits for approval where new requests are reviewed.';
create trigger default_columns before insert on public.car_requests
    for each row execute function private.default_request_columns();
create trigger guard_columns before update on public.car_requests
    for each row execute function private.guard_columns('id', 'importer_id', 'created_at', 'status');
create trigger set_updated_at before update on public.car_requests
    for each row execute function private.set_updated_at();
