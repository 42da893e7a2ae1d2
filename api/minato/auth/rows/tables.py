"""The tables of the `auth` schema that this room reads and writes, as SQLAlchemy Core knows them, and who writes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID as Id

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Computed,
    DateTime,
    LargeBinary,
    MetaData,
    SmallInteger,
    Table,
    Text,
)
from sqlalchemy.dialects.postgresql import ENUM, INET, JSONB, UUID

from minato.database.wire.transaction import ServiceTransaction
from minato.entropy import Entropy

metadata = MetaData(schema="auth")


@dataclass(frozen=True)
class Writer:
    """What a transaction writes rows with: its connection, its moment, and ids for what is new."""

    db: ServiceTransaction
    now: datetime
    entropy: Entropy

    def new_id(self) -> Id:
        return self.entropy.uuid4()


def _enum(name: str, *values: str) -> ENUM:
    return ENUM(*values, name=name, schema="auth", create_type=False)


_moment = DateTime(timezone=True)
_aal = _enum("aal_level", "aal1", "aal2", "aal3")

users = Table(
    "users",
    metadata,
    Column("instance_id", UUID),
    Column("id", UUID, primary_key=True),
    *(Column(name, Text) for name in ("aud", "role", "email", "encrypted_password")),
    *(Column(name, _moment) for name in ("email_confirmed_at", "invited_at")),
    Column("confirmation_token", Text),
    Column("confirmation_sent_at", _moment),
    Column("recovery_token", Text),
    Column("recovery_sent_at", _moment),
    *(Column(name, Text) for name in ("email_change_token_new", "email_change")),
    *(Column(name, _moment) for name in ("email_change_sent_at", "last_sign_in_at")),
    *(Column(name, JSONB) for name in ("raw_app_meta_data", "raw_user_meta_data")),
    Column("is_super_admin", Boolean),
    *(Column(name, _moment) for name in ("created_at", "updated_at")),
    Column("phone", Text),
    Column("phone_confirmed_at", _moment),
    *(Column(name, Text) for name in ("phone_change", "phone_change_token")),
    Column("phone_change_sent_at", _moment),
    Column("confirmed_at", _moment, Computed("least(email_confirmed_at, phone_confirmed_at)")),
    Column("email_change_token_current", Text),
    Column("email_change_confirm_status", SmallInteger),
    Column("banned_until", _moment),
    Column("reauthentication_token", Text),
    Column("reauthentication_sent_at", _moment),
    Column("is_sso_user", Boolean),
    Column("deleted_at", _moment),
    Column("is_anonymous", Boolean),
)

identities = Table(
    "identities",
    metadata,
    Column("provider_id", Text),
    Column("user_id", UUID),
    Column("identity_data", JSONB),
    Column("provider", Text),
    *(Column(name, _moment) for name in ("last_sign_in_at", "created_at", "updated_at")),
    Column("email", Text, Computed("lower(identity_data ->> 'email')")),
    Column("id", UUID, primary_key=True),
)

sessions = Table(
    "sessions",
    metadata,
    Column("id", UUID, primary_key=True),
    Column("user_id", UUID),
    *(Column(name, _moment) for name in ("created_at", "updated_at")),
    Column("factor_id", UUID),
    Column("aal", _aal),
    Column("not_after", _moment),
    Column("refreshed_at", DateTime),
    Column("user_agent", Text),
    Column("ip", INET),
    Column("tag", Text),
    Column("oauth_client_id", UUID),
    Column("refresh_token_hmac_key", Text),
    Column("refresh_token_counter", BigInteger),
    Column("scopes", Text),
)

refresh_tokens = Table(
    "refresh_tokens",
    metadata,
    Column("instance_id", UUID),
    Column("id", BigInteger, primary_key=True),
    Column("token", Text),
    Column("user_id", Text),
    Column("revoked", Boolean),
    *(Column(name, _moment) for name in ("created_at", "updated_at")),
    Column("parent", Text),
    Column("session_id", UUID),
)

amr_claims = Table(
    "mfa_amr_claims",
    metadata,
    Column("session_id", UUID),
    *(Column(name, _moment) for name in ("created_at", "updated_at")),
    Column("authentication_method", Text),
    Column("id", UUID, primary_key=True),
)

factors = Table(
    "mfa_factors",
    metadata,
    Column("id", UUID, primary_key=True),
    Column("user_id", UUID),
    Column("friendly_name", Text),
    Column("factor_type", _enum("factor_type", "totp", "webauthn", "phone")),
    Column("status", _enum("factor_status", "unverified", "verified")),
    *(Column(name, _moment) for name in ("created_at", "updated_at")),
    *(Column(name, Text) for name in ("secret", "phone")),
    Column("last_challenged_at", _moment),
    Column("web_authn_credential", JSONB),
    Column("web_authn_aaguid", UUID),
    Column("last_webauthn_challenge_data", JSONB),
)

challenges = Table(
    "mfa_challenges",
    metadata,
    Column("id", UUID, primary_key=True),
    Column("factor_id", UUID),
    *(Column(name, _moment) for name in ("created_at", "verified_at")),
    Column("ip_address", INET),
    Column("otp_code", Text),
    Column("web_authn_session_data", JSONB),
)

webauthn_credentials = Table(
    "webauthn_credentials",
    metadata,
    Column("id", UUID, primary_key=True),
    Column("user_id", UUID),
    *(Column(name, LargeBinary) for name in ("credential_id", "public_key")),
    Column("attestation_type", Text),
    Column("aaguid", UUID),
    Column("sign_count", BigInteger),
    Column("transports", JSONB),
    *(Column(name, Boolean) for name in ("backup_eligible", "backed_up")),
    Column("friendly_name", Text),
    *(Column(name, _moment) for name in ("created_at", "updated_at", "last_used_at")),
)

webauthn_challenges = Table(
    "webauthn_challenges",
    metadata,
    Column("id", UUID, primary_key=True),
    Column("user_id", UUID),
    Column("challenge_type", Text),
    Column("session_data", JSONB),
    *(Column(name, _moment) for name in ("created_at", "expires_at")),
)

one_time_tokens = Table(
    "one_time_tokens",
    metadata,
    Column("id", UUID, primary_key=True),
    Column("user_id", UUID),
    Column(
        "token_type",
        _enum(
            "one_time_token_type",
            "confirmation_token",
            "reauthentication_token",
            "recovery_token",
            "email_change_token_new",
            "email_change_token_current",
            "phone_change_token",
        ),
    ),
    *(Column(name, Text) for name in ("token_hash", "relates_to")),
    *(Column(name, DateTime) for name in ("created_at", "updated_at")),
)

flow_states = Table(
    "flow_state",
    metadata,
    Column("id", UUID, primary_key=True),
    Column("user_id", UUID),
    Column("auth_code", Text),
    Column("code_challenge_method", _enum("code_challenge_method", "s256", "plain")),
    *(Column(name, Text) for name in ("code_challenge", "provider_type")),
    *(Column(name, Text) for name in ("provider_access_token", "provider_refresh_token")),
    *(Column(name, _moment) for name in ("created_at", "updated_at")),
    Column("authentication_method", Text),
    Column("auth_code_issued_at", _moment),
    *(Column(name, Text) for name in ("invite_token", "referrer")),
    *(Column(name, UUID) for name in ("oauth_client_state_id", "linking_target_id")),
    Column("email_optional", Boolean),
)

audit_log_entries = Table(
    "audit_log_entries",
    metadata,
    Column("instance_id", UUID),
    Column("id", UUID, primary_key=True),
    Column("payload", JSON),
    Column("created_at", _moment),
    Column("ip_address", Text),
)
