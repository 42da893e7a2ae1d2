-- Second factors, passkeys, and the tokens sent by mail and SMS.

create type auth.factor_type as enum ('totp', 'webauthn', 'phone');
create type auth.factor_status as enum ('unverified', 'verified');
create type auth.one_time_token_type as enum (
    'confirmation_token', 'reauthentication_token', 'recovery_token',
    'email_change_token_new', 'email_change_token_current', 'phone_change_token');
comment on type auth.factor_type is 'What a second factor is: an authenticator app, a security key, a phone.';
comment on type auth.factor_status is 'A factor counts once it was verified.';
comment on type auth.one_time_token_type is 'What a one-time token is good for; named like the column of auth.users it came from.';

create table auth.mfa_factors (
    id uuid primary key,
    user_id uuid not null constraint mfa_factors_user_id_fkey references auth.users (id) on delete cascade,
    friendly_name text,
    factor_type auth.factor_type not null,
    status auth.factor_status not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    secret text,
    phone text,
    last_challenged_at timestamptz constraint mfa_factors_last_challenged_at_key unique,
    web_authn_credential jsonb,
    web_authn_aaguid uuid,
    last_webauthn_challenge_data jsonb
);
comment on table auth.mfa_factors is 'The second factors of an account.';
comment on column auth.mfa_factors.last_webauthn_challenge_data is 'The last attestation or assertion, for verification by the customer.';
create unique index mfa_factors_user_friendly_name_unique on auth.mfa_factors (friendly_name, user_id)
    where trim(friendly_name) <> '';
create unique index unique_phone_factor_per_user on auth.mfa_factors (user_id, phone);
create index factor_id_created_at_idx on auth.mfa_factors (user_id, created_at);
create index mfa_factors_user_id_idx on auth.mfa_factors (user_id);

create table auth.mfa_challenges (
    id uuid primary key,
    factor_id uuid not null
        constraint mfa_challenges_auth_factor_id_fkey references auth.mfa_factors (id) on delete cascade,
    created_at timestamptz not null,
    verified_at timestamptz,
    ip_address inet not null,
    otp_code text,
    web_authn_session_data jsonb
);
comment on table auth.mfa_challenges is 'Attempts to prove a second factor.';
create index mfa_challenge_created_at_idx on auth.mfa_challenges (created_at desc);

create table auth.mfa_amr_claims (
    session_id uuid not null
        constraint mfa_amr_claims_session_id_fkey references auth.sessions (id) on delete cascade,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    authentication_method text not null,
    id uuid constraint amr_id_pk primary key,
    constraint mfa_amr_claims_session_id_authentication_method_pkey unique (session_id, authentication_method)
);
comment on table auth.mfa_amr_claims is 'By which methods a session was authenticated: the amr claim of its tokens.';

create table auth.one_time_tokens (
    id uuid primary key,
    user_id uuid not null constraint one_time_tokens_user_id_fkey references auth.users (id) on delete cascade,
    token_type auth.one_time_token_type not null,
    token_hash text not null constraint one_time_tokens_token_hash_check check (char_length(token_hash) > 0),
    relates_to text not null,
    created_at timestamp not null default now(),
    updated_at timestamp not null default now()
);
comment on table auth.one_time_tokens is 'Hashes of the tokens sent by mail and SMS, at most one of each type per account.';
create unique index one_time_tokens_user_id_token_type_key on auth.one_time_tokens (user_id, token_type);
create index one_time_tokens_token_hash_hash_idx on auth.one_time_tokens using hash (token_hash);
create index one_time_tokens_relates_to_hash_idx on auth.one_time_tokens using hash (relates_to);

create table auth.webauthn_credentials (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null constraint webauthn_credentials_user_id_fkey references auth.users (id) on delete cascade,
    credential_id bytea not null,
    public_key bytea not null,
    attestation_type text not null default '',
    aaguid uuid,
    sign_count bigint not null default 0,
    transports jsonb not null default '[]',
    backup_eligible boolean not null default false,
    backed_up boolean not null default false,
    friendly_name text not null default '',
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    last_used_at timestamptz
);
comment on table auth.webauthn_credentials is 'The passkeys of an account.';
create unique index webauthn_credentials_credential_id_key on auth.webauthn_credentials (credential_id);
create index webauthn_credentials_user_id_idx on auth.webauthn_credentials (user_id);

create table auth.webauthn_challenges (
    id uuid primary key default gen_random_uuid(),
    user_id uuid constraint webauthn_challenges_user_id_fkey references auth.users (id) on delete cascade,
    challenge_type text not null constraint webauthn_challenges_challenge_type_check
        check (challenge_type in ('signup', 'registration', 'authentication')),
    session_data jsonb not null,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null
);
comment on table auth.webauthn_challenges is 'Passkey ceremonies under way.';
create index webauthn_challenges_user_id_idx on auth.webauthn_challenges (user_id);
create index webauthn_challenges_expires_at_idx on auth.webauthn_challenges (expires_at);
