-- The profile of an account is that of the sign-up whose mail was answered.

create function private.make_profile(member uuid, said jsonb) returns void
language sql security definer set search_path = '' as $$
    insert into public.profiles (user_id, user_type, full_name, country, city, phone, company_name)
    select member, kind, said ->> 'full_name', said ->> 'country', said ->> 'city', said ->> 'phone', said ->> 'company_name'
    from coalesce(said ->> 'user_type', said ->> 'role') as kind
    where kind in ('agent', 'importer')
    on conflict (user_id) do nothing
$$;
comment on function private.make_profile(uuid, jsonb) is 'The profile of whoever says to be agent or importer.';

create or replace function private.handle_new_user() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
    perform private.make_profile(new.id, coalesce(new.raw_user_meta_data, '{}'));
    return null;
end
$$;

-- Several people may sign up one address before its owner answers a mail: the profile is that of the sign-up which the
-- answered mail was sent for.
create function private.renew_profile() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
    words constant text[] := array['user_type', 'role', 'full_name', 'country', 'city', 'phone', 'company_name'];
    before jsonb := coalesce(old.raw_user_meta_data, '{}');
    said jsonb := coalesce(new.raw_user_meta_data, '{}');
begin
    if exists (select from unnest(words) as word where before -> word is distinct from said -> word) then
        delete from public.profiles where user_id = new.id;
        perform private.make_profile(new.id, said);
    end if;
    return null;
end
$$;
comment on function private.renew_profile() is 'Makes the profile anew where a confirmation brings other metadata.';
create trigger renew_profile after update of raw_user_meta_data on auth.users
    for each row when (old.confirmed_at is null and new.confirmed_at is not null)
    execute function private.renew_profile();

revoke execute on function private.make_profile(uuid, jsonb), private.renew_profile() from public;
