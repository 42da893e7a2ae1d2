"""Providers an administrator added: their rows, their sealed secrets, and what they are to a sign-in."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from cryptography.fernet import Fernet, InvalidToken
from sqlalchemy import Boolean, Column, DateTime, Table, Text, delete, func, insert, select, update
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.dialects.postgresql import UUID as UUIDColumn

from minato.auth.providers.claims import generic_profile, standard_claims
from minato.auth.providers.oidc import OIDCProviders, is_meant_for
from minato.auth.providers.provider import Profile, Provider, ProviderError, ProviderTokens
from minato.auth.rows.tables import metadata
from minato.database.wire.transaction import ServiceTransaction
from minato.json_text import JsonMapping, JsonObject

PREFIX = "custom:"
_moment = DateTime(timezone=True)

custom_providers = Table(
    "custom_oauth_providers",
    metadata,
    Column("id", UUIDColumn, primary_key=True),
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


@dataclass(frozen=True, slots=True)
class CustomProvider:
    """A row of auth.custom_oauth_providers; the type is `oidc`, with an issuer, or `oauth2`, with its three URLs."""

    id: UUID
    provider_type: str
    identifier: str
    name: str
    client_id: str
    client_secret: str = field(repr=False)
    acceptable_client_ids: list[str]
    scopes: list[str]
    custom_claims_allowlist: list[str]
    pkce_enabled: bool
    enabled: bool
    email_optional: bool
    skip_nonce_check: bool
    attribute_mapping: JsonObject
    authorization_params: JsonObject
    issuer: str | None
    discovery_url: str | None
    cached_discovery: JsonObject | None
    discovery_cached_at: datetime | None
    authorization_url: str | None
    token_url: str | None
    userinfo_url: str | None
    jwks_uri: str | None
    created_at: datetime
    updated_at: datetime

    @property
    def is_oidc(self) -> bool:
        return self.provider_type == "oidc"

    @property
    def discovery(self) -> tuple[str, str]:
        """The issuer, which OpenID has and OAuth doesn't, and the URL of its document; empty where it is the usual."""
        return self.issuer or "", self.discovery_url or ""

    @property
    def audiences(self) -> tuple[str, ...]:
        """Whom its ID tokens may be for."""
        return (self.client_id, *self.acceptable_client_ids)


async def find(db: ServiceTransaction, identifier: str) -> CustomProvider | None:
    """The provider called `custom:…`."""
    result = await db.execute(select(custom_providers).where(custom_providers.c.identifier == identifier))
    row = result.mappings().one_or_none()
    return CustomProvider(**row) if row else None


async def find_all(db: ServiceTransaction, provider_type: str = "") -> list[CustomProvider]:
    """All of a type, or all; newest first."""
    statement = select(custom_providers).order_by(custom_providers.c.created_at.desc(), custom_providers.c.id)
    if provider_type:
        statement = statement.where(custom_providers.c.provider_type == provider_type)
    return [CustomProvider(**row) for row in (await db.execute(statement)).mappings()]


async def count(db: ServiceTransaction) -> int:
    return int((await db.execute(select(func.count()).select_from(custom_providers))).scalar_one())


async def create(db: ServiceTransaction, **values: object) -> CustomProvider:
    statement = insert(custom_providers).values(**values).returning(custom_providers)
    return CustomProvider(**(await db.execute(statement)).mappings().one())


async def change(db: ServiceTransaction, identifier: str, **values: object) -> CustomProvider:
    statement = update(custom_providers).where(custom_providers.c.identifier == identifier)
    result = await db.execute(statement.values(**values).returning(custom_providers))
    return CustomProvider(**result.mappings().one())


async def remove(db: ServiceTransaction, identifier: str) -> None:
    await db.execute(delete(custom_providers).where(custom_providers.c.identifier == identifier))


def seal(secret: str, key: str) -> str:
    """`secret` encrypted under a key derived from the backend's own."""
    return _fernet(key).encrypt(secret.encode()).decode()


def unseal(sealed: str, key: str) -> str:
    """Raises ProviderError after the backend's secret was changed."""
    try:
        return _fernet(key).decrypt(sealed.encode()).decode()
    except InvalidToken as error:
        raise ProviderError("the client secret was sealed under another key") from error


def _fernet(key: str) -> Fernet:
    derived = hashlib.sha256(b"minato custom provider secrets\0" + key.encode()).digest()
    return Fernet(base64.urlsafe_b64encode(derived))


def require_https(document: Mapping[str, object]) -> None:
    """What a discovery document names is no safer than who wrote it. Raises ProviderError."""
    for name in ("authorization_endpoint", "token_endpoint", "jwks_uri", "userinfo_endpoint"):
        if document.get(name) and not str(document[name]).startswith("https://"):
            raise ProviderError(f"{name} must use HTTPS")


async def to_provider(
    custom: CustomProvider, oidc: OIDCProviders, redirect_uri: str, scopes: str, key: str
) -> Provider:
    """The provider of a row. Raises ProviderError when its discovery document cannot be had."""
    wanted = tuple(scopes.split()) or tuple(custom.scopes)
    if custom.is_oidc:
        document = await oidc.discover(*custom.discovery)
        require_https(document)
        urls = (document["authorization_endpoint"], document["token_endpoint"])
        methods = document.get("token_endpoint_auth_methods_supported") or ["client_secret_basic"]
        in_header, userinfo = "client_secret_basic" in methods, document.get("userinfo_endpoint")
        wanted = wanted if "openid" in wanted else ("openid", *wanted)
    else:
        urls = (custom.authorization_url or "", custom.token_url or "")
        in_header, userinfo = False, custom.userinfo_url

    async def read(tokens: ProviderTokens) -> Profile:
        return _profile(custom, await _raw_claims(custom, oidc, tokens, userinfo))

    return Provider(
        custom.identifier,
        custom.client_id,
        unseal(custom.client_secret, key),
        redirect_uri,
        *urls,
        wanted,
        read,
        issuer=custom.issuer or "",
        secret_in_header=in_header,
        pkce=custom.pkce_enabled,
        email_optional=custom.email_optional,
        params={name: value for name, value in custom.authorization_params.items() if isinstance(value, str)},
    )


async def _raw_claims(
    custom: CustomProvider, oidc: OIDCProviders, tokens: ProviderTokens, userinfo: str | None
) -> JsonMapping:
    if tokens.id_token and custom.is_oidc:
        claims = await oidc.verify(tokens.id_token, *custom.discovery)
        if not is_meant_for(claims, custom.audiences):
            raise ProviderError(f"an ID token for {claims.get('aud')!r}")
        return claims
    if not userinfo:
        raise ProviderError("neither an ID token nor a userinfo endpoint")
    given = await oidc.web.get_json(userinfo, tokens.access_token)
    if not isinstance(given, dict):
        raise ProviderError("userinfo is not an object")
    return given


def _profile(custom: CustomProvider, raw: JsonMapping) -> Profile:
    """The claims with those of the allow list beside them, then renamed as the administrator says."""
    claims = standard_claims(raw)
    allowed = {name: raw[name] for name in custom.custom_claims_allowlist if name in raw}
    if allowed:
        claims["custom_claims"] = {**claims.get("custom_claims", {}), **allowed}
    source = dict(claims)
    for target, origin in custom.attribute_mapping.items():
        if not isinstance(origin, str):
            claims[target] = origin
        elif origin in source:
            claims[target] = source[origin]
    return generic_profile(claims)
