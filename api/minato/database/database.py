"""The connections of one backend: sessions for what callers ask, engines for what our services do, listeners."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, Final, Protocol

import asyncpg
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlalchemy.pool import QueuePool

from minato.config.database import DatabaseSettings
from minato.database.address import DatabaseAddress, login_at
from minato.database.announcements import Announcements
from minato.database.engines import (
    CATALOGUE_ALONE,
    OWNER,
    DatabaseUnreachable,
    Era,
    IdleSessions,
    open_engine,
    service_login,
)
from minato.database.forgetful import require_forgetful
from minato.database.listener import Listener
from minato.database.outage import CONNECTION_ERRORS, Outage
from minato.database.replica.position import UNKNOWN
from minato.database.replica.replica import Replica
from minato.database.replica.written import EVERYBODY
from minato.database.silence import OF_SERVER, notice_silence
from minato.database.wire.causes import Causes
from minato.database.wire.cleaning import OF_CALLERS, OF_POOLER, OF_SERVICES
from minato.database.wire.pool import SessionPool
from minato.database.wire.session import Command, Session
from minato.database.wire.spool import Spool
from minato.database.wire.transaction import ServiceSessions
from minato.database.wire.turns import turns_at

# Until it is asked again whether PostgreSQL has a session left.
PAUSE_SECONDS: Final = 0.05
# Between two looks at whether sessions are still in use: they ring no bell when they are given back.
LOOK_SECONDS: Final = 0.01
# Who listens, or holds a lock for as long as it lives, says nothing for long, and must not be taken for alive when it
# is not. Set, not asked for at the login: a pooler would refuse that.
_LISTENS_ON: Final = ";".join(
    f"set {name} = {value}" for name, value in {"idle_session_timeout": "0", **OF_SERVER}.items()
)


class StandbyInPlace(ConnectionError):
    """Nothing can be written there, and what is read may be old."""


class FailingDoor(Protocol):
    """What goes wrong on purpose where somebody asks for a session; in production there is none."""

    async def passed(self) -> Command | None:
        """A statement that is to fail before any other. Raises CONNECTION_ERRORS and TimeoutError."""
        ...

    def look(self) -> None:
        """The same where a connection is shared. Raises OSError and TimeoutError."""
        ...


class Database:
    """Everything that talks to PostgreSQL goes through here.

    `sessions` log in as `authenticator`, which can do nothing but become one of the API's roles for a transaction.
    `announcements` are what it tells beside, `causes` whose transactions changed rows. `processors` are those of this
    machine. `replica` may take reads. Where sessions are `pooled`, each transaction may be another one's of
    PostgreSQL's. One `of_many` waits where PostgreSQL has no session left just now.
    """

    def __init__(
        self,
        address: DatabaseAddress,
        settings: DatabaseSettings,
        processors: int,
        outage: Outage | None = None,
        replica: Replica | None = None,
        door: FailingDoor | None = None,
        of_many: bool = False,
    ) -> None:
        self._of_many = of_many
        self._had_primary = False
        # How often PostgreSQL had none left.
        self.short = 0
        self._door = door
        passed = None if door is None else door.passed
        self.address = address
        self.replica = replica
        self._after = self.wrote if replica is not None else None
        self.settings = settings
        self.pooled = settings.direct_url is not None and settings.database_url is not None
        self.outage = outage or Outage()
        self.announcements = Announcements()
        self.causes = Causes()
        self._sessions = SessionPool(
            self._connect_session,
            settings.pool_size,
            settings.pool_max_lifetime,
            settings.pool_max_idletime,
            settings.reads_at_once or turns_at(address.authenticator, settings.pool_size, processors),
            settings.sessions_per_caller,
            passed,
        )
        self._spool = Spool(settings.spool_bytes, settings.spool_after)
        self._engines: dict[str, AsyncEngine] = {}
        self._idle: dict[str, IdleSessions] = {}
        self._era = Era()
        self._may_open = asyncio.Event()
        self._may_open.set()
        self._kept_waiting = 0
        self._services: dict[str, ServiceSessions] = {}

    @property
    def admin_dsn(self) -> str:
        """The owner's connection string, for replication and migrations."""
        return self.address.admin

    @property
    def sessions(self) -> SessionPool:
        """The sessions of `authenticator` that run a whole transaction in one flush."""
        return self._sessions

    async def open(self) -> None:
        """Open the first session; fails at once when the database can't be reached."""
        async with self._sessions.lent(self.settings.pool_timeout) as session:
            if self.pooled:
                await require_forgetful(session)

    @property
    def in_use(self) -> int:
        """Sessions that somebody uses just now."""
        lent = [self._sessions.in_use, *(service.pool.in_use for service in self._services.values())]
        pools = [engine.sync_engine.pool for engine in self._engines.values()]
        taken = sum(lent) + sum(pool.checkedout() for pool in pools if isinstance(pool, QueuePool))
        return taken - self._kept_waiting

    @asynccontextmanager
    async def left_alone(self, within: float) -> AsyncIterator[None]:
        """No session of a pool is open until the block ends: those in use are waited for, and whoever needs a new one
        waits, be it a request or what is done now and then. Raises TimeoutError after `within` seconds."""
        self._may_open.clear()
        self.begin_sessions_anew()
        try:
            async with asyncio.timeout(within):
                while self.in_use:  # noqa: ASYNC110 - see LOOK_SECONDS
                    await asyncio.sleep(LOOK_SECONDS)
            await self.rest()
            yield
        finally:
            self._may_open.set()

    async def rest(self) -> None:
        """Close what nobody uses just now; whoever asks later gets new connections."""
        for idle in list(self._idle.values()):
            await idle.close()
        for service in self._services.values():
            service.pool.rest()
        self._sessions.rest()

    async def close(self) -> None:
        """Close every connection; requests under way lose theirs."""
        for engine in self._engines.values():
            await engine.dispose()
        self._engines.clear()
        self._idle.clear()
        for service in self._services.values():
            await service.pool.close()
        self._services.clear()
        if self.replica is not None:
            await self.replica.close()
        await self._sessions.close()

    def begin_sessions_anew(self) -> None:
        """Let no request use a session that is open now; those in use end when they are given back."""
        for pool in (self._sessions, *(service.pool for service in self._services.values())):
            pool.begin_anew()
        self._era.number += 1

    def engine(self, role: str) -> AsyncEngine:
        """The engine whose sessions are `role`: a service role, OWNER, or `authenticator` for work as the caller.
        Raises what using it raises where that goes wrong on purpose."""
        if self._door is not None:
            self._look_at(self._door)
        if role not in self._engines:
            self._engines[role] = engine = self._open_engine(role)
            self._idle[role] = IdleSessions(engine)
        return self._engines[role]

    def service(self, role: str) -> ServiceSessions:
        """The sessions of a service role that run a transaction in as few flushes as it has questions."""
        if role not in self._services:
            size, idle = self.settings.service_pool_size, self.settings.pool_max_idletime
            passed = None if self._door is None else self._door.passed
            pool = SessionPool(
                lambda: self._connect_service(role), size, self.settings.pool_max_lifetime, idle, door=passed
            )
            self._services[role] = ServiceSessions(pool, self.settings.pool_timeout, self._after, self.causes)
        return self._services[role]

    def _look_at(self, door: FailingDoor) -> None:
        try:
            door.look()
        except TimeoutError as error:
            raise PoolTimeout("no connection was free in time") from error
        except OSError as error:
            raise DatabaseUnreachable(str(error)) from error

    def _open_engine(self, role: str) -> AsyncEngine:
        return open_engine(role, self.address, self.settings, self._connect_for_pool, self._after, self._era)

    async def wrote(self, surely: bool = True) -> None:
        """A service committed: who is told of it finds it at the replica, too, an account with what triggers made.
        What was written only perhaps may still be on its way, so everybody reads from the primary for a while."""
        if self.replica is None:
            return
        if surely:
            await self.replica.note(EVERYBODY, self._sessions, self.settings.pool_timeout)
        else:
            await self.replica.written.note(EVERYBODY, UNKNOWN)

    async def connect(self, dsn: str, **options: Any) -> asyncpg.Connection:
        """A new connection; whether there can be one is what an outage is told by."""
        answers, outages = self.outage.answers, self.outage.number
        try:
            connection = self._of_primary(await self._connected(dsn, options))
        except CONNECTION_ERRORS as error:
            # A role that may not be taken is the operator's to mend; PostgreSQL does answer.
            if not isinstance(error, asyncpg.InsufficientPrivilegeError):
                self.outage.begin(error, answers)
            raise
        if self.outage.number != outages:
            # The last of a PostgreSQL that has died since: a process of its outlives the one that accepts connections.
            connection.terminate()
            return await self.connect(dsn, **options)
        self.outage.end()
        return connection

    async def _connected(self, dsn: str, options: Mapping[str, object]) -> asyncpg.Connection:
        ends = asyncio.get_running_loop().time() + (self.settings.pool_timeout if self._of_many else 0)
        while True:
            try:
                return notice_silence(await asyncpg.connect(dsn, **options))
            except asyncpg.TooManyConnectionsError:
                self.short += 1
                if asyncio.get_running_loop().time() >= ends:
                    raise
            await asyncio.sleep(PAUSE_SECONDS)

    def _of_primary(self, connection: asyncpg.Connection) -> asyncpg.Connection:
        """The same, unless a standby has come in the primary's place. Raises StandbyInPlace.

        A session would stay there, behind an address that leads to the new primary long since, and find that nothing
        can be written. Where there never was a primary, a standby is what somebody wants to serve.
        """
        if getattr(connection.get_settings(), "in_hot_standby", "off") != "on":
            self._had_primary = True
        elif self._had_primary:
            connection.terminate()
            raise StandbyInPlace("a standby is in the primary's place")
        return connection

    async def _connect_for_pool(self, dsn: str, **options: Any) -> asyncpg.Connection:
        if not self._may_open.is_set():
            self._kept_waiting += 1
            try:
                await self._may_open.wait()
            finally:
                self._kept_waiting -= 1
        return await self.connect(dsn, **options)

    async def listener(self, login: str, name: str) -> Listener:
        """A connection that hears, of `login` (OWNER or AUTHENTICATOR) and known as `name`. The caller closes it."""
        url, own = (self.address.admin, CATALOGUE_ALONE) if login == OWNER else (self.address.authenticator, {})
        listener = Listener(await self.connect(url, server_settings={"application_name": name, **own}))
        try:
            await listener.execute(_LISTENS_ON)
        except BaseException:
            # Whoever gives up as well: nobody else knows of the connection.
            listener.close()
            raise
        return listener

    async def _connect_session(self) -> Session:
        url, settings = self.address.authenticator, self.settings
        if self.pooled and settings.database_url is not None:
            url = login_at(settings.database_url.get_secret_value(), url)
        connection = await self._connect_for_pool(url, server_settings={"application_name": "minato"})
        # A pooler that knows no prepared statements would mix those of its clients up, so it must be said of one.
        is_sure = not self.pooled or "prepared_statements" in settings.model_fields_set
        prepares = settings.prepared_statements and is_sure
        cleaning = OF_POOLER if self.pooled else OF_CALLERS
        return Session(connection, prepares, self._spool, settings.largest_row, cleaning)

    async def _connect_service(self, role: str) -> Session:
        url, told = service_login(role, self.address)
        connection = await self._connect_for_pool(url, server_settings={**told, "datestyle": "ISO"})
        return Session(connection, self.settings.prepared_statements, self._spool, cleaning=OF_SERVICES)
