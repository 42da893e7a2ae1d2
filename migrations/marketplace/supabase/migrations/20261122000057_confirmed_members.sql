-- Whoever never confirmed an address or a number is nobody to other members.

-- A sign-up is anybody's words until its mail or text message was answered. Kept on the profile, because policies ask
-- for every row of a list.
alter table public.profiles add column is_confirmed boolean not null default false;
comment on column public.profiles.is_confirmed is
    'Whether the account confirmed an address or a number. Until then other members neither see nor reach it.';

create function private.is_confirmed_account(account auth.users) returns boolean
language sql immutable set search_path = '' as $$
    select coalesce(account.email_confirmed_at, account.phone_confirmed_at) is not null and account.deleted_at is null
$$;
comment on function private.is_confirmed_account(auth.users) is 'Whether an account is somebody''s who answered.';

update public.profiles p set is_confirmed = true
from auth.users u where u.id = p.user_id and private.is_confirmed_account(u);

-- whatever a new row says, the account decides
create function private.confirm_new_profile() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
    new.is_confirmed := coalesce((
        select private.is_confirmed_account(u) from auth.users u where u.id = new.user_id), false);
    return new;
end
$$;
comment on function private.confirm_new_profile() is 'A new profile is as confirmed as its account.';
create trigger confirm_new_profile before insert on public.profiles
    for each row execute function private.confirm_new_profile();

create function private.confirm_profile() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
    update public.profiles set is_confirmed = private.is_confirmed_account(new) where user_id = new.id;
    return null;
end
$$;
comment on function private.confirm_profile() is 'A profile follows its account: others see it once that is confirmed.';
create trigger confirm_profile after update on auth.users
    for each row when (
        (coalesce(old.email_confirmed_at, old.phone_confirmed_at) is null) <>
        (coalesce(new.email_confirmed_at, new.phone_confirmed_at) is null)
        or (old.deleted_at is null) <> (new.deleted_at is null))
    execute function private.confirm_profile();

drop trigger guard_columns on public.profiles;
create trigger guard_columns before update on public.profiles
    for each row execute function private.guard_columns('user_id', 'user_type', 'created_at', 'id',
        'verification_status', 'verified_at', 'status', 'account_type', 'is_confirmed');

alter policy "Members see each other's profiles" on public.profiles
    using (is_confirmed or user_id = (select auth.uid()) or (select private.is_admin()));

create function private.is_unconfirmed(member uuid) returns boolean
language sql stable security definer set search_path = '' as $$
    select exists (select from public.profiles where user_id = member and not is_confirmed)
$$;
comment on function private.is_unconfirmed(uuid) is 'Whether this is a member nobody can reach yet.';
grant execute on function private.is_unconfirmed(uuid) to authenticated, service_role;

create or replace function private.may_be_invited(importer uuid, request uuid) returns boolean
language sql stable security definer set search_path = '' as $$
    select exists (
        select from public.profiles p
        where p.user_id = importer and p.user_type = 'importer' and p.is_confirmed and p.status <> 'suspended'
            and case
                when request is not null then exists (
                    select from public.car_requests where id = request and importer_id = importer and status = 'active')
                else p.allow_invitations or exists (
                    select from public.car_requests where importer_id = importer and status = 'active')
                end)
$$;

alter policy "Active members write to others" on public.messages
    with check (
        sender_id = (select auth.uid()) and receiver_id <> (select auth.uid()) and (select private.is_active())
        and not private.is_unconfirmed(receiver_id));

create or replace function public.agent_directory(
    p_search text default null, p_city text default null, p_specialty text default null
) returns table (
    user_id uuid, full_name text, company_name text, country text, city text, avatar_url text, bio text,
    languages_spoken text[], specialties text[], experience text, verification_status text, verified_at timestamptz,
    created_at timestamptz, rating numeric, reviews_count bigint, active_deals bigint, response_time text
)
language sql stable security definer set search_path = '' as $$
    select p.user_id, p.full_name, p.company_name, p.country, p.city, p.avatar_url, p.bio, p.languages_spoken,
        p.specialties, p.experience, p.verification_status, p.verified_at, p.created_at,
        coalesce(r.rating, 0), coalesce(r.reviews, 0), coalesce(d.open, 0), private.response_time_text(t.median)
    from public.profiles p
    left join (select reviewed_id, round(avg(rating), 1) as rating, count(*) as reviews
        from public.reviews group by 1) r on r.reviewed_id = p.user_id
    left join (select agent_id, count(*) as open from public.deals where status = 'open' group by 1) d
        on d.agent_id = p.user_id
    left join private.response_times() t on t.agent_id = p.user_id
    where p.user_type = 'agent' and p.verification_status = 'verified' and p.status = 'active' and p.is_confirmed
        and (coalesce(p_search, '') = '' or strpos(lower(concat_ws(' ', p.full_name, p.company_name,
            array_to_string(p.specialties, ' '))), lower(p_search)) > 0)
        and (coalesce(p_city, '') = '' or p.city = p_city)
        and (coalesce(p_specialty, '') = '' or p_specialty = any (p.specialties))
    order by coalesce(r.rating, 0) desc, coalesce(r.reviews, 0) desc, p.full_name, p.user_id
$$;
revoke execute on function private.is_confirmed_account(auth.users), private.confirm_new_profile(),
    private.confirm_profile(), private.is_unconfirmed(uuid) from public;
