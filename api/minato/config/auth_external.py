"""Settings of signing in through others: OAuth and OIDC providers, ID tokens, wallets, single sign-on.

Every provider has the same seven settings, `GOTRUE_EXTERNAL_<PROVIDER>_*`.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from functools import cached_property
from typing import Self

from pydantic import Field, SecretStr, field_validator
from pydantic_settings import SettingsConfigDict

from minato.config.base import RoomSettings, Seconds

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
# Those of `minato.auth.providers.records`: a house test keeps them equal.
PROVIDERS = (
    *("apple", "azure", "bitbucket", "discord", "facebook", "figma", "fly", "github", "gitlab", "google", "kakao"),
    *("keycloak", "linkedin", "linkedin_oidc", "notion", "slack", "slack_oidc", "snapchat", "spotify", "twitch"),
    *("twitter", "vercel_marketplace", "workos", "x", "zoom"),
)
_PREFIX = "GOTRUE_EXTERNAL_"
# A provider with this client id is a developer's own, below `/_dev/idp`.
FAKE = "minato"


class ProviderSettings(RoomSettings):
    """One provider that users sign in through."""

    enabled: bool = Field(False, description="Sign-in through {provider}.")
    client_id: str = Field("", description="Client ids at {provider}, comma-separated; the first one signs in.")
    secret: SecretStr = Field(SecretStr(""), description="Client secret at {provider}.")
    redirect_uri: str = Field(
        "", description="Where {provider} sends users back; default <public URL>/auth/v1/callback."
    )
    url: str = Field("", description="Base URL of one's own {provider}, and its issuer where it has ID tokens.")
    email_optional: bool = Field(False, description="Accept accounts of {provider} without an address.")
    skip_nonce_check: bool = Field(False, description="Accept ID tokens of {provider} whatever their nonce.")

    @property
    def client_ids(self) -> tuple[str, ...]:
        return tuple(part.strip() for part in self.client_id.split(",") if part.strip())


def fake_url(public_url: str, provider: str) -> str:
    """Where the developer's own provider is.

    >>> fake_url("http://127.0.0.1:54321", "google")
    'http://127.0.0.1:54321/_dev/idp/google'
    """
    return f"{public_url}/_dev/idp/{provider}"


def parse_networks(text: str) -> tuple[Network, ...]:
    """Comma-separated networks in CIDR notation. Raises ValueError."""
    return tuple(ipaddress.ip_network(part.strip()) for part in text.split(",") if part.strip())


def read_providers(variables: Mapping[str, str]) -> Mapping[str, ProviderSettings]:
    """The settings of every provider; those that nothing is said about share theirs."""
    given = {name.upper(): value for name, value in variables.items() if name.upper().startswith(_PREFIX)}
    unset = ProviderSettings()
    own = {name: _below(f"{_PREFIX}{name.upper()}_", given) for name in PROVIDERS}
    return {name: ProviderSettings.of(below) if below else unset for name, below in own.items()}


def _below(prefix: str, given: Mapping[str, str]) -> Mapping[str, str]:
    return {name.removeprefix(prefix): value for name, value in given.items() if name.startswith(prefix)}


class ExternalSettings(RoomSettings):
    """`GOTRUE_EXTERNAL_*`, `GOTRUE_CUSTOM_OAUTH_*`, `GOTRUE_SAML_*`."""

    model_config = SettingsConfigDict(env_prefix="GOTRUE_", extra="ignore", frozen=True)

    external: Mapping[str, ProviderSettings] = Field(
        default_factory=lambda: read_providers({}), description="The providers, each by seven settings of its own."
    )
    external_redirect_url: str = Field("", description="Where every sign-in through others ends, whatever was asked.")
    external_allowed_id_token_issuers: str = Field(
        "", description="Issuers whose ID tokens sign in with client_id and issuer instead of a provider."
    )
    external_allowed_id_token_client_ids: str = Field(
        "", description="Whom the tokens of those issuers may be for, comma-separated; * for anybody, as in GoTrue."
    )
    external_link_unverified_emails: bool = Field(
        False, description="With autoconfirm, an address a provider merely claims opens its account, as in GoTrue."
    )
    external_ios_bundle_id: str = Field("", description="An iOS app that apple's ID tokens may be for, too.")
    external_flow_state_expiry_duration: Seconds = Field(
        300, ge=300, description="Seconds a sign-in through others may take, and its PKCE code is good for."
    )
    custom_oauth_enabled: bool = Field(True, description="Administrators may add OAuth and OIDC providers.")
    custom_oauth_max_providers: int = Field(0, ge=0, description="How many of them; 0 for any number.")
    external_private_networks: str = Field(
        "",
        description="Private networks, as 10.1.0.0/16, that added providers and SAML metadata may be on in production, "
        "comma-separated.",
    )
    external_web3_solana_enabled: bool = Field(False, description="Sign-in with a Solana wallet.")
    external_web3_solana_maximum_validity_duration: Seconds = Field(
        600, ge=1, description="Seconds a signed Solana message is good for."
    )
    external_web3_ethereum_enabled: bool = Field(False, description="Sign-in with an Ethereum wallet.")
    external_web3_ethereum_maximum_validity_duration: Seconds = Field(
        600, ge=1, description="Seconds a signed Ethereum message is good for."
    )
    saml_enabled: bool = Field(False, description="Single sign-on by SAML 2.0; needs the extra `saml`.")
    saml_private_key: SecretStr = Field(SecretStr(""), description="RSA key of SAML requests: PKCS#1 DER in base64.")
    saml_relay_state_validity_period: Seconds = Field(120, ge=1, description="Seconds a SAML sign-in may take.")

    @classmethod
    def of(cls, variables: Mapping[str, str]) -> Self:
        """Settings from these variables, those of the providers among them."""
        return cls.given(variables, external=read_providers(variables))

    @field_validator("external_private_networks")
    @classmethod
    def _are_networks(cls, text: str) -> str:
        parse_networks(text)
        return text

    @cached_property
    def private_networks(self) -> tuple[Network, ...]:
        """The networks of `external_private_networks`."""
        return parse_networks(self.external_private_networks)

    @property
    def id_token_client_ids(self) -> frozenset[str]:
        """The client ids of `external_allowed_id_token_client_ids`."""
        given = self.external_allowed_id_token_client_ids.split(",")
        return frozenset(part.strip() for part in given if part.strip())

    @property
    def id_token_issuers(self) -> frozenset[str]:
        """The issuers of `external_allowed_id_token_issuers`."""
        given = self.external_allowed_id_token_issuers.split(",")
        return frozenset(part.strip() for part in given if part.strip())
