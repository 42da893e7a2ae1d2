-- Signing in through others (OAuth, OIDC, SAML), and being the provider others sign in through (OAuth 2.1).

create type auth.oauth_registration_type as enum ('dynamic', 'manual');
create type auth.oauth_client_type as enum ('public', 'confidential');
create type auth.oauth_authorization_status as enum ('pending', 'approved', 'denied', 'expired');
create type auth.oauth_response_type as enum ('code');
comment on type auth.oauth_registration_type is 'Whether an OAuth client registered itself or was entered by an administrator.';
comment on type auth.oauth_client_type is 'Whether an OAuth client can keep a secret.';
comment on type auth.oauth_authorization_status is 'Where an OAuth authorization stands.';
comment on type auth.oauth_response_type is 'What an OAuth authorization answers with: OAuth 2.1 knows only the code.';

-- PKCE's columns are null in the implicit flow
create table auth.flow_state (
    id uuid primary key,
    user_id uuid,
    auth_code text,
    code_challenge_method auth.code_challenge_method,
    code_challenge text,
    provider_type text not null,
    provider_access_token text,
    provider_refresh_token text,
    created_at timestamptz,
    updated_at timestamptz,
    authentication_method text not null,
    auth_code_issued_at timestamptz,
    invite_token text,
    referrer text,
    oauth_client_state_id uuid,
    linking_target_id uuid,
    email_optional boolean not null default false
);
comment on table auth.flow_state is 'Sign-ins that left for a provider or a mail and have not come back yet.';
create index idx_auth_code on auth.flow_state (auth_code);
create index idx_user_id_auth_method on auth.flow_state (user_id, authentication_method);
create index flow_state_created_at_idx on auth.flow_state (created_at desc);

create table auth.oauth_client_states (
    id uuid primary key,
    provider_type text not null,
    code_verifier text,
    created_at timestamptz not null
);
comment on table auth.oauth_client_states is 'State parameters given to providers while this service acts as their client.';
create index idx_oauth_client_states_created_at on auth.oauth_client_states (created_at);

create table auth.sso_providers (
    id uuid primary key,
    resource_id text,
    created_at timestamptz,
    updated_at timestamptz,
    disabled boolean,
    constraint "resource_id not empty" check (char_length(resource_id) > 0)
);
comment on table auth.sso_providers is 'Identity providers of organisations.';
comment on column auth.sso_providers.resource_id is 'A name of the administrator''s choice, regardless of case.';
create unique index sso_providers_resource_id_idx on auth.sso_providers (lower(resource_id));
create index sso_providers_resource_id_pattern_idx on auth.sso_providers (resource_id text_pattern_ops);

create table auth.sso_domains (
    id uuid primary key,
    sso_provider_id uuid not null
        constraint sso_domains_sso_provider_id_fkey references auth.sso_providers (id) on delete cascade,
    domain text not null,
    created_at timestamptz,
    updated_at timestamptz,
    constraint "domain not empty" check (char_length(domain) > 0)
);
comment on table auth.sso_domains is 'Which email domains sign in through which identity provider.';
create index sso_domains_sso_provider_id_idx on auth.sso_domains (sso_provider_id);
create unique index sso_domains_domain_idx on auth.sso_domains (lower(domain));

create table auth.saml_providers (
    id uuid primary key,
    sso_provider_id uuid not null
        constraint saml_providers_sso_provider_id_fkey references auth.sso_providers (id) on delete cascade,
    entity_id text not null constraint saml_providers_entity_id_key unique,
    metadata_xml text not null,
    metadata_url text,
    attribute_mapping jsonb,
    created_at timestamptz,
    updated_at timestamptz,
    name_id_format text,
    constraint "metadata_xml not empty" check (char_length(metadata_xml) > 0),
    constraint "metadata_url not empty" check (char_length(metadata_url) > 0),
    constraint "entity_id not empty" check (char_length(entity_id) > 0)
);
comment on table auth.saml_providers is 'What SAML needs to know of an identity provider.';
create index saml_providers_sso_provider_id_idx on auth.saml_providers (sso_provider_id);

create table auth.saml_relay_states (
    id uuid primary key,
    sso_provider_id uuid not null
        constraint saml_relay_states_sso_provider_id_fkey references auth.sso_providers (id) on delete cascade,
    request_id text not null,
    for_email text,
    redirect_to text,
    created_at timestamptz,
    updated_at timestamptz,
    flow_state_id uuid constraint saml_relay_states_flow_state_id_fkey references auth.flow_state (id) on delete cascade,
    constraint "request_id not empty" check (char_length(request_id) > 0)
);
comment on table auth.saml_relay_states is 'SAML sign-ins under way.';
create index saml_relay_states_sso_provider_id_idx on auth.saml_relay_states (sso_provider_id);
create index saml_relay_states_for_email_idx on auth.saml_relay_states (for_email);
create index saml_relay_states_created_at_idx on auth.saml_relay_states (created_at desc);

