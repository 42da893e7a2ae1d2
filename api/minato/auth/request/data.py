"""What came with one request, and what it is answered with that makes it wait for nobody."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Protocol, TypeVar

from starlette.datastructures import Headers
from starlette.requests import Request
from structlog.stdlib import BoundLogger

from minato.auth.request.rate_limits import MessageQuotas
from minato.auth.wire.body import parse_params, without_nul
from minato.auth.wire.redirects import is_allowed
from minato.clock import Clock
from minato.config import Settings
from minato.config.auth import AuthSettings
from minato.entropy import Entropy
from minato.http.client_address import UNKNOWN, client_address, parse_address
from minato.one_time_codes import OneTimeCodes
from minato.tokens.keys import KeySet

P = TypeVar("P")


class LocalBackend(Protocol):
    """What of the backend answers at once, and so may be used while a transaction is open."""

    settings: Settings
    public_url: str
    clock: Clock
    entropy: Entropy
    codes: OneTimeCodes
    keys: KeySet
    sealing_key: str
    log: BoundLogger

    @property
    def development(self) -> bool: ...


@dataclass(eq=False)
class RequestData:
    """The request itself, the settings, and `now`, the one moment at which all of it happens."""

    backend: LocalBackend
    http: Request
    body: bytes
    quotas: MessageQuotas
    now: datetime

    @property
    def settings(self) -> AuthSettings:
        return self.backend.settings.auth

    @property
    def headers(self) -> Headers:
        return self.http.headers

    @property
    def path_params(self) -> Mapping[str, str]:
        """What the placeholders of the route's path stand for; without NUL, which PostgreSQL keeps in no text."""
        return {name: without_nul(value) for name, value in self.http.path_params.items()}

    @cached_property
    def query(self) -> Mapping[str, str]:
        """The query; of a name given twice the first value, as Go has it."""
        return dict(reversed(self.http.query_params.multi_items()))

    def params(self, kind: type[P]) -> P:
        """The JSON body as `kind`."""
        return parse_params(kind, self.body)

    @property
    def audience(self) -> str:
        return self.headers.get("x-jwt-aud") or self.settings.jwt_aud

    @property
    def user_agent(self) -> str:
        return self.headers.get("user-agent", "")

    @cached_property
    def ip(self) -> str:
        """Where the request comes from: the peer, or whom a trusted proxy names."""
        address = parse_address(client_address(self.http.scope))
        return str(address or UNKNOWN)

    @property
    def site_url(self) -> str:
        return (self.settings.site_url or self.backend.public_url).rstrip("/")

    @property
    def issuer(self) -> str:
        return self.settings.jwt_issuer or f"{self.backend.public_url}/auth/v1"

    @cached_property
    def redirect_to(self) -> str:
        """Where the link of a mail or a redirect leads: what was asked if allowed, the referer if allowed, the site."""
        asked = self.headers.get("redirect_to") or self.query.get("redirect_to", "")
        for target in (asked, self.headers.get("referer", "")):
            if target and is_allowed(target, self.site_url, self.settings.allowed_redirects):
                return target
        return self.settings.site_url or self.backend.public_url
