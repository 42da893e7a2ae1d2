-- The tables of GoTrue at its newest migration, in their final form. Names of constraints and indexes are part of
-- what users' migrations and error messages refer to, so they are given even where PostgreSQL would choose another.

create type auth.aal_level as enum ('aal1', 'aal2', 'aal3');
create type auth.code_challenge_method as enum ('s256', 'plain');
comment on type auth.aal_level is 'How strongly a session is authenticated: one factor, two, or two with a hardware key.';
comment on type auth.code_challenge_method is 'How a PKCE challenge was made from its verifier.';

create table auth.instances (
    id uuid primary key,
    uuid uuid,
    raw_base_config text,
    created_at timestamptz,
    updated_at timestamptz
);
comment on table auth.instances is 'Unused; kept because tools expect it.';

create table auth.schema_migrations (
    version varchar(255) primary key
);
comment on table auth.schema_migrations is 'GoTrue''s own migrations whose outcome this schema has; the revisions are kept elsewhere.';

-- Empty tokens are '' and not null, while an absent email or phone is null: its unique index must not see it.
create table auth.users (
    instance_id uuid,
    id uuid primary key,
    aud varchar(255),
    role varchar(255),
    email varchar(255),
    encrypted_password varchar(255),
    email_confirmed_at timestamptz,
    invited_at timestamptz,
    confirmation_token varchar(255),
    confirmation_sent_at timestamptz,
    recovery_token varchar(255),
    recovery_sent_at timestamptz,
    email_change_token_new varchar(255),
    email_change varchar(255),
    email_change_sent_at timestamptz,
    last_sign_in_at timestamptz,
    raw_app_meta_data jsonb,
    raw_user_meta_data jsonb,
    is_super_admin boolean,
    created_at timestamptz,
    updated_at timestamptz,
    phone text default null constraint users_phone_key unique,
    phone_confirmed_at timestamptz,
    phone_change text default '',
    phone_change_token varchar(255) default '',
    phone_change_sent_at timestamptz,
    confirmed_at timestamptz generated always as (least(email_confirmed_at, phone_confirmed_at)) stored,
    email_change_token_current varchar(255) default '',
    email_change_confirm_status smallint default 0
        constraint users_email_change_confirm_status_check check (email_change_confirm_status between 0 and 2),
    banned_until timestamptz,
    reauthentication_token varchar(255) default '',
    reauthentication_sent_at timestamptz,
    is_sso_user boolean not null default false,
    deleted_at timestamptz,
    is_anonymous boolean not null default false
);
comment on table auth.users is 'One row per account.';
comment on column auth.users.is_sso_user is 'True when the account comes from single sign-on; such accounts may share an email.';
comment on column auth.users.raw_app_meta_data is 'Set by the service only: providers, roles. Safe to use in policies.';
comment on column auth.users.raw_user_meta_data is 'Set by the user: never decide about permissions by it.';

create unique index users_email_partial_key on auth.users (email) where (is_sso_user = false);
create index users_instance_id_email_idx on auth.users (instance_id, lower(email::text));
create index users_instance_id_idx on auth.users (instance_id);
create index users_is_anonymous_idx on auth.users (is_anonymous);
-- tokens sent in a link are hashes and unique; one-time codes are digits, and two people may get the same
create unique index confirmation_token_idx on auth.users (confirmation_token)
    where confirmation_token !~ '^[0-9 ]*$';
create unique index recovery_token_idx on auth.users (recovery_token)
    where recovery_token !~ '^[0-9 ]*$';
create unique index email_change_token_new_idx on auth.users (email_change_token_new)
    where email_change_token_new !~ '^[0-9 ]*$';
create unique index email_change_token_current_idx on auth.users (email_change_token_current)
    where email_change_token_current !~ '^[0-9 ]*$';
create unique index reauthentication_token_idx on auth.users (reauthentication_token)
    where reauthentication_token !~ '^[0-9 ]*$';
comment on index auth.users_email_partial_key is 'An email belongs to one account, unless the account comes from single sign-on.';

