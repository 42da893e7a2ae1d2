"""One request on its way through this room: what came, who asks, the transaction, and what the room offers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncConnection

from api.auth.body import Body, parse_body
from api.auth.passwords import Passwords
from api.auth.redirects import Redirects
from api.auth.user import User
from api.backend import Backend
from api.config.auth import AuthSettings
from api.tokens.caller import Claims


@dataclass(frozen=True)
class Services:
    """What every endpoint may use; one per room."""

    backend: Backend
    settings: AuthSettings
    passwords: Passwords
    redirects: Redirects
    issuer: str

    @property
    def external_url(self) -> str:
        """What mails call this service."""
        return self.settings.api_external_url or self.issuer


@dataclass
class Call:
    """`query` holds the first value of each parameter. `user`, `claims`, `session_id` are set by the guard."""

    services: Services
    method: str
    headers: Mapping[str, str]
    query: Mapping[str, str]
    parameters: Mapping[str, str]
    raw_body: bytes
    client_ip: str
    db: AsyncConnection
    claims: Claims = field(default_factory=dict)
    user_or_none: User | None = None
    session_id: UUID | None = None

    @property
    def settings(self) -> AuthSettings:
        return self.services.settings

    @property
    def user(self) -> User:
        """Who asks; only behind the user guard."""
        assert self.user_or_none is not None, "this route needs the user guard"
        return self.user_or_none

    @property
    def now(self) -> datetime:
        return self.services.backend.clock.now()

    def new_id(self) -> UUID:
        return self.services.backend.entropy.uuid4()

    def body(self, struct: str, *, optional: bool = False) -> Body:
        """The JSON body; `struct` is the name Go's error texts give it."""
        return parse_body(self.raw_body, struct, optional=optional)

    @property
    def audience(self) -> str:
        """Which users this request is about."""
        return self.headers.get("x-jwt-aud") or self.settings.jwt_aud

    @property
    def redirect_to(self) -> str:
        """Where links of this request may lead; see `Redirects`."""
        wished = self.headers.get("redirect_to") or self.query.get("redirect_to")
        return self.services.redirects.choose(wished, self.headers.get("referer"))


@dataclass(frozen=True)
class Answer:
    """What an endpoint gives back. `document` None means no body."""

    status: int = 200
    document: Any = None
    headers: tuple[tuple[str, str], ...] = ()

    @staticmethod
    def redirect(url: str, status: int = 303) -> Answer:
        """Send the browser elsewhere."""
        return Answer(status, None, (("location", url),))
