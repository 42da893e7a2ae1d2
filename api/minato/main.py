"""The way in: settings and a database address become one ASGI application.

Order matters at both ends: the database opens before the rooms start and closes after they stopped.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack

from minato.at_work import Observed, Part
from minato.auth.app import create_auth
from minato.backend import Asked, Backend, Dozing, Hampered, Measured, Prepared, Renewable, Room, Whys
from minato.background import within
from minato.config import Settings
from minato.database.replica.metrics import ReplicaCollector
from minato.database.sql_clock import SqlClock
from minato.faults.requests import FaultyRoom
from minato.functions.app import create_functions
from minato.gateway import Gateway, not_implemented, switched_off
from minato.http.asgi import ASGIApp, Receive, Scope, Send
from minato.jobs.extensions import Extensions
from minato.jobs.jobs import Jobs
from minato.journal.requests import Journaled
from minato.log_lines import FLUSH_SECONDS
from minato.observation import Observer
from minato.readiness import Readiness
from minato.realtime.app import create_realtime
from minato.rest.app import create_rest
from minato.site import create_site
from minato.storage.app import create_storage

# More than any part takes that waits for somebody (see `background.ENDING_SECONDS`).
PART_SECONDS = 15.0


class Application:
    """One backend as an ASGI app: lifespan, http and websocket."""

    def __init__(self, backend: Backend) -> None:
        self.backend = backend
        self.data_api = data_api = create_rest(backend)
        auth, realtime, storage = create_auth(backend), create_realtime(backend), create_storage(backend)
        self._realtime = realtime
        self.rooms: dict[str, Room] = {
            "/rest/v1": data_api,
            "/auth/v1": auth,
            "/realtime/v1": realtime,
            "/storage/v1": storage,
            "/functions/v1": create_functions(backend),
        }
        whys: Whys = {"rest": data_api.why, "storage": storage.why, "realtime": realtime.why}
        self.jobs = Jobs(backend)
        self.extensions = Extensions(backend)
        self._started, self._awake = AsyncExitStack(), AsyncExitStack()
        self._observer = observer = Observer(backend)
        for room in self.rooms.values():
            if isinstance(room, Measured):
                observer.watch(room.collector)
        if backend.database.replica is not None:
            observer.watch(ReplicaCollector(backend.database.replica))
        served = {
            **{prefix: self._app_of(prefix, room) for prefix, room in self.rooms.items()},
            "/graphql/v1": not_implemented("GraphQL", "graphql_not_implemented"),
        }
        off = [*backend.settings.server.services_off, *([] if backend.settings.functions.enabled else ["functions"])]
        served |= {f"/{service}/v1": switched_off() for service in off}
        readiness = Readiness(backend.database, self._knows_schema, self._hampered)
        asked = Asked(whys, self.extensions.cron, auth.create_people, self._parts(), auth.samples, data_api.plan, self)
        site = create_site(backend, observer, readiness, served["/rest/v1"], asked)
        self._gateway = gateway = Gateway(backend, served, site, observer)
        self._served = Journaled(gateway, backend.journal, served) if backend.journal.on else gateway

    def _app_of(self, prefix: str, room: Room) -> ASGIApp:
        """The room, whose requests may go wrong where a developer wants them to."""
        name = prefix.strip("/").partition("/")[0]
        backend = self.backend
        return FaultyRoom(name, room.app, backend.faults, backend.at_work.requests) if backend.development else room.app

    def _parts(self) -> Sequence[Part]:
        """What goes on behind answers, in the order in which one thing leads to another."""
        observed: list[Observed] = [self.jobs, self.extensions]
        observed += [room for room in self.rooms.values() if isinstance(room, Observed)]
        parts = [*self.backend.at_work, *(part for each in observed for part in each.parts)]
        # What nothing follows from is waited for last.
        return sorted(parts, key=lambda part: not part.leads_on)

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        return self._lifespan(receive, send) if scope["type"] == "lifespan" else self._served(scope, receive, send)

    async def start(self) -> None:
        """Open the database and start every room. When one can't, what had started is stopped again."""
        async with AsyncExitStack() as undo:
            undo.push_async_callback(self._end, "database", self.backend.database.close)
            undo.push_async_callback(self._end, "background work", self.backend.supervisor.close)
            undo.push_async_callback(self._end, "limits", self.backend.buckets.close)
            undo.push_async_callback(self._end, "outgoing requests", self.backend.outgoing.close)
            undo.push_async_callback(self._end, "outgoing requests", self.backend.public_outgoing.close)
            if self.backend.branch is None:
                await self.backend.database.open()
            await SqlClock(self.backend.database, self.backend.sql_clock_mark).restore()
            self._observer.start()
            for name, work in self.backend.beside.items():
                self.backend.supervisor.keep(name, work)
            for prefix, room in self.rooms.items():
                # First, because a room may have begun something before it fails.
                undo.push_async_callback(self._end, prefix, room.stop)
                await room.start()
            if self.backend.branch is not None:
                undo.push_async_callback(self._end, "what was awake", self.doze)
            elif not self.backend.is_worker:
                undo.push_async_callback(self._awake.aclose)
                await self._begin_work()
            self._started = undo.pop_all()

    async def wake(self) -> None:
        """Begin what a branch does beside requests only while it is used, or main after a doze. Raises
        CONNECTION_ERRORS."""
        for room in self.rooms.values():
            if isinstance(room, Dozing):
                await room.wake()
        await self._begin_work()

    async def doze(self) -> None:
        """End it again, and every session that nobody uses just now."""
        await self._awake.aclose()
        for room in self.rooms.values():
            if isinstance(room, Dozing):
                await room.doze()
        await self.backend.database.rest()

    async def _begin_work(self) -> None:
        undo = self._awake
        undo.push_async_callback(self._end, "jobs", self.jobs.stop)
        await self.jobs.start()
        undo.push_async_callback(self._end, "extensions", self.extensions.stop)
        await self.extensions.start()

    async def stop(self) -> None:
        """Stop the jobs and the rooms, last started first, and close the database; twice is fine."""
        await self._started.aclose()
        await asyncio.to_thread(self.backend.log_lines.flush, FLUSH_SECONDS)

    def renew(self, settings: Settings) -> None:
        """Tell the rooms that heed them the settings as they are now."""
        for room in self.rooms.values():
            if isinstance(room, Renewable):
                room.renew(settings)

    def close_sockets(self) -> None:
        """Let every socket begin anew: what it knows is of another database."""
        self._realtime.close_sockets()

    def _knows_schema(self) -> bool:
        return all(room.is_ready for room in self.rooms.values() if isinstance(room, Prepared))

    def _hampered(self) -> list[str]:
        told = [room.hampered() for room in self.rooms.values() if isinstance(room, Hampered)]
        return [sentence for sentence in told if sentence is not None]

    async def _end(self, name: str, stop: Callable[[], Awaitable[None]]) -> None:
        """Stop one part; what it raises, or waits for, must not keep the others from being stopped."""
        try:
            if not await within(PART_SECONDS, stop):
                self.backend.log.error("stopping took too long", part=name)
        except Exception:
            self.backend.log.exception("stopping failed", part=name)

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        await receive()
        try:
            await self.start()
        except Exception as error:
            self.backend.log.exception("start failed")
            await send({"type": "lifespan.startup.failed", "message": str(error)})
            return
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await self.stop()
        await send({"type": "lifespan.shutdown.complete"})


def create_app(backend: Backend) -> Application:
    """The application that serves `backend`."""
    return Application(backend)
