"""The tables of schema `auth` that this room reads and writes, as SQLAlchemy Core sees them."""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, DateTime, FetchedValue, MetaData, SmallInteger, Table, Text, Uuid
from sqlalchemy.dialects.postgresql import ENUM, INET, JSON, JSONB

metadata = MetaData(schema="auth")

TIME = DateTime(timezone=True)
AAL = ENUM("aal1", "aal2", "aal3", name="aal_level", schema="auth", create_type=False)
TOKEN_TYPE = ENUM(
    "confirmation_token",
    "reauthentication_token",
    "recovery_token",
    "email_change_token_new",
    "email_change_token_current",
    "phone_change_token",
    name="one_time_token_type",
    schema="auth",
    create_type=False,
)
CHALLENGE_METHOD = ENUM("s256", "plain", name="code_challenge_method", schema="auth", create_type=False)
FACTOR_TYPE = ENUM("totp", "webauthn", "phone", name="factor_type", schema="auth", create_type=False)
FACTOR_STATUS = ENUM("unverified", "verified", name="factor_status", schema="auth", create_type=False)

users = Table(
    "users",
    metadata,
    Column("instance_id", Uuid),
    Column("id", Uuid, primary_key=True),
    *(Column(name, Text) for name in ("aud", "role", "email", "encrypted_password")),
    Column("email_confirmed_at", TIME),
    Column("invited_at", TIME),
    Column("confirmation_token", Text),
    Column("confirmation_sent_at", TIME),
    Column("recovery_token", Text),
    Column("recovery_sent_at", TIME),
    *(Column(name, Text) for name in ("email_change_token_new", "email_change")),
    Column("email_change_sent_at", TIME),
    Column("last_sign_in_at", TIME),
    Column("raw_app_meta_data", JSONB),
    Column("raw_user_meta_data", JSONB),
    Column("created_at", TIME),
    Column("updated_at", TIME),
    Column("phone", Text),
    Column("phone_confirmed_at", TIME),
    *(Column(name, Text) for name in ("phone_change", "phone_change_token")),
    Column("phone_change_sent_at", TIME),
    Column("confirmed_at", TIME, FetchedValue()),
    Column("email_change_token_current", Text),
    Column("email_change_confirm_status", SmallInteger),
    Column("banned_until", TIME),
    Column("reauthentication_token", Text),
    Column("reauthentication_sent_at", TIME),
    Column("is_sso_user", Boolean),
    Column("deleted_at", TIME),
    Column("is_anonymous", Boolean),
)

identities = Table(
    "identities",
    metadata,
    Column("id", Uuid, primary_key=True),
    Column("provider_id", Text),
    Column("user_id", Uuid),
    Column("identity_data", JSONB),
    Column("provider", Text),
    Column("last_sign_in_at", TIME),
    Column("created_at", TIME),
    Column("updated_at", TIME),
    Column("email", Text, FetchedValue()),
)

sessions = Table(
    "sessions",
    metadata,
    Column("id", Uuid, primary_key=True),
    Column("user_id", Uuid),
    Column("created_at", TIME),
    Column("updated_at", TIME),
    Column("factor_id", Uuid),
    Column("aal", AAL),
    Column("not_after", TIME),
    Column("refreshed_at", DateTime),
    Column("user_agent", Text),
    Column("ip", INET),
    Column("tag", Text),
    Column("oauth_client_id", Uuid),
)

refresh_tokens = Table(
    "refresh_tokens",
    metadata,
    Column("instance_id", Uuid),
    Column("id", BigInteger, primary_key=True),
    Column("token", Text),
    Column("user_id", Text),
    Column("revoked", Boolean),
    Column("created_at", TIME),
    Column("updated_at", TIME),
    Column("parent", Text),
    Column("session_id", Uuid),
)

mfa_amr_claims = Table(
    "mfa_amr_claims",
    metadata,
    Column("id", Uuid, primary_key=True),
    Column("session_id", Uuid),
    Column("created_at", TIME),
    Column("updated_at", TIME),
    Column("authentication_method", Text),
)

mfa_factors = Table(
    "mfa_factors",
    metadata,
    Column("id", Uuid, primary_key=True),
    Column("user_id", Uuid),
    Column("friendly_name", Text),
    Column("factor_type", FACTOR_TYPE),
    Column("status", FACTOR_STATUS),
    Column("created_at", TIME),
    Column("updated_at", TIME),
    Column("phone", Text),
    Column("last_challenged_at", TIME),
)

one_time_tokens = Table(
    "one_time_tokens",
    metadata,
    Column("id", Uuid, primary_key=True),
    Column("user_id", Uuid),
    Column("token_type", TOKEN_TYPE),
    Column("token_hash", Text),
    Column("relates_to", Text),
    Column("created_at", DateTime),
    Column("updated_at", DateTime),
)

flow_state = Table(
    "flow_state",
    metadata,
    Column("id", Uuid, primary_key=True),
    Column("user_id", Uuid),
    Column("auth_code", Text),
    Column("code_challenge_method", CHALLENGE_METHOD),
    Column("code_challenge", Text),
    Column("provider_type", Text),
    Column("created_at", TIME),
    Column("updated_at", TIME),
    Column("authentication_method", Text),
    Column("auth_code_issued_at", TIME),
)

audit_log_entries = Table(
    "audit_log_entries",
    metadata,
    Column("instance_id", Uuid),
    Column("id", Uuid, primary_key=True),
    Column("payload", JSON),
    Column("created_at", TIME),
    Column("ip_address", Text),
)
