"""The ID token grant: what an app got from a provider itself, for a session or one more identity."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from minato.auth.authentication import require_user
from minato.auth.call import Answer, Call
from minato.auth.errors import AuthError, OAuthError, invalid
from minato.auth.external import custom_providers
from minato.auth.external.accounts import link_profile, sign_in_profile
from minato.auth.external.claims import GOOGLE, generic_profile, google_profile
from minato.auth.external.custom_providers import PREFIX
from minato.auth.external.oidc import at_hash_matches, audiences, is_meant_for
from minato.auth.external.provider import Profile, ProviderError
from minato.auth.sign_in import answer_session


@dataclass
class IdTokenGrantParams:
    id_token: str = ""
    access_token: str = ""
    nonce: str = ""
    provider: str = ""
    client_id: str = ""
    issuer: str = ""
    link_identity: bool = False


@dataclass(frozen=True)
class Issuer:
    """Whose tokens are accepted, for whom, and how they are read."""

    provider: str
    issuer: str
    client_ids: tuple[str, ...]
    read: Callable[[Mapping[str, Any]], Profile] = generic_profile
    discovery_url: str = ""
    skip_nonce_check: bool = False
    email_optional: bool = False


async def grant_id_token(call: Call) -> Answer:
    params = call.params(IdTokenGrantParams)
    if not params.id_token:
        raise _refused("id_token required")
    if not params.provider and not (params.client_id and params.issuer):
        raise _refused("provider or client_id and issuer required")
    if params.link_identity and not call.request.headers.get("authorization"):
        raise _refused("Linking requires a valid user access token in Authorization")
    target = (await require_user(call)).user if params.link_identity else None
    issuer = await _issuer(call, params)
    profile = await _verify(call, params, issuer)
    if target is not None:
        user = await link_profile(call, target, profile, issuer.provider)
    else:
        user = await sign_in_profile(call, profile, issuer.provider, issuer.email_optional)
    return await answer_session(call, user, "oauth")


async def _issuer(call: Call, params: IdTokenGrantParams) -> Issuer:
    external = call.settings.external
    google, keycloak = external["google"], external["keycloak"]
    if params.provider == "google" or params.issuer == (google.url or GOOGLE):
        found = Issuer("google", google.url or GOOGLE, google.client_ids, google_profile)
        settings = google
    elif params.provider == "keycloak" or (keycloak.enabled and keycloak.url and params.issuer == keycloak.url):
        found, settings = Issuer("keycloak", keycloak.url, keycloak.client_ids), keycloak
    elif params.provider.startswith(PREFIX):
        return await _custom(call, params.provider)
    elif params.issuer in call.settings.id_token_issuers:
        known = call.settings.id_token_client_ids
        # Who sends a token must not choose whom it is for.
        return Issuer(params.issuer, params.issuer, (params.client_id,) if {params.client_id, "*"} & known else ())
    else:
        raise invalid(f'Custom OIDC provider "{params.provider}" not allowed')
    if not settings.enabled:
        raise AuthError(400, "provider_disabled", f'Provider (issuer "{found.issuer}") is not enabled')
    flags = (settings.skip_nonce_check, settings.email_optional)
    return Issuer(found.provider, found.issuer, found.client_ids, found.read, "", *flags)


async def _custom(call: Call, name: str) -> Issuer:
    if not call.settings.custom_oauth_enabled:
        raise invalid("Custom OAuth providers are disabled")
    row = await custom_providers.find(call.db, name)
    if row is None:
        raise invalid(f'Custom provider "{name}" not found')
    if not row["enabled"]:
        raise AuthError(400, "provider_disabled", f'Custom provider "{name}" is disabled')
    if row["provider_type"] != "oidc":
        raise invalid(f'Provider "{name}" is not an OIDC provider')
    client_ids = (row["client_id"], *row["acceptable_client_ids"])
    return Issuer(
        name,
        row["issuer"],
        client_ids,
        discovery_url=row["discovery_url"] or "",
        skip_nonce_check=row["skip_nonce_check"],
        email_optional=row["email_optional"],
    )


async def _verify(call: Call, params: IdTokenGrantParams, issuer: Issuer) -> Profile:
    try:
        oidc = call.entered if issuer.provider.startswith(PREFIX) else call.oidc
        claims = await oidc.verify(params.id_token, issuer.issuer, issuer.discovery_url)
        profile = issuer.read(claims)
        if params.access_token and not at_hash_matches(claims, params.id_token, params.access_token):
            raise ProviderError("at_hash is of another access token")
    except ProviderError as error:
        call.backend.log.warning("ID token refused", issuer=issuer.issuer, reason=str(error))
        raise _refused("Bad ID token") from error
    if not profile.subject:
        raise _refused("Missing sub claim in id_token")
    if not is_meant_for(claims, issuer.client_ids):
        raise _refused(f"Unacceptable audience in id_token: [{' '.join(audiences(claims))}]")
    if not issuer.skip_nonce_check:
        _require_nonce(str(claims.get("nonce") or ""), params.nonce)
    return profile


def _require_nonce(expected: str, nonce: str) -> None:
    if bool(expected) != bool(nonce):
        raise _refused("Passed nonce and nonce in id_token should either both exist or not.")
    digest = hashlib.sha256(nonce.encode()).hexdigest()
    if expected and not hmac.compare_digest(digest.encode(), expected.encode()):
        raise OAuthError("invalid nonce", "Nonces mismatch")


def _refused(description: str) -> OAuthError:
    return OAuthError("invalid request", description)
