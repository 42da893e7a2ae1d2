-- Run with the other files of the folder, in order, in one transaction. Loading twice adds nothing.
-- Reads minato.seed_password_hash, minato.admin_email, and optionally minato.public_url (pictures' addresses are relative
-- without it) and minato.demo_mode (true unless it says otherwise).

do $$
begin
    if exists (select from auth.users) and not exists (select from public.app_settings where key = 'sample_data') then
        raise exception 'This database already holds accounts that are not sample data, so none is loaded'
            using hint = 'Load sample data into a new database.';
    end if;
end
$$;

insert into public.app_settings (key, value) values ('sample_data', 'true') on conflict do nothing;
update public.app_settings set value = to_jsonb(coalesce(nullif(current_setting('minato.demo_mode', true), ''), 'true') = 'true')
where key = 'demo_mode';
update public.app_settings set value = to_jsonb(current_setting('minato.admin_email', true))
where key = 'admin_email' and coalesce(current_setting('minato.admin_email', true), '') <> '';

-- Every row has the same id in every database: a version 4 uuid made of its name.
create or replace function pg_temp.id_of(name text) returns uuid language sql immutable as $$
    select overlay(overlay(md5(name) placing '4' from 13) placing 'a' from 17)::uuid
$$;
create or replace function pg_temp.member(email text) returns uuid language sql immutable as $$
    select pg_temp.id_of('member:' || email)
$$;
create or replace function pg_temp.picture(name text) returns text language sql stable as $$
    select coalesce(current_setting('minato.public_url', true), '') || '/storage/v1/object/public/car-images/samples/' || name
$$;

create or replace procedure pg_temp.add_user(email text, signs_in boolean, metadata jsonb, created timestamptz)
language sql as $$
    insert into auth.users (instance_id, id, aud, role, email, encrypted_password, email_confirmed_at, confirmation_token,
        recovery_token, email_change_token_new, email_change, raw_app_meta_data, raw_user_meta_data, created_at, updated_at,
        last_sign_in_at)
    values ('00000000-0000-0000-0000-000000000000', pg_temp.member(email), 'authenticated', 'authenticated', email,
        case when signs_in then current_setting('minato.seed_password_hash') else '' end, created, '', '', '', '',
        '{"provider": "email", "providers": ["email"]}', metadata, created, created, now() - interval '2 hours')
    on conflict do nothing;
    insert into auth.identities (provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
    select pg_temp.member(email)::text, pg_temp.member(email),
        jsonb_build_object('sub', pg_temp.member(email), 'email', email, 'email_verified', true, 'phone_verified', false),
        'email', created, created, created
    where signs_in
    on conflict do nothing;
$$;
