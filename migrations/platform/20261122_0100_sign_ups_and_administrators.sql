-- Outside auth, which stays as GoTrue made it.
create table minato.pending_sign_ups (
    token_hash text primary key,
    user_id uuid not null references auth.users (id) on delete cascade,
    encrypted_password text not null,
    metadata jsonb not null,
    created_at timestamptz not null
);
comment on table minato.pending_sign_ups is
    'Password and metadata of each sign-up of an unconfirmed account, by the token that was sent for it.';
create index pending_sign_ups_user_id_idx on minato.pending_sign_ups (user_id, created_at);
grant select, insert, update, delete on minato.pending_sign_ups to supabase_auth_admin;

-- What the operator configured. The server writes it at every start, so that a changed environment needs no SQL.
create table minato.operator_settings (
    name text primary key,
    value jsonb not null
);
comment on table minato.operator_settings is 'Settings of the server that SQL reads: admin_email, demo_mode, public_url.';

create function minato.operator_setting(name text) returns jsonb
language sql stable security definer set search_path = '' as $$
    select s.value from minato.operator_settings s where s.name = operator_setting.name
$$;
comment on function minato.operator_setting(text) is 'What the operator configured; null before the first start.';

-- A confirmed address proves little: whoever signed up first chose the password, and with autoconfirm nothing is proven
-- at all. So the role is given where a mail to the address was answered in a session that then set the password, or by
-- the operator.
create table minato.administrators (
    user_id uuid primary key references auth.users (id) on delete cascade,
    granted_at timestamptz not null default now()
);
comment on table minato.administrators is 'Accounts that have the role for their address; it does not follow them to another one.';

create table minato.answered_mails (
    session_id uuid primary key references auth.sessions (id) on delete cascade
);
comment on table minato.answered_mails is 'Sessions that began with a mail to the administrator''s address.';

create function minato.is_admin_address(address text) returns boolean
language sql stable security definer set search_path = '' as $$
    select coalesce(lower(address) = lower(nullif(minato.operator_setting('admin_email') #>> '{}', '')), false)
$$;
comment on function minato.is_admin_address(text) is 'Whether this is the one address the operator configured.';

create function minato.note_answered_mail(session uuid) returns void
language sql security definer set search_path = '' as $$
    insert into minato.answered_mails (session_id)
    select s.id from auth.sessions s join auth.users u on u.id = s.user_id
    where s.id = session and minato.is_admin_address(u.email)
    on conflict do nothing
$$;
comment on function minato.note_answered_mail(uuid) is
    'Called by the auth service for a session that a mail to the account''s address opened.';

-- Other ways into the account are closed: they may be those of whoever opened it.
create function minato.grant_admin_role(member uuid) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
    update auth.users
    set raw_app_meta_data = coalesce(raw_app_meta_data, '{}') || '{"role": "admin"}', phone = null,
        phone_confirmed_at = null, phone_change = '', phone_change_token = ''
    where id = member and minato.is_admin_address(email) and email_confirmed_at is not null and not is_sso_user;
    if not found then
        return false;
    end if;
    insert into minato.administrators (user_id) values (member) on conflict do nothing;
    insert into auth.identities (provider_id, user_id, provider, identity_data, last_sign_in_at, created_at, updated_at)
    select id::text, id, 'email', jsonb_build_object('sub', id, 'email', email, 'email_verified', true,
        'phone_verified', false), now(), now(), now()
    from auth.users where id = member
    on conflict do nothing;
    delete from auth.identities where user_id = member and provider <> 'email';
    delete from auth.mfa_factors where user_id = member;
    delete from auth.webauthn_credentials where user_id = member;
    return true;
end
$$;
comment on function minato.grant_admin_role(uuid) is
    'Makes the account of the configured address administrator; false for any other account.';

create function minato.claim_admin_role(session uuid) returns boolean
language sql security definer set search_path = '' as $$
    select minato.grant_admin_role(s.user_id)
    from minato.answered_mails a join auth.sessions s on s.id = a.session_id
    where a.session_id = session
$$;
comment on function minato.claim_admin_role(uuid) is
    'Called by the auth service when this session set the account''s password; null unless a mail opened it.';

create function minato.revoke_admin_role(member uuid) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
    delete from minato.administrators where user_id = member;
    update auth.users set raw_app_meta_data = raw_app_meta_data - 'role'
    where id = member and raw_app_meta_data ->> 'role' = 'admin';
    if not found then
        return false;
    end if;
    delete from auth.sessions where user_id = member;
    return true;
end
$$;
comment on function minato.revoke_admin_role(uuid) is 'Takes the role and every session; false for who is no administrator.';

create function minato.leave_admin_address() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
    delete from minato.administrators where user_id = new.id;
    if found then
        new.raw_app_meta_data := new.raw_app_meta_data - 'role';
    end if;
    -- what began before the account had its address answered a mail to another one
    delete from minato.answered_mails a using auth.sessions s where s.id = a.session_id and s.user_id = new.id;
    if minato.is_admin_address(new.email) then
        delete from auth.flow_state where user_id = new.id and authentication_method <> 'email_change';
    end if;
    return new;
end
$$;
comment on function minato.leave_admin_address() is 'The role belongs to the address: a changed one leaves it behind.';
-- A database of release 0.1 kept the same for us in the schema of the project: its rows move.
do $$
begin
    if to_regclass('private.pending_sign_ups') is not null then
        insert into minato.pending_sign_ups (token_hash, user_id, encrypted_password, metadata, created_at)
        select token_hash, user_id, encrypted_password, metadata, created_at from private.pending_sign_ups;
        drop table private.pending_sign_ups;
    end if;
    if to_regclass('private.administrators') is not null then
        insert into minato.administrators (user_id, granted_at) select user_id, granted_at from private.administrators;
        insert into minato.answered_mails (session_id) select session_id from private.answered_mails;
        drop trigger leave_admin_address on auth.users;
        drop function private.leave_admin_address(), private.claim_admin_role(uuid), private.revoke_admin_role(uuid),
            private.grant_admin_role(uuid), private.note_answered_mail(uuid), private.is_admin_address(text);
        drop table private.answered_mails, private.administrators;
        revoke usage on schema private from supabase_auth_admin;
    end if;
end
$$;

create trigger leave_admin_address before update of email on auth.users
    for each row when (lower(old.email) is distinct from lower(new.email))
    execute function minato.leave_admin_address();

revoke all on minato.pending_sign_ups, minato.operator_settings, minato.administrators, minato.answered_mails from public;
revoke execute on function minato.operator_setting(text), minato.is_admin_address(text), minato.note_answered_mail(uuid),
    minato.grant_admin_role(uuid), minato.claim_admin_role(uuid), minato.revoke_admin_role(uuid),
    minato.leave_admin_address() from public;
grant execute on function minato.note_answered_mail(uuid), minato.claim_admin_role(uuid) to supabase_auth_admin;
-- Whoever owns the project may ask and decide.
grant usage on schema minato to postgres;
grant execute on function minato.operator_setting(text), minato.grant_admin_role(uuid), minato.revoke_admin_role(uuid)
    to postgres;
