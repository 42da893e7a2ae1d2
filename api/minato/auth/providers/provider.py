"""What a provider is, and what it tells about the person who signed in there."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from minato.json_text import JsonMapping


class ProviderError(Exception):
    """The provider could not be reached, or what it sent cannot be trusted. The reason is for the log."""


class BadStatus(ProviderError):
    """An answer other than success."""

    def __init__(self, url: str, status: int) -> None:
        super().__init__(f"{url} answered {status}")
        self.status = status


class IncompleteDiscovery(ProviderError):
    """A discovery document without what a sign-in needs; `missing` are the fields."""

    def __init__(self, missing: list[str]) -> None:
        super().__init__(f"fields are missing: {', '.join(missing)}")
        self.missing = missing


@dataclass(frozen=True)
class Address:
    """An email address as the provider knows it."""

    email: str
    verified: bool
    primary: bool


@dataclass(frozen=True)
class Profile:
    """A person at the provider; `claims` become the identity's data, `sub` is who they are there."""

    addresses: tuple[Address, ...]
    claims: JsonMapping

    @property
    def subject(self) -> str:
        return str(self.claims.get("sub", ""))


@dataclass(frozen=True)
class ProviderTokens:
    """What the provider gave for the code."""

    access_token: str = field(repr=False)
    refresh_token: str = field(default="", repr=False)
    id_token: str = field(default="", repr=False)
    answer: Mapping[str, object] = field(default_factory=dict)
    """All that the token endpoint said."""


class SignedWay(Protocol):
    """The way there and back where no code is traded, but a token for a token."""

    async def begin(self, callback: str) -> str: ...

    async def exchange(self, token: str, verifier: str) -> ProviderTokens: ...


@dataclass(frozen=True)
class Provider:
    """Where to send people, where to trade their code, and how to read who they are."""

    name: str
    client_id: str
    secret: str = field(repr=False)
    redirect_uri: str
    authorize_url: str
    token_url: str
    scopes: tuple[str, ...]
    read: Callable[[ProviderTokens], Awaitable[Profile]]
    issuer: str = ""
    secret_in_header: bool | None = False
    pkce: bool = False
    email_optional: bool = False
    params: Mapping[str, str] = field(default_factory=dict)
    browser_tells_name: bool = False
    oauth1: SignedWay | None = None


def make_profile(addresses: list[Address], claims: Mapping[str, object]) -> Profile:
    """A profile whose claims carry the primary address (else the last one) and say whether it is verified."""
    chosen = next((one for one in addresses if one.primary), addresses[-1] if addresses else None)
    known = {name: value for name, value in claims.items() if value}
    known |= {"email_verified": bool(chosen and chosen.verified), "phone_verified": bool(claims.get("phone_verified"))}
    if chosen:
        known["email"] = chosen.email.lower()
    return Profile(tuple(addresses), known)
