-- Profiles: made at sign-up, read by everybody signed in, changed by their owner.

create table public.profiles (
    user_id uuid primary key constraint profiles_user_id_fkey references auth.users (id) on delete cascade,
    user_type text not null constraint profiles_user_type_check check (user_type in ('agent', 'importer')),
    full_name text,
    country text,
    city text,
    phone text,
    bio text constraint profiles_bio_check check (char_length(bio) <= 250),
    company_name text,
    avatar_url text,
    verification_status text not null default 'unverified'
        constraint profiles_verification_status_check check (verification_status in ('unverified', 'pending', 'verified')),
    status text not null default 'active'
        constraint profiles_status_check check (status in ('active', 'inactive', 'suspended')),
    allow_invitations boolean not null default true,
    languages_spoken text[],
    interested_car_brands text[],
    budget_range text,
    import_frequency text,
    shipping_ports text[],
    created_at timestamptz not null default now(),
    id uuid not null default gen_random_uuid() constraint profiles_id_key unique,
    experience text,
    specialties text[],
    account_type text not null default 'standard'
        constraint profiles_account_type_check check (account_type in ('standard', 'business', 'premium')),
    verified_at timestamptz,
    updated_at timestamptz not null default now()
);
comment on table public.profiles is 'One row per agent or importer: what other members see. The administrator has none.';
comment on column public.profiles.country is 'ISO 3166-1 alpha-2 code.';
comment on column public.profiles.verification_status is 'Changed by the verification functions only.';
comment on column public.profiles.status is 'A suspended member reads, but publishes, invites and writes nothing.';
create index profiles_user_type_allow_invitations_idx on public.profiles (user_type, allow_invitations);
create index profiles_directory_idx on public.profiles (user_type, verification_status, status);
create index profiles_suspended_idx on public.profiles (user_id) where status = 'suspended';

create table public.notification_preferences (
    user_id uuid primary key
        constraint notification_preferences_user_id_fkey references public.profiles (user_id) on delete cascade,
    email boolean not null default true,
    sms boolean not null default false,
    new_request_alerts boolean not null default true,
    agent_proposal_alerts boolean not null default true,
    updated_at timestamptz not null default now()
);
comment on table public.notification_preferences is 'What a member wants to be told, and how.';

create table public.account_moderation (
    user_id uuid primary key
        constraint account_moderation_user_id_fkey references public.profiles (user_id) on delete cascade,
    suspension_reason text,
    suspended_at timestamptz,
    suspended_by uuid
);
comment on table public.account_moderation is 'Why a member is suspended. Not for other members'' eyes, so not in profiles.';

create table public.user_activity (
    user_id uuid not null constraint user_activity_user_id_fkey references public.profiles (user_id) on delete cascade,
    day date not null,
    primary key (user_id, day)
);
comment on table public.user_activity is 'The days on which a member signed in or kept a session alive.';
create index user_activity_day_idx on public.user_activity (day);

create function private.my_user_type() returns text
language sql stable security definer set search_path = '' as $$
    select user_type from public.profiles where user_id = auth.uid()
$$;
comment on function private.my_user_type() is 'The caller''s kind of account: agent, importer, or null.';

create function private.user_type_of(member uuid) returns text
language sql stable security definer set search_path = '' as $$
    select user_type from public.profiles where user_id = member
$$;
comment on function private.user_type_of(uuid) is 'A member''s kind of account.';

create function private.is_active() returns boolean
language sql stable security definer set search_path = '' as $$
    select exists (select from public.profiles where user_id = auth.uid() and status <> 'suspended')
$$;
comment on function private.is_active() is 'Whether the caller has a profile that is not suspended.';

create function private.is_active_agent() returns boolean
language sql stable security definer set search_path = '' as $$
    select private.is_active() and private.my_user_type() = 'agent'
$$;
comment on function private.is_active_agent() is 'Whether the caller is an agent who is not suspended.';

create function private.is_active_importer() returns boolean
language sql stable security definer set search_path = '' as $$
    select private.is_active() and private.my_user_type() = 'importer'
$$;
comment on function private.is_active_importer() is 'Whether the caller is an importer who is not suspended.';

create function private.suspended_users() returns setof uuid
language sql stable security definer set search_path = '' as $$
    select user_id from public.profiles where status = 'suspended'
$$;
comment on function private.suspended_users() is 'Everybody suspended: a short list, read once per statement.';

create function private.has_confirmed_email() returns boolean
language sql stable security definer set search_path = '' as $$
    select exists (select from auth.users where id = auth.uid() and email_confirmed_at is not null)
