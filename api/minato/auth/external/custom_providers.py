"""Providers an administrator added: their rows, their sealed secrets, and what they are to a sign-in."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence

from cryptography.fernet import Fernet, InvalidToken
from sqlalchemy import Boolean, Column, DateTime, RowMapping, Table, Text, delete, func, insert, select, update
from sqlalchemy.dialects.postgresql import ARRAY, JSONB, UUID
from sqlalchemy.ext.asyncio import AsyncConnection

from minato.auth.providers.claims import generic_profile, standard_claims
from minato.auth.providers.oidc import OIDCProviders, is_meant_for
from minato.auth.providers.provider import Profile, Provider, ProviderError, ProviderTokens
from minato.auth.rows.tables import metadata

PREFIX = "custom:"
_moment = DateTime(timezone=True)

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


async def find(db: AsyncConnection, identifier: str) -> RowMapping | None:
    """The provider called `custom:…`."""
    result = await db.execute(select(custom_providers).where(custom_providers.c.identifier == identifier))
    return result.mappings().one_or_none()


async def find_all(db: AsyncConnection, provider_type: str = "") -> Sequence[RowMapping]:
    """All of a type, or all; newest first."""
    statement = select(custom_providers).order_by(custom_providers.c.created_at.desc(), custom_providers.c.id)
    if provider_type:
        statement = statement.where(custom_providers.c.provider_type == provider_type)
    return (await db.execute(statement)).mappings().all()


async def count(db: AsyncConnection) -> int:
    return int((await db.execute(select(func.count()).select_from(custom_providers))).scalar_one())


async def create(db: AsyncConnection, **values: object) -> RowMapping:
    statement = insert(custom_providers).values(**values).returning(custom_providers)
    created: RowMapping = (await db.execute(statement)).mappings().one()
    return created


async def change(db: AsyncConnection, identifier: str, **values: object) -> RowMapping:
    statement = update(custom_providers).where(custom_providers.c.identifier == identifier)
    changed: RowMapping = (await db.execute(statement.values(**values).returning(custom_providers))).mappings().one()
    return changed


async def remove(db: AsyncConnection, identifier: str) -> None:
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


async def to_provider(row: RowMapping, oidc: OIDCProviders, redirect_uri: str, scopes: str, key: str) -> Provider:
    """The provider of a row. Raises ProviderError when its discovery document cannot be had."""
    wanted = tuple(scopes.split()) or tuple(row["scopes"])
    params = {name: value for name, value in row["authorization_params"].items() if isinstance(value, str)}
    if row["provider_type"] == "oauth2":
        urls = (row["authorization_url"], row["token_url"])
        in_header, userinfo = False, row["userinfo_url"]
    else:
        document = await oidc.discover(row["issuer"], row["discovery_url"] or "")
        require_https(document)
        urls = (document["authorization_endpoint"], document["token_endpoint"])
        methods = document.get("token_endpoint_auth_methods_supported") or ["client_secret_basic"]
        in_header, userinfo = "client_secret_basic" in methods, document.get("userinfo_endpoint")
        wanted = wanted if "openid" in wanted else ("openid", *wanted)

    async def read(tokens: ProviderTokens) -> Profile:
        return _profile(row, await _raw_claims(row, oidc, tokens, userinfo))

    return Provider(
        row["identifier"],
        row["client_id"],
        unseal(row["client_secret"], key),
        redirect_uri,
        *urls,
        wanted,
        read,
        issuer=row["issuer"] or "",
        secret_in_header=in_header,
        pkce=row["pkce_enabled"],
        email_optional=row["email_optional"],
        params=params,
    )


async def _raw_claims(
    row: RowMapping, oidc: OIDCProviders, tokens: ProviderTokens, userinfo: str | None
) -> Mapping[str, object]:
    if tokens.id_token and row["provider_type"] == "oidc":
        claims = await oidc.verify(tokens.id_token, row["issuer"], row["discovery_url"] or "")
        if not is_meant_for(claims, (row["client_id"], *row["acceptable_client_ids"])):
            raise ProviderError(f"an ID token for {claims.get('aud')!r}")
        return claims
    if not userinfo:
        raise ProviderError("neither an ID token nor a userinfo endpoint")
    given = await oidc.web.get_json(userinfo, tokens.access_token)
    if not isinstance(given, dict):
        raise ProviderError("userinfo is not an object")
    return given


def _profile(row: RowMapping, raw: Mapping[str, object]) -> Profile:
    """The claims with those of the allow list beside them, then renamed as the administrator says."""
    claims = standard_claims(raw)
    allowed = {name: raw[name] for name in row["custom_claims_allowlist"] if name in raw}
    if allowed:
        claims["custom_claims"] = {**claims.get("custom_claims", {}), **allowed}
    source = dict(claims)
    for target, origin in row["attribute_mapping"].items():
        if not isinstance(origin, str):
            claims[target] = origin
        elif origin in source:
            claims[target] = source[origin]
    return generic_profile(claims)
