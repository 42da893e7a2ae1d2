-- A confirmed address proves little: whoever signed up first chose the password, and with autoconfirm nothing is proven
-- at all. So the role is given where a mail to the address was answered in a session that then set the password, or by
-- the operator.
drop trigger grant_admin_role on auth.users;
drop function private.grant_admin_role();

create table private.administrators (
    user_id uuid primary key constraint administrators_user_id_fkey references auth.users (id) on delete cascade,
    granted_at timestamptz not null default now()
);
comment on table private.administrators is 'Accounts that have the role for their address; it does not follow them to another one.';

create table private.answered_mails (
    session_id uuid primary key constraint answered_mails_session_id_fkey references auth.sessions (id) on delete cascade
);
comment on table private.answered_mails is 'Sessions that began with a mail to the administrator''s address.';

insert into private.administrators (user_id)
select id from auth.users
where raw_app_meta_data ->> 'role' = 'admin' and lower(email) = lower(private.setting('admin_email') #>> '{}');

create function private.is_admin_address(address text) returns boolean
language sql stable security definer set search_path = '' as $$
    select coalesce(lower(address) = lower(nullif(private.setting('admin_email') #>> '{}', '')), false)
$$;
comment on function private.is_admin_address(text) is 'Whether this is the one address the operator configured.';

create function private.note_answered_mail(session uuid) returns void
language sql security definer set search_path = '' as $$
    insert into private.answered_mails (session_id)
    select s.id from auth.sessions s join auth.users u on u.id = s.user_id
    where s.id = session and private.is_admin_address(u.email)
    on conflict do nothing
$$;
comment on function private.note_answered_mail(uuid) is
    'Called by the auth service for a session that a mail to the account''s address opened.';

-- Other ways into the account are closed: they may be those of whoever opened it.
create function private.grant_admin_role(member uuid) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
    update auth.users
    set raw_app_meta_data = coalesce(raw_app_meta_data, '{}') || '{"role": "admin"}', phone = null,
        phone_confirmed_at = null, phone_change = '', phone_change_token = ''
    where id = member and private.is_admin_address(email) and email_confirmed_at is not null and not is_sso_user;
    if not found then
        return false;
    end if;
    insert into private.administrators (user_id) values (member) on conflict do nothing;
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
comment on function private.grant_admin_role(uuid) is
    'Makes the account of the configured address administrator; false for any other account.';

create function private.claim_admin_role(session uuid) returns boolean
language sql security definer set search_path = '' as $$
    select private.grant_admin_role(s.user_id)
    from private.answered_mails a join auth.sessions s on s.id = a.session_id
    where a.session_id = session
$$;
comment on function private.claim_admin_role(uuid) is
    'Called by the auth service when this session set the account''s password; null unless a mail opened it.';

create function private.revoke_admin_role(member uuid) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
    delete from private.administrators where user_id = member;
    update auth.users set raw_app_meta_data = raw_app_meta_data - 'role'
    where id = member and raw_app_meta_data ->> 'role' = 'admin';
    if not found then
        return false;
    end if;
    delete from auth.sessions where user_id = member;
    return true;
end
$$;
comment on function private.revoke_admin_role(uuid) is 'Takes the role and every session; false for who is no administrator.';

create function private.leave_admin_address() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
    delete from private.administrators where user_id = new.id;
    if found then
        new.raw_app_meta_data := new.raw_app_meta_data - 'role';
    end if;
    -- what began before the account had its address answered a mail to another one
    delete from private.answered_mails a using auth.sessions s where s.id = a.session_id and s.user_id = new.id;
    if private.is_admin_address(new.email) then
        delete from auth.flow_state where user_id = new.id and authentication_method <> 'email_change';
    end if;
    return new;
end
$$;
comment on function private.leave_admin_address() is 'The role belongs to the address: a changed one leaves it behind.';
create trigger leave_admin_address before update of email on auth.users
    for each row when (lower(old.email) is distinct from lower(new.email))
    execute function private.leave_admin_address();

create or replace function private.configure(operator jsonb) returns void
language plpgsql security definer set search_path = '' as $$
begin
    update public.app_settings s set value = o.value
    from jsonb_each(operator) as o (key, value)
    where s.key = o.key and s.key in ('admin_email', 'demo_mode') and s.value <> o.value;
end
$$;

revoke execute on function private.is_admin_address(text), private.note_answered_mail(uuid), private.grant_admin_role(uuid),
    private.claim_admin_role(uuid), private.revoke_admin_role(uuid), private.leave_admin_address() from public;
grant usage on schema private to supabase_auth_admin;
grant execute on function private.note_answered_mail(uuid), private.claim_admin_role(uuid) to supabase_auth_admin;
