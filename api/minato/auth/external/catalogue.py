"""Which providers there are: those of the settings, and those an administrator added under `custom:`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from minato.auth.call import Call
from minato.auth.external import custom_providers
from minato.auth.external.claims import (
    GOOGLE,
    github_profile,
    gitlab_profile,
    google_profile,
    keycloak_profile,
)
from minato.auth.external.custom_providers import PREFIX
from minato.auth.external.oidc import is_meant_for
from minato.auth.external.provider import Profile, Provider, ProviderError, ProviderTokens
from minato.config.auth_external import ProviderSettings

# known by name to GoTrue, but never enabled here
UNAVAILABLE = frozenset(
    "apple azure bitbucket discord facebook figma fly kakao linkedin linkedin_oidc notion slack slack_oidc snapchat "
    "spotify twitch twitter vercel_marketplace workos x zoom".split()
)
Read = Callable[[ProviderTokens], Awaitable[Profile]]


async def find_provider(call: Call, name: str, scopes: str = "") -> Provider:
    """The provider called `name`. Raises ProviderError with the words of GoTrue."""
    name = name.lower()
    if name.startswith(PREFIX):
        return await _custom(call, name, scopes)
    settings = call.settings.external.get(name)
    if settings is None and name not in UNAVAILABLE:
        raise ProviderError(f"Provider {name} could not be found")
    if settings is None or not settings.enabled:
        raise ProviderError("provider is not enabled")
    if not settings.client_ids:
        raise ProviderError("missing OAuth client ID")
    if not settings.secret.get_secret_value():
        raise ProviderError("missing OAuth secret")
    return await _BUILDERS[name](call, settings, tuple(part for part in scopes.split(",") if part))


def callback_url(call: Call) -> str:
    """Where providers send users back unless their settings say otherwise."""
    return f"{call.backend.public_url}/auth/v1/callback"


async def _custom(call: Call, name: str, scopes: str) -> Provider:
    if not call.settings.custom_oauth_enabled:
        raise ProviderError("custom OAuth providers are disabled")
    row = await custom_providers.find(call.db, name)
    if row is None:
        raise ProviderError(f"custom provider {name} not found")
    if not row["enabled"]:
        raise ProviderError(f"custom provider {name} is disabled")
    return await custom_providers.to_provider(row, call.entered, callback_url(call), scopes, call.backend.sealing_key)


def _provider(
    call: Call, name: str, settings: ProviderSettings, urls: tuple[str, str], scopes: tuple[str, ...], read: Read
) -> Provider:
    return Provider(
        name,
        settings.client_ids[0],
        settings.secret.get_secret_value(),
        settings.redirect_uri or callback_url(call),
        *urls,
        scopes,
        read,
        email_optional=settings.email_optional,
    )


async def _google(call: Call, settings: ProviderSettings, scopes: tuple[str, ...]) -> Provider:
    issuer = settings.url or GOOGLE
    document = await call.oidc.discover(issuer)

    async def read(tokens: ProviderTokens) -> Profile:
        if not tokens.id_token:
            return google_profile(await call.oidc.web.get_json(document["userinfo_endpoint"], tokens.access_token))
        claims = await call.oidc.verify(tokens.id_token, issuer)
        if not is_meant_for(claims, settings.client_ids[:1]):
            raise ProviderError(f"an ID token for {claims.get('aud')!r}")
        return google_profile(claims)

    urls = (document["authorization_endpoint"], document["token_endpoint"])
    return _provider(call, "google", settings, urls, ("email", "profile", *scopes), read)


async def _github(call: Call, settings: ProviderSettings, scopes: tuple[str, ...]) -> Provider:
    host = settings.url.rstrip("/") or "https://github.com"
    api = f"{host}/api/v3" if settings.url else "https://api.github.com"

    async def read(tokens: ProviderTokens) -> Profile:
        user = await call.oidc.web.get_json(f"{api}/user", tokens.access_token)
        emails = await call.oidc.web.get_json(f"{api}/user/emails", tokens.access_token)
        return github_profile(api, user, emails)

    urls = (f"{host}/login/oauth/authorize", f"{host}/login/oauth/access_token")
    return _provider(call, "github", settings, urls, ("user:email", *scopes), read)


async def _gitlab(call: Call, settings: ProviderSettings, scopes: tuple[str, ...]) -> Provider:
    host = settings.url.rstrip("/") or "https://gitlab.com"

    async def read(tokens: ProviderTokens) -> Profile:
        user = await call.oidc.web.get_json(f"{host}/api/v4/user", tokens.access_token)
        emails = await call.oidc.web.get_json(f"{host}/api/v4/user/emails", tokens.access_token)
        return gitlab_profile(host, user, emails)

    urls = (f"{host}/oauth/authorize", f"{host}/oauth/token")
    return _provider(call, "gitlab", settings, urls, ("read_user", *scopes), read)


async def _keycloak(call: Call, settings: ProviderSettings, scopes: tuple[str, ...]) -> Provider:
    host = settings.url.rstrip("/")
    if not host:
        raise ProviderError("unable to find URL for the Keycloak provider")
    base = f"{host}/protocol/openid-connect"

    async def read(tokens: ProviderTokens) -> Profile:
        return keycloak_profile(host, await call.oidc.web.get_json(f"{base}/userinfo", tokens.access_token))

    return _provider(call, "keycloak", settings, (f"{base}/auth", f"{base}/token"), ("profile", "email", *scopes), read)


_BUILDERS = {"google": _google, "github": _github, "gitlab": _gitlab, "keycloak": _keycloak}
