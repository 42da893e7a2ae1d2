"""One branch while it lives: its requests under way, whether it is awake, and its end.

It is awake from a request on until it had none for some seconds: only then it has sessions, hears of its schema and
does its jobs. A socket is a request for as long as it is open.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Literal

import orjson

from minato.database.outage import CONNECTION_ERRORS
from minato.database.wire.session import StatementError
from minato.host.errors import BranchError
from minato.host.holding import Gate
from minato.host.own import AS_MAIN, Own
from minato.host.rota import Rota
from minato.http.asgi import JSON, Header, Message, Receive, Scope, Send, send_response
from minato.main import Application

IDLE_SECONDS = 5.0
# Requests that were refused, and sockets that were told, have so long to end.
FAREWELL_SECONDS = 3.0
SHARED: Header = (b"access-control-allow-origin", b"*")
Kind = Literal["request", "call", "socket"]
"""What is under way; a `call` is a developer's."""
DROPPED = {"code": "branch_dropped", "message": "The branch was dropped while it answered this request."}


@dataclass(eq=False)
class Branch:
    """A backend at `/b/<id>`. `created_at` and what expires are real time, whatever its clock says; `ttl` is seconds
    from the last request on, 0 for ever. `database` and the files are dropped by whoever made them."""

    id: str
    application: Application
    database: str
    db_url: str = field(repr=False)
    source: str
    label: str
    ttl: float
    created_at: datetime
    used_at: datetime
    milliseconds: int = 0
    requests: int = 0
    rota: Rota = field(kw_only=True, repr=False)
    own: Own = AS_MAIN

    def __post_init__(self) -> None:
        self._under_way: dict[asyncio.Task[None], Kind] = {}
        self._waking = asyncio.Lock()
        self._is_awake = False
        self._is_ending = False
        self._gate = Gate()

    @property
    def expires_at(self) -> datetime | None:
        """When it goes unless it is used before."""
        return self.used_at + timedelta(seconds=self.ttl) if self.ttl else None

    def has_expired(self, now: datetime) -> bool:
        """Whether its time is over."""
        return not self._under_way and self.expires_at is not None and now >= self.expires_at

    @property
    def is_awake(self) -> bool:
        """Whether it may have sessions, and does its jobs."""
        return self._is_awake

    @property
    def is_idle(self) -> bool:
        """Whether it is awake for nobody, and neither held still nor waking or falling asleep."""
        is_busy = self._under_way or self._gate.is_shut or self._waking.locked()
        return self._is_awake and not is_busy

    @property
    def is_cut_off(self) -> bool:
        """Whether its database did not answer last time."""
        return self.application.backend.database.outage.lasts

    async def serve(self, scope: Scope, receive: Receive, send: Send, now: datetime) -> None:
        """One request or socket; when the branch is dropped meanwhile it is answered with 503, or closed."""
        task = asyncio.current_task()
        assert task is not None
        began = False

        async def noting(message: Message) -> None:
            nonlocal began
            began = True
            await send(message)

        if self._gate.is_shut:
            await self._gate.passed()
        self._under_way[task] = _kind(scope)
        self.used_at, self.requests = now, self.requests + 1
        try:
            if not self._is_awake:
                await self._wake()
            self.rota.asked(self)
            await self.application(scope, receive, noting)
        except asyncio.CancelledError:
            if not self._is_ending:
                raise
            task.uncancel()
            if not began and scope["type"] == "http":
                await send_response(send, 503, [JSON, SHARED], orjson.dumps(DROPPED))
        finally:
            del self._under_way[task]
            self.rota.rested()

    def touch(self, now: datetime) -> None:
        """Count its time from now on, as a socket does that is still open."""
        if self._under_way:
            self.used_at = now

    async def doze_if_idle(self, now: datetime) -> None:
        """Let go of its sessions when nobody has asked for a while."""
        idle = timedelta(seconds=IDLE_SECONDS)
        if self.is_idle and now - self.used_at >= idle:
            await self.doze()

    @asynccontextmanager
    async def held(self) -> AsyncIterator[None]:
        """Hold it still until the block ends. Raises BranchError when its requests take too long."""
        async with self._gate.holding(self._answers, self.doze, self._wake_for_sockets):
            yield

    async def doze(self) -> None:
        """Let go of its sessions; the next request wakes it."""
        async with self._waking:
            self._is_awake = False
            try:
                await self.application.doze()
            finally:
                self.rota.left(self)

    async def _wake_for_sockets(self) -> None:
        if self._under_way:
            # Where others took its place meanwhile, the next request wakes it.
            with suppress(BranchError):
                await self._wake()

    def _answers(self) -> bool:
        """Whether somebody would see it stand still, or something may be written yet. A developer's calls may go on for
        as long as somebody watches or waits: of them only what they do in the database counts."""
        return "request" in self._under_way.values() or self.application.backend.database.in_use > 0

    async def end(self) -> None:
        """Refuse what is under way, close sockets, end the backend; twice is fine."""
        self._is_ending = True
        requests = [task for task, kind in self._under_way.items() if kind != "socket"]
        await _cancelled(requests)
        try:
            await self.application.stop()
            if self._under_way:
                await asyncio.wait(self._under_way, timeout=FAREWELL_SECONDS)
            await _cancelled(list(self._under_way))
        finally:
            self.rota.left(self)

    async def _wake(self) -> None:
        async with self._waking:
            if not self._is_awake and not self._is_ending:
                await self.rota.admit(self)
                try:
                    await self.application.wake()
                    self._is_awake = True
                except (*CONNECTION_ERRORS, StatementError) as error:
                    # The rooms say so, each in its own words; the next request tries again.
                    self.application.backend.log.warning("a branch could not wake", error=type(error).__name__)
                finally:
                    if not self._is_awake:
                        self.rota.left(self)


def _kind(scope: Scope) -> Kind:
    if scope["type"] == "websocket":
        return "socket"
    below: str = scope["path"].removeprefix(scope.get("root_path", ""))
    return "call" if below.startswith("/_dev/") else "request"


async def _cancelled(tasks: Sequence[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    if tasks:
        await asyncio.wait(tasks, timeout=FAREWELL_SECONDS)
