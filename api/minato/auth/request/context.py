"""The two phases of a request: what hashes, calls others or waits for them, and what happens in a transaction.

    RequestData            settings, headers, body, clock: of both phases
    ├─ RequestContext      hashing, HTTP, providers, mail; opens the transactions, one at a time
    └─ ReadTransaction     rows, READ ONLY
       └─ Transaction      rows, and what is sent once they are committed

A function says by its parameter in which phase it runs. A connection is held for as long as a transaction is open and
no longer, so nothing that waits for a processor or for another server can be reached from there.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from dataclasses import dataclass, field, replace
from functools import cached_property, wraps
from typing import Protocol, TypeVar
from uuid import UUID

from starlette.requests import Request

from minato.auth.providers.oidc import OIDCProviders
from minato.auth.request.data import RequestData
from minato.auth.request.passwords import Passwords
from minato.auth.request.rate_limits import RateLimits
from minato.auth.rows import audit_log, factors, identities, users
from minato.auth.rows.reading import only
from minato.auth.rows.tables import Writer
from minato.auth.rows.users import User
from minato.auth.wire.errors import AuthError, LostRace, over_request_rate
from minato.auth.wire.user_json import user_json
from minato.backend import Backend
from minato.config.auth_hooks import HookPoint
from minato.database.wire.transaction import ServiceSessions, ServiceTransaction
from minato.http.client_address import subscriber
from minato.json_text import JsonObject

T = TypeVar("T")
ROLE = "supabase_auth_admin"
# Connections that hooks find, whoever waits for them.
LEFT_TO_HOOKS = 2


class WebHooks(Protocol):
    """How hooks on the web are called."""

    async def post(self, point: HookPoint, payload: bytes) -> bytes | None:
        """The JSON that the hook answers `payload` with; None for a 204."""


class Services:
    """What all requests of the room share: whatever makes one wait.

    `oidc` are the providers of the settings, `entered` those that administrators add, which are called with more care.
    """

    def __init__(
        self,
        backend: Backend,
        passwords: Passwords,
        limits: RateLimits,
        oidc: OIDCProviders,
        entered: OIDCProviders,
        web_hooks: WebHooks,
    ) -> None:
        self.backend = backend
        self.passwords = passwords
        self.limits = limits
        self.oidc = oidc
        self.entered = entered
        self.web_hooks = web_hooks
        self._turns = _turns(backend)

    def turn(self, http: Request) -> AbstractAsyncContextManager[object]:
        """What a transaction waits for before it begins, where a hook on the web may be called within it: the hook may
        be a function that asks auth back, and must find a connection. What it asks has no turns."""
        if self._turns is None or http.scope["path"].startswith(("/admin/", "/user")):
            return nullcontext()
        return self._turns

    @cached_property
    def sessions(self) -> ServiceSessions:
        return self.backend.database.service(ROLE)


@dataclass(eq=False)
class ReadTransaction(RequestData):
    """A transaction that reads: for what must be known before a password is hashed or another server is asked.

    What it read may have changed when the next transaction begins: what that relies on, it reads again.
    """

    db: ServiceTransaction

    async def user_json(self, user: User, last: bool = False) -> JsonObject:
        """The account as it is now, with its identities and factors. The `last` thing of a transaction is committed in
        the same flush. Raises LostRace where the account is gone."""
        asked = [users.by_id(user.id), identities.of(user.id), factors.of(user.id)]
        now, owned, enrolled = await self.db.ask(*asked, commit=last)
        shown = only(users.read_users(now))
        if shown is None:
            raise LostRace
        return user_json(shown, identities.read_identities(owned), factors.read_factors(enrolled))


@dataclass(eq=False)
class Transaction(ReadTransaction):
    """A transaction that writes. `deliveries` and `after_commit` wait in it until it is committed.

    `opened` are the accounts that it makes, `turns` those whose turn it has (`messages/limits.py`). `web_hooks` is the
    one way out while it is open: for the hooks that GoTrue, too, calls within its transaction, because their refusal
    must leave nothing behind.
    """

    web_hooks: WebHooks
    deliveries: list[Delivery] = field(default_factory=list)
    after_commit: list[Callable[[RequestContext], Awaitable[object]]] = field(default_factory=list)
    opened: set[UUID] = field(default_factory=set)
    turns: set[UUID] = field(default_factory=set)

    @cached_property
    def writer(self) -> Writer:
        """What rows are written with, where they keep the moment or need an id."""
        return Writer(self.db, self.now, self.backend.entropy)

    async def record(self, user: User, action: str, /, **traits: object) -> None:
        """Write to the audit log what `user` did."""
        await self.record_by(audit_log.acting(user), action, **traits)

    async def record_by(self, actor: audit_log.Actor, action: str, /, **traits: object) -> None:
        """Write to the audit log what `actor` did."""
        if self.settings.audit_log_disable_postgres:
            return
        audit_log.record(self.db, self.backend.entropy.uuid4(), actor, action, self.now, self.ip, traits)


@dataclass(frozen=True)
class Delivery:
    """One message: `send` may refuse, and `take_back` then undoes what the request wrote for it."""

    send: Callable[[RequestContext], Awaitable[None]]
    take_back: Callable[[ServiceTransaction], Awaitable[None]]


@dataclass(eq=False)
class RequestContext(RequestData):
    """The request outside of any transaction. `committed` are the transactions whose messages are still to be sent."""

    _services: Services
    committed: list[Transaction] = field(default_factory=list)
    _is_open: bool = False

    def again(self) -> RequestContext:
        """The same request from its beginning, with nothing done yet."""
        return replace(self, now=self.backend.clock.now(), committed=[])

    @property
    def services(self) -> Services:
        """What makes the request wait, which it must not do while it holds a connection."""
        assert not self._is_open, "a transaction is open: hash and call out before it, or after it"
        return self._services

    @asynccontextmanager
    async def read(self) -> AsyncIterator[ReadTransaction]:
        """A short transaction that only reads."""
        async with self._connected(read_only=True) as db:
            yield ReadTransaction(self.backend, self.http, self.body, self.quotas, self.now, db)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Transaction]:
        """A transaction: committed at its end, and by a refusal that leaves a mark; rolled back by any other.

        Most requests have one. Another before it is a step of its own that stays, whatever becomes of the request.
        """
        hooks = self.services.web_hooks
        async with self.services.turn(self.http), self._connected(read_only=False) as db:
            tx = Transaction(self.backend, self.http, self.body, self.quotas, self.now, db, hooks)
            try:
                yield tx
            except AuthError as error:
                if error.commits:
                    await self._commit(tx)
                raise
            await self._commit(tx)

    async def _commit(self, tx: Transaction) -> None:
        await tx.db.commit()
        self.committed.append(tx)

    @asynccontextmanager
    async def _connected(self, read_only: bool) -> AsyncIterator[ServiceTransaction]:
        sessions = self.services.sessions
        self._is_open = True
        try:
            async with sessions.transaction(read_only) as db:
                yield db
        finally:
            self._is_open = False

    async def hash_password(self, password: str) -> str:
        return await self.services.passwords.hash(password, subscriber(self.ip))

    async def unguessable_password(self) -> str:
        """The hash of an account opened without a password: made once, so it costs nothing to have it ready."""
        return await self.services.passwords.unguessable(self.backend.entropy, subscriber(self.ip))

    async def verify_password(self, password: str, hashed: str | None) -> bool:
        return await self.services.passwords.verify(password, hashed, subscriber(self.ip))

    @cached_property
    def counted_as(self) -> str | None:
        """What the request's haste is counted by; None for who is not limited."""
        return self.services.limits.counted_as(self.http.scope)

    async def require_rate(self, name: str) -> None:
        """Refuse with 429 who did `name` too often."""
        if self.counted_as is None:
            return
        wait = await self.services.limits.wait(name, self.counted_as)
        if wait:
            raise over_request_rate(wait)


def _turns(backend: Backend) -> asyncio.Semaphore | None:
    within = (backend.settings.auth.hook(name) for name in ("custom_access_token", "mfa_verification_attempt"))
    if not any(point is not None and point.function is None for point in within):
        return None
    return asyncio.Semaphore(max(1, backend.database.settings.service_pool_size - LEFT_TO_HOOKS))


def in_transaction(work: Callable[[Transaction], Awaitable[T]]) -> Callable[[RequestContext], Awaitable[T]]:
    """`work`, which waits for nothing but rows, in a transaction of its own."""

    @wraps(work)
    async def carry_out(context: RequestContext) -> T:
        async with context.transaction() as tx:
            return await work(tx)

    return carry_out


def read_only(work: Callable[[ReadTransaction], Awaitable[T]]) -> Callable[[RequestContext], Awaitable[T]]:
    """`work`, which waits for nothing but rows and changes none."""

    @wraps(work)
    async def carry_out(context: RequestContext) -> T:
        async with context.read() as tx:
            return await work(tx)

    return carry_out
