"""Which providers there are: those of the settings, and those an administrator added under `custom:`."""

from __future__ import annotations

from pydantic import SecretStr

from minato.auth.external import custom_providers
from minato.auth.external.custom_providers import PREFIX
from minato.auth.providers.exchange import OAuth1
from minato.auth.providers.provider import Profile, Provider, ProviderError, ProviderTokens
from minato.auth.providers.reading import read_profile
from minato.auth.providers.record import Record
from minato.auth.providers.records import BY_NAME
from minato.auth.request.context import RequestContext
from minato.auth.request.data import RequestData
from minato.config.auth_external import FAKE, ProviderSettings, fake_url


async def find_provider(context: RequestContext, name: str, scopes: str = "") -> Provider:
    """The provider called `name`. Raises ProviderError with the words of GoTrue."""
    name = name.lower()
    if name.startswith(PREFIX):
        return await _custom(context, name, scopes)
    record = BY_NAME.get(name)
    if record is None:
        raise ProviderError(f"Provider {name} could not be found")
    settings = provider_settings(context, name)
    if settings is None or not settings.enabled:
        raise ProviderError("provider is not enabled")
    if not settings.client_ids:
        raise ProviderError("missing OAuth client ID")
    if not settings.secret.get_secret_value():
        raise ProviderError("missing OAuth secret")
    return await _known(context, record, settings, tuple(part for part in scopes.split(",") if part))


def provider_settings(data: RequestData, name: str) -> ProviderSettings | None:
    """What is set of a provider; in development one whose client id says so is this server's own."""
    settings = data.settings.external.get(name)
    if settings is None or not data.backend.development or settings.client_ids[:1] != (FAKE,):
        return settings
    secret = settings.secret if settings.secret.get_secret_value() else SecretStr(FAKE)
    return settings.model_copy(update={"url": fake_url(data.backend.public_url, name), "secret": secret})


def callback_url(data: RequestData) -> str:
    """Where providers send users back unless their settings say otherwise."""
    return f"{data.backend.public_url}/auth/v1/callback"


async def _custom(context: RequestContext, name: str, scopes: str) -> Provider:
    if not context.settings.custom_oauth_enabled:
        raise ProviderError("custom OAuth providers are disabled")
    async with context.read() as tx:
        custom = await custom_providers.find(tx.db, name)
    if custom is None:
        raise ProviderError(f"custom provider {name} not found")
    if not custom.enabled:
        raise ProviderError(f"custom provider {name} is disabled")
    return await custom_providers.to_provider(
        custom, context.services.entered, callback_url(context), scopes, context.backend.sealing_key
    )


async def _known(
    context: RequestContext, record: Record, settings: ProviderSettings, scopes: tuple[str, ...]
) -> Provider:
    async def read(tokens: ProviderTokens) -> Profile:
        return await read_profile(context.services.oidc, record, settings, tokens)

    return Provider(
        record.name,
        settings.client_ids[0],
        settings.secret.get_secret_value(),
        settings.redirect_uri or callback_url(context),
        *await _urls(context, record, settings.url),
        (*record.scopes.split(), *scopes),
        read,
        secret_in_header=record.secret_in_header,
        pkce=record.pkce,
        email_optional=settings.email_optional,
        params=record.params,
        browser_tells_name=record.browser_tells_name,
        oauth1=_signed_way(context, record, settings),
    )


def _signed_way(context: RequestContext, record: Record, settings: ProviderSettings) -> OAuth1 | None:
    if not record.request_token:
        return None
    keys = (settings.client_ids[0], settings.secret.get_secret_value())
    urls = (record.url(given, settings.url) for given in (record.request_token, record.token, record.api))
    return OAuth1(context.services.oidc.web, context.backend.clock, context.backend.entropy, *keys, *urls)


async def _urls(context: RequestContext, record: Record, own: str) -> tuple[str, str]:
    """Where people are sent, and where the code is traded."""
    if record.discovers:
        assert record.id_token is not None, "who has a discovery document has an issuer"
        document = await context.services.oidc.discover(own or record.id_token.issuer)
        return document["authorization_endpoint"], document["token_endpoint"]
    if not own and record.authorize.startswith(" "):
        raise ProviderError(f"unable to find URL for the {record.name.capitalize()} provider")
    return record.url(record.authorize, own), record.url(record.token, own)
