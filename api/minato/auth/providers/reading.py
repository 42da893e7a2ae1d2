"""Who came back: a provider's record put to work with the tokens that were had for the code."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections.abc import Mapping
from dataclasses import replace

from jose import jws
from jose.exceptions import JOSEError

from minato.auth.providers.oidc import OIDCProviders, at_hash_matches, is_meant_for
from minato.auth.providers.provider import Profile, ProviderError, ProviderTokens, make_profile
from minato.auth.providers.record import Known, Record
from minato.auth.providers.told import text
from minato.config.auth_external import ProviderSettings
from minato.tokens.errors import TokenError
from minato.tokens.keys import read_claims

_MICROSOFT = re.compile(r"https://(login[.]microsoftonline[.]com|[a-z0-9-]+[.]ciamlogin[.]com)/[^/]+/v2[.]0/?")
_WINDOWS = re.compile(r"https://sts[.]windows[.]net/[^/]+/?")
# These never sign a token themselves.
_SHARED = tuple(f"https://login.microsoftonline.com/{name}/v2.0" for name in ("common", "organizations"))


async def read_profile(
    oidc: OIDCProviders, record: Record, settings: ProviderSettings, tokens: ProviderTokens
) -> Profile:
    """The person, by ID token or by asking. Raises ProviderError."""
    if tokens.id_token and (record.only_id_token or record.discovers):
        return await _of_id_token(oidc, record, settings, tokens)
    if record.only_id_token:
        raise ProviderError("no ID token came")
    if record.comes_with_token:
        user, base = tokens.answer.get(record.comes_with_token), record.api_url(settings.url)
    elif record.discovers:
        assert record.id_token is not None, "who has a discovery document has an issuer"
        document = await oidc.discover(settings.url or record.id_token.issuer)
        base = record.id_token.issuer
        user = await oidc.web.get_json(document["userinfo_endpoint"], tokens.access_token)
    else:
        base = record.api_url(settings.url)
        user = await _ask(oidc, record, settings, tokens, base + record.userinfo)
    emails = await _ask(oidc, record, settings, tokens, base + record.emails) if record.emails else None
    if not isinstance(user, dict):
        raise ProviderError("userinfo is not an object")
    return profile_of(record.read(user, emails), base)


def profile_of(known: Known, issuer: str) -> Profile:
    """The profile of what a record's function read."""
    addresses, claims = known
    return make_profile(addresses, {"iss": issuer, "provider_id": claims.get("sub"), **claims})


def named(profile: Profile, user: str) -> Profile:
    """The profile with the name that the browser brought as JSON. Raises ProviderError."""
    try:
        told = json.loads(user)
    except ValueError as error:
        raise ProviderError("the browser's user is not JSON") from error
    name = f"{text(told, 'name', 'firstName')} {text(told, 'name', 'lastName')}".strip()
    return replace(profile, claims={**profile.claims, "name": name, "full_name": name} if name else profile.claims)


def unverified_issuer(token: str) -> str:
    """Whom an ID token names as its issuer, nothing else being known of it. Raises ProviderError."""
    try:
        return text(read_claims(jws.get_unverified_claims(token)), "iss")
    except (JOSEError, TokenError) as error:
        raise ProviderError(f"bad ID token: {error}") from error


def is_microsoft(issuer: str) -> bool:
    """Whether this is the issuer of one of Microsoft's tenants."""
    return bool(_MICROSOFT.fullmatch(issuer) or _WINDOWS.fullmatch(issuer))


def tenant_issuer(token: str, own: str) -> str:
    """The tenant of Microsoft's that `token` is of; the tenant of the settings where they name one.

    Raises ProviderError where it is somebody else's.
    """
    issuer, expected = unverified_issuer(token), f"{own.rstrip('/')}/v2.0"
    if _MICROSOFT.fullmatch(expected) and expected not in _SHARED:
        fits = issuer == expected
    else:
        fits = bool(_MICROSOFT.fullmatch(issuer)) or (bool(own) and issuer == own)
    if not fits:
        raise ProviderError(f"an ID token of {issuer!r}")
    return issuer


async def _of_id_token(
    oidc: OIDCProviders, record: Record, settings: ProviderSettings, tokens: ProviderTokens
) -> Profile:
    assert record.id_token is not None, "only records with ID tokens are read by them"
    own = settings.url or record.id_token.issuer
    issuer = tenant_issuer(tokens.id_token, settings.url) if record.id_token.tenants else own
    claims = await oidc.verify(tokens.id_token, issuer, also=record.id_token.also)
    if not is_meant_for(claims, settings.client_ids[:1]):
        raise ProviderError(f"an ID token for {claims.get('aud')!r}")
    if not at_hash_matches(claims, tokens.id_token, tokens.access_token):
        raise ProviderError("at_hash is of another access token")
    return profile_of(record.id_token.read(claims), text(claims, "iss"))


async def _ask(
    oidc: OIDCProviders, record: Record, settings: ProviderSettings, tokens: ProviderTokens, url: str
) -> object:
    if record.proves_secret:
        secret = settings.secret.get_secret_value().encode()
        proof = hmac.new(secret, tokens.access_token.encode(), hashlib.sha256).hexdigest()
        url = f"{url}&appsecret_proof={proof}"
    return await oidc.web.get_json(url, tokens.access_token, _headers(record, settings))


def _headers(record: Record, settings: ProviderSettings) -> Mapping[str, str]:
    return {name: value.format(client_id=settings.client_ids[0]) for name, value in record.headers.items()}