create table auth.identities (
    provider_id text not null,
    user_id uuid not null constraint identities_user_id_fkey references auth.users (id) on delete cascade,
    identity_data jsonb not null,
    provider text not null,
    last_sign_in_at timestamptz,
    created_at timestamptz,
    updated_at timestamptz,
    email text generated always as (lower(identity_data ->> 'email')) stored,
    id uuid primary key default gen_random_uuid(),
    constraint identities_provider_id_provider_unique unique (provider_id, provider)
);
comment on table auth.identities is 'The ways an account can sign in: one row per provider.';
comment on column auth.identities.email is 'The email inside identity_data, for look-ups.';
create index identities_user_id_idx on auth.identities (user_id);
create index identities_email_idx on auth.identities (email text_pattern_ops);

-- sessions.oauth_client_id gets its foreign key with auth.oauth_clients
create table auth.sessions (
    id uuid primary key,
    user_id uuid not null constraint sessions_user_id_fkey references auth.users (id) on delete cascade,
    created_at timestamptz,
    updated_at timestamptz,
    factor_id uuid,
    aal auth.aal_level,
    not_after timestamptz,
    refreshed_at timestamp,
    user_agent text,
    ip inet,
    tag text,
    oauth_client_id uuid,
    refresh_token_hmac_key text,
    refresh_token_counter bigint,
    scopes text constraint sessions_scopes_length check (char_length(scopes) <= 4096)
);
comment on table auth.sessions is 'One row per sign-in; ends with its row.';
comment on column auth.sessions.not_after is 'The session counts as expired after this moment, if one is given.';
comment on column auth.sessions.refreshed_at is 'UTC, without a zone.';
comment on column auth.sessions.refresh_token_hmac_key is 'Signs this session''s refresh tokens, where they are not stored.';
comment on column auth.sessions.refresh_token_counter is 'The number of the last refresh token issued.';
create index sessions_user_id_idx on auth.sessions (user_id);
create index user_id_created_at_idx on auth.sessions (user_id, created_at);
create index sessions_not_after_idx on auth.sessions (not_after desc);

create table auth.refresh_tokens (
    instance_id uuid,
    id bigserial primary key,
    token varchar(255) constraint refresh_tokens_token_unique unique,
    user_id varchar(255),
    revoked boolean,
    created_at timestamptz,
    updated_at timestamptz,
    parent varchar(255),
    session_id uuid constraint refresh_tokens_session_id_fkey references auth.sessions (id) on delete cascade
);
comment on table auth.refresh_tokens is 'The chain of refresh tokens of each session; revoked ones stay, to notice their reuse.';
create index refresh_tokens_instance_id_idx on auth.refresh_tokens (instance_id);
create index refresh_tokens_instance_id_user_id_idx on auth.refresh_tokens (instance_id, user_id);
create index refresh_tokens_parent_idx on auth.refresh_tokens (parent);
create index refresh_tokens_session_id_revoked_idx on auth.refresh_tokens (session_id, revoked);
create index refresh_tokens_updated_at_idx on auth.refresh_tokens (updated_at desc);

create table auth.audit_log_entries (
    instance_id uuid,
    id uuid primary key,
    payload json,
    created_at timestamptz,
    ip_address varchar(64) not null default ''
);
comment on table auth.audit_log_entries is 'Who did what to which account.';
create index audit_logs_instance_id_idx on auth.audit_log_entries (instance_id);

-- What policies ask. A caller's claims arrive as one setting, or (older gateways) one setting per claim;
-- an empty setting is an absent one, because a setting once used in a session reads as '' afterwards.
create function auth.jwt() returns jsonb language sql stable as $$
    select coalesce(
        nullif(current_setting('request.jwt.claim', true), ''),
        nullif(current_setting('request.jwt.claims', true), '')
    )::jsonb
$$;
comment on function auth.jwt() is 'The claims of the caller''s token, or null.';

create function auth.uid() returns uuid language sql stable as $$
    select coalesce(
        nullif(current_setting('request.jwt.claim.sub', true), ''),
        nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub'
    )::uuid
$$;
comment on function auth.uid() is 'The caller''s user id, or null.';

create function auth.role() returns text language sql stable as $$
    select coalesce(
        nullif(current_setting('request.jwt.claim.role', true), ''),
        nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'role'
    )
$$;
comment on function auth.role() is 'The role the caller''s token names, or null.';

create function auth.email() returns text language sql stable as $$
    select coalesce(
        nullif(current_setting('request.jwt.claim.email', true), ''),
        nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'email'
    )
$$;
comment on function auth.email() is 'The email the caller''s token names, or null.';