create table auth.custom_oauth_providers (
    id uuid constraint custom_oauth_providers_pkey primary key default gen_random_uuid(),
    provider_type text not null check (provider_type in ('oauth2', 'oidc')),
    identifier text not null constraint custom_oauth_providers_identifier_key unique,
    name text not null,
    client_id text not null,
    client_secret text not null,
    acceptable_client_ids text[] not null default '{}',
    scopes text[] not null default '{}',
    pkce_enabled boolean not null default true,
    attribute_mapping jsonb not null default '{}',
    authorization_params jsonb not null default '{}',
    enabled boolean not null default true,
    email_optional boolean not null default false,
    issuer text,
    discovery_url text,
    skip_nonce_check boolean not null default false,
    cached_discovery jsonb,
    discovery_cached_at timestamptz,
    authorization_url text,
    token_url text,
    userinfo_url text,
    jwks_uri text,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    custom_claims_allowlist text[] not null default '{}',
    constraint custom_oauth_providers_oidc_requires_issuer
        check (provider_type <> 'oidc' or issuer is not null),
    constraint custom_oauth_providers_oauth2_requires_endpoints
        check (provider_type <> 'oauth2' or num_nulls(authorization_url, token_url, userinfo_url) = 0),
    constraint custom_oauth_providers_oidc_issuer_https check (provider_type <> 'oidc' or issuer like 'https://%'),
    constraint custom_oauth_providers_oidc_discovery_url_https
        check (provider_type <> 'oidc' or discovery_url like 'https://%'),
    constraint custom_oauth_providers_authorization_url_https check (authorization_url like 'https://%'),
    constraint custom_oauth_providers_token_url_https check (token_url like 'https://%'),
    constraint custom_oauth_providers_userinfo_url_https check (userinfo_url like 'https://%'),
    constraint custom_oauth_providers_jwks_uri_https check (jwks_uri like 'https://%'),
    constraint custom_oauth_providers_identifier_format check (identifier ~ '^[a-z0-9][a-z0-9:-]{0,48}[a-z0-9]$'),
    constraint custom_oauth_providers_name_length check (char_length(name) between 1 and 100),
    constraint custom_oauth_providers_client_id_length check (char_length(client_id) between 1 and 512),
    constraint custom_oauth_providers_issuer_length check (char_length(issuer) between 1 and 2048),
    constraint custom_oauth_providers_discovery_url_length check (char_length(discovery_url) <= 2048),
    constraint custom_oauth_providers_authorization_url_length check (char_length(authorization_url) <= 2048),
    constraint custom_oauth_providers_token_url_length check (char_length(token_url) <= 2048),
    constraint custom_oauth_providers_userinfo_url_length check (char_length(userinfo_url) <= 2048),
    constraint custom_oauth_providers_jwks_uri_length check (char_length(jwks_uri) <= 2048)
);
comment on table auth.custom_oauth_providers is 'OAuth 2 and OIDC providers an administrator added.';
comment on column auth.custom_oauth_providers.client_secret is 'Encrypted by the service before it is stored.';
comment on column auth.custom_oauth_providers.custom_claims_allowlist is 'Claims of the provider to copy; empty copies none.';
create index custom_oauth_providers_identifier_idx on auth.custom_oauth_providers (identifier);
create index custom_oauth_providers_provider_type_idx on auth.custom_oauth_providers (provider_type);
create index custom_oauth_providers_enabled_idx on auth.custom_oauth_providers (enabled);
create index custom_oauth_providers_created_at_idx on auth.custom_oauth_providers (created_at);

create table auth.oauth_clients (
    id uuid constraint oauth_clients_pkey primary key,
    client_secret_hash text,
    registration_type auth.oauth_registration_type not null,
    redirect_uris text not null,
    grant_types text not null,
    client_name text constraint oauth_clients_client_name_length check (char_length(client_name) <= 1024),
    client_uri text constraint oauth_clients_client_uri_length check (char_length(client_uri) <= 2048),
    logo_uri text constraint oauth_clients_logo_uri_length check (char_length(logo_uri) <= 2048),
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    deleted_at timestamptz,
    client_type auth.oauth_client_type not null default 'confidential',
    token_endpoint_auth_method text not null constraint oauth_clients_token_endpoint_auth_method_check
        check (token_endpoint_auth_method in ('client_secret_basic', 'client_secret_post', 'none'))
);
comment on table auth.oauth_clients is 'Applications that sign their users in through this service; the id is the client id.';
comment on column auth.oauth_clients.redirect_uris is 'A list with commas.';
comment on column auth.oauth_clients.grant_types is 'A list with commas.';
create index oauth_clients_deleted_at_idx on auth.oauth_clients (deleted_at);