$$;
comment on function private.has_confirmed_email() is 'Whether the caller''s address is confirmed.';

grant execute on function private.my_user_type(), private.user_type_of(uuid), private.is_active(),
    private.is_active_agent(), private.is_active_importer(), private.suspended_users(), private.has_confirmed_email()
    to authenticated, service_role;

alter table public.profiles enable row level security;
create policy "Members see each other's profiles" on public.profiles
    for select to authenticated using (true);
create policy "A confirmed user makes the own profile" on public.profiles
    for insert to authenticated with check (user_id = (select auth.uid()) and (select private.has_confirmed_email()));
create policy "Members change their own profile" on public.profiles
    for update to authenticated using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));

alter table public.notification_preferences enable row level security;
create policy "Members see their own preferences" on public.notification_preferences
    for select to authenticated using (user_id = (select auth.uid()));
create policy "Members set their own preferences" on public.notification_preferences
    for insert to authenticated with check (user_id = (select auth.uid()));
create policy "Members change their own preferences" on public.notification_preferences
    for update to authenticated using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));

alter table public.account_moderation enable row level security;
create policy "The administrator sees who is suspended and why" on public.account_moderation
    for select to authenticated using ((select private.is_admin()));

alter table public.user_activity enable row level security;
create policy "The administrator sees who was active" on public.user_activity
    for select to authenticated using ((select private.is_admin()));

create function private.default_profile_columns() returns trigger language plpgsql set search_path = '' as $$
begin
    if current_user in ('anon', 'authenticated') then
        new.verification_status := 'unverified';
        new.verified_at := null;
        new.status := 'active';
        new.account_type := 'standard';
        new.created_at := now();
        new.id := gen_random_uuid();
    end if;
    return new;
end
$$;
comment on function private.default_profile_columns() is 'Whatever a member sends, a new profile starts unverified and standard.';

create trigger default_columns before insert on public.profiles
    for each row execute function private.default_profile_columns();
create trigger guard_columns before update on public.profiles
    for each row execute function private.guard_columns(
        'user_id', 'user_type', 'created_at', 'id', 'verification_status', 'verified_at', 'status', 'account_type');
create trigger set_updated_at before update on public.profiles
    for each row execute function private.set_updated_at();
create trigger guard_columns before update on public.notification_preferences
    for each row execute function private.guard_columns('user_id');
create trigger set_updated_at before update on public.notification_preferences
    for each row execute function private.set_updated_at();

create function private.create_preferences() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
    insert into public.notification_preferences (user_id) values (new.user_id) on conflict do nothing;
    return null;
end
$$;
comment on function private.create_preferences() is 'Every member has preferences from the start.';
create trigger create_preferences after insert on public.profiles
    for each row execute function private.create_preferences();

-- The metadata are the user's own words. They may name agent or importer, which anybody may become, and nothing more.
create function private.handle_new_user() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
    said jsonb := coalesce(new.raw_user_meta_data, '{}');
    kind text := coalesce(said ->> 'user_type', said ->> 'role');
begin
    if kind in ('agent', 'importer') then
        insert into public.profiles (user_id, user_type, full_name, country, city, phone, company_name)
        values (new.id, kind, said ->> 'full_name', said ->> 'country', said ->> 'city', said ->> 'phone',
            said ->> 'company_name')
        on conflict (user_id) do nothing;
    end if;
    return null;
end
$$;
comment on function private.handle_new_user() is 'Makes the profile of an account that signs up as agent or importer.';
create trigger handle_new_user after insert on auth.users
    for each row execute function private.handle_new_user();

create function private.grant_admin_role() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
    if new.email_confirmed_at is not null
        and lower(new.email) = lower(nullif(private.setting('admin_email') #>> '{}', '')) then
        new.raw_app_meta_data := coalesce(new.raw_app_meta_data, '{}') || '{"role": "admin"}';
    end if;
    return new;
end
$$;
comment on function private.grant_admin_role() is 'Makes the configured address administrator once it is confirmed.';
create trigger grant_admin_role before insert or update on auth.users
    for each row execute function private.grant_admin_role();

create function private.note_activity() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
    insert into public.user_activity (user_id, day)
    select user_id, current_date from public.profiles where user_id = new.user_id
    on conflict do nothing;
    return null;
end
$$;
comment on function private.note_activity() is 'A session that begins or is refreshed counts as activity of that day.';
create trigger note_activity after insert or update on auth.sessions
    for each row execute function private.note_activity();
