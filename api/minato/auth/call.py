"""One request to the auth room: what came, who is asking, the transaction it runs in, and how it is answered."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from typing import Any, TypeVar
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncConnection
from starlette.requests import Request

from minato.auth import audit_log, factors, identities
from minato.auth.body import parse_params
from minato.auth.deliveries import Delivery
from minato.auth.external.oidc import OIDCProviders
from minato.auth.json_format import render_json
from minato.auth.passwords import Passwords
from minato.auth.rate_limits import RateLimits
from minato.auth.redirects import as_header, is_allowed
from minato.auth.user_json import user_json
from minato.auth.users import User
from minato.backend import Backend
from minato.config.auth import AuthSettings
from minato.http.client_address import UNKNOWN, client_address, parse_address, subscriber

P = TypeVar("P")
ROLE = "supabase_auth_admin"


@dataclass(frozen=True)
class Answer:
    """What goes back: a JSON value, nothing at all, or bytes of the type that `headers` tell.

    `later` is work of the request that its answer does not wait for.
    """

    body: Any = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    later: Callable[[Call], Awaitable[Answer]] | None = None

    def __post_init__(self) -> None:
        # Here, because once the request is committed it is too late to find that a header cannot be sent.
        if "Location" in self.headers:
            location = as_header(self.headers["Location"])
            object.__setattr__(self, "headers", {**self.headers, "Location": location})

    def encoded(self) -> bytes:
        if isinstance(self.body, bytes):
            return self.body
        return b"" if self.body is None else render_json(self.body)


@dataclass
class Call:
    """`db` is inside the request's one transaction, which the edge commits; then it sends the `deliveries`.

    `opened` are the accounts that this request makes, `afterwards` what is told to others when all of it is done.
    `oidc` are the providers of the settings, `entered` those that administrators add, which are called with more care.
    """

    backend: Backend
    passwords: Passwords
    limits: RateLimits
    request: Request
    body: bytes
    oidc: OIDCProviders
    entered: OIDCProviders
    deliveries: list[Delivery] = field(default_factory=list)
    opened: set[UUID] = field(default_factory=set)
    afterwards: list[Callable[[], Awaitable[Any]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.db = self.connect()

    def again(self) -> Call:
        """The same request from its beginning, with nothing done yet."""
        return replace(self, deliveries=[], opened=set(), afterwards=[])

    def connect(self) -> AsyncConnection:
        """A connection of this room, taken from the pool when it is started."""
        return self.backend.database.engine(ROLE).connect()

    @asynccontextmanager
    async def without_connection(self) -> AsyncIterator[None]:
        """Gives the connection back while something slow runs that needs none; commits what was written so far."""
        await self.db.commit()
        await self.db.close()
        try:
            yield
        finally:
            self.db = await self.connect().start()

    async def undo(self) -> None:
        """Drop what this request wrote and was about to send, where it is answered all the same."""
        await self.db.rollback()
        self.opened.clear()
        self.deliveries.clear()
        self.afterwards.clear()

    async def hash_password(self, password: str) -> str:
        """`Passwords.hash`, before anything is written."""
        async with self.without_connection():
            return await self.passwords.hash(password, subscriber(self.ip))

    async def unguessable_password(self) -> str:
        """The hash of an account opened without a password, before anything is written."""
        async with self.without_connection():
            return await self.passwords.unguessable(self.backend.entropy, subscriber(self.ip))

    async def verify_password(self, password: str, hashed: str | None) -> bool:
        """`Passwords.verify`, before anything is written."""
        async with self.without_connection():
            return await self.passwords.verify(password, hashed, subscriber(self.ip))

    @property
    def settings(self) -> AuthSettings:
        return self.backend.settings.auth

    @cached_property
    def now(self) -> datetime:
        """The moment of this request."""
        return self.backend.clock.now()

    @cached_property
    def query(self) -> Mapping[str, str]:
        """The query; of a name given twice the first value, as Go has it."""
        return dict(reversed(self.request.query_params.multi_items()))

    def params(self, kind: type[P]) -> P:
        """The JSON body as `kind`."""
        return parse_params(kind, self.body)

    @property
    def audience(self) -> str:
        return self.request.headers.get("x-jwt-aud") or self.settings.jwt_aud

    @property
    def user_agent(self) -> str:
        return self.request.headers.get("user-agent", "")

    @cached_property
    def ip(self) -> str:
        """Where the request comes from: the peer, or whom a trusted proxy names."""
        address = parse_address(client_address(self.request.scope))
        return str(address or UNKNOWN)

    @cached_property
    def counted_as(self) -> str | None:
        """What the request's haste is counted by; None for who is not limited."""
        return self.limits.counted_as(self.request.scope)

    @property
    def site_url(self) -> str:
        return (self.settings.site_url or self.backend.public_url).rstrip("/")

    @property
    def issuer(self) -> str:
        return self.settings.jwt_issuer or f"{self.backend.public_url}/auth/v1"

    @cached_property
    def redirect_to(self) -> str:
        """Where the link of a mail or a redirect leads: what was asked if allowed, the referer if allowed, the site."""
        headers = self.request.headers
        asked = headers.get("redirect_to") or self.query.get("redirect_to", "")
        for target in (asked, headers.get("referer", "")):
            if target and is_allowed(target, self.site_url, self.settings.allowed_redirects):
                return target
        return self.settings.site_url or self.backend.public_url

    async def user_json(self, user: User) -> dict[str, Any]:
        """The account with its identities and factors."""
        return user_json(user, await identities.of_user(self.db, user.id), await factors.of_user(self.db, user.id))

    async def record(self, user: User, action: str, /, **traits: Any) -> None:
        """Write to the audit log what `user` did."""
        await self.record_by(audit_log.acting(user), action, **traits)

    async def record_by(self, actor: audit_log.Actor, action: str, /, **traits: Any) -> None:
        """Write to the audit log what `actor` did."""
        if self.settings.audit_log_disable_postgres:
            return
        await audit_log.record(self.db, self.backend.entropy.uuid4(), actor, action, self.now, self.ip, traits)
