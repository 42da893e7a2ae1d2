"""The tables that only the OAuth server reads and writes."""

from __future__ import annotations

from sqlalchemy import Column, DateTime, Table, Text
from sqlalchemy.dialects.postgresql import ENUM, UUID

from minato.auth.tables import metadata

_moment = DateTime(timezone=True)


def _enum(name: str, *values: str) -> ENUM:
    return ENUM(*values, name=name, schema="auth", create_type=False)


clients = Table(
    "oauth_clients",
    metadata,
    Column("id", UUID, primary_key=True),
    Column("client_secret_hash", Text),
    Column("registration_type", _enum("oauth_registration_type", "dynamic", "manual")),
    *(Column(name, Text) for name in ("redirect_uris", "grant_types", "client_name", "client_uri", "logo_uri")),
    *(Column(name, _moment) for name in ("created_at", "updated_at", "deleted_at")),
    Column("client_type", _enum("oauth_client_type", "public", "confidential")),
    Column("token_endpoint_auth_method", Text),
)

authorizations = Table(
    "oauth_authorizations",
    metadata,
    Column("id", UUID, primary_key=True),
    Column("authorization_id", Text),
    *(Column(name, UUID) for name in ("client_id", "user_id")),
    *(Column(name, Text) for name in ("redirect_uri", "scope", "state", "resource", "code_challenge")),
    Column("code_challenge_method", _enum("code_challenge_method", "s256", "plain")),
    Column("response_type", _enum("oauth_response_type", "code")),
    Column("status", _enum("oauth_authorization_status", "pending", "approved", "denied", "expired")),
    Column("authorization_code", Text),
    *(Column(name, _moment) for name in ("created_at", "expires_at", "approved_at")),
    Column("nonce", Text),
)

consents = Table(
    "oauth_consents",
    metadata,
    Column("id", UUID, primary_key=True),
    *(Column(name, UUID) for name in ("user_id", "client_id")),
    Column("scopes", Text),
    *(Column(name, _moment) for name in ("granted_at", "revoked_at")),
)