alter table auth.sessions add constraint sessions_oauth_client_id_fkey
    foreign key (oauth_client_id) references auth.oauth_clients (id) on delete cascade;
create index sessions_oauth_client_id_idx on auth.sessions (oauth_client_id);

create table auth.oauth_authorizations (
    id uuid constraint oauth_authorizations_pkey primary key,
    authorization_id text not null constraint oauth_authorizations_authorization_id_key unique,
    client_id uuid not null
        constraint oauth_authorizations_client_id_fkey references auth.oauth_clients (id) on delete cascade,
    user_id uuid constraint oauth_authorizations_user_id_fkey references auth.users (id) on delete cascade,
    redirect_uri text not null
        constraint oauth_authorizations_redirect_uri_length check (char_length(redirect_uri) <= 2048),
    scope text not null constraint oauth_authorizations_scope_length check (char_length(scope) <= 4096),
    state text constraint oauth_authorizations_state_length check (char_length(state) <= 4096),
    resource text constraint oauth_authorizations_resource_length check (char_length(resource) <= 2048),
    code_challenge text
        constraint oauth_authorizations_code_challenge_length check (char_length(code_challenge) <= 128),
    code_challenge_method auth.code_challenge_method,
    response_type auth.oauth_response_type not null default 'code',
    status auth.oauth_authorization_status not null default 'pending',
    authorization_code text constraint oauth_authorizations_authorization_code_key unique
        constraint oauth_authorizations_authorization_code_length check (char_length(authorization_code) <= 255),
    created_at timestamptz not null default now(),
    expires_at timestamptz not null default (now() + interval '3 minutes'),
    approved_at timestamptz,
    nonce text constraint oauth_authorizations_nonce_length check (char_length(nonce) <= 255),
    constraint oauth_authorizations_expires_at_future check (expires_at > created_at)
);
comment on table auth.oauth_authorizations is 'Requests of OAuth clients that wait for a user''s decision.';
create index oauth_auth_pending_exp_idx on auth.oauth_authorizations (expires_at) where status = 'pending';

create table auth.oauth_consents (
    id uuid constraint oauth_consents_pkey primary key,
    user_id uuid not null constraint oauth_consents_user_id_fkey references auth.users (id) on delete cascade,
    client_id uuid not null
        constraint oauth_consents_client_id_fkey references auth.oauth_clients (id) on delete cascade,
    scopes text not null
        constraint oauth_consents_scopes_length check (char_length(scopes) <= 2048)
        constraint oauth_consents_scopes_not_empty check (char_length(trim(scopes)) > 0),
    granted_at timestamptz not null default now(),
    revoked_at timestamptz,
    constraint oauth_consents_user_client_unique unique (user_id, client_id),
    constraint oauth_consents_revoked_after_granted check (revoked_at >= granted_at)
);
comment on table auth.oauth_consents is 'What a user allowed an OAuth client to do.';
create index oauth_consents_active_user_client_idx on auth.oauth_consents (user_id, client_id) where revoked_at is null;
create index oauth_consents_user_order_idx on auth.oauth_consents (user_id, granted_at desc);
create index oauth_consents_active_client_idx on auth.oauth_consents (client_id) where revoked_at is null;

-- Row-level security without a policy: nobody but the owner and bypassrls roles reads auth, even when granted.
alter table auth.audit_log_entries enable row level security;
alter table auth.flow_state enable row level security;
alter table auth.identities enable row level security;
alter table auth.instances enable row level security;
alter table auth.mfa_amr_claims enable row level security;
alter table auth.mfa_challenges enable row level security;
alter table auth.mfa_factors enable row level security;
alter table auth.one_time_tokens enable row level security;
alter table auth.refresh_tokens enable row level security;
alter table auth.saml_providers enable row level security;
alter table auth.saml_relay_states enable row level security;
alter table auth.schema_migrations enable row level security;
alter table auth.sessions enable row level security;
alter table auth.sso_domains enable row level security;
alter table auth.sso_providers enable row level security;
alter table auth.users enable row level security;

select minato.hand_over('auth', 'supabase_auth_admin');
grant all on all tables in schema auth to postgres, dashboard_user, supabase_auth_admin;
grant all on all sequences in schema auth to postgres, dashboard_user, supabase_auth_admin;
grant all on all routines in schema auth to postgres, dashboard_user, supabase_auth_admin;
-- users' migrations grant their own roles access to auth.users
grant select on all tables in schema auth to postgres with grant option;
