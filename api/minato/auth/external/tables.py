"""The tables that only signing in through others reads and writes."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, DateTime, Table, Text
from sqlalchemy.dialects.postgresql import ARRAY, JSONB, UUID

from minato.auth.tables import metadata

_moment = DateTime(timezone=True)

oauth_client_states = Table(
    "oauth_client_states",
    metadata,
    Column("id", UUID, primary_key=True),
    *(Column(name, Text) for name in ("provider_type", "code_verifier")),
    Column("created_at", _moment),
)

custom_providers = Table(
    "custom_oauth_providers",
    metadata,
    Column("id", UUID, primary_key=True),
    *(Column(name, Text) for name in ("provider_type", "identifier", "name", "client_id", "client_secret")),
    *(Column(name, ARRAY(Text)) for name in ("acceptable_client_ids", "scopes", "custom_claims_allowlist")),
    *(Column(name, Boolean) for name in ("pkce_enabled", "enabled", "email_optional", "skip_nonce_check")),
    *(Column(name, JSONB) for name in ("attribute_mapping", "authorization_params")),
    *(Column(name, Text) for name in ("issuer", "discovery_url")),
    Column("cached_discovery", JSONB),
    Column("discovery_cached_at", _moment),
    *(Column(name, Text) for name in ("authorization_url", "token_url", "userinfo_url", "jwks_uri")),
    *(Column(name, _moment) for name in ("created_at", "updated_at")),
)
