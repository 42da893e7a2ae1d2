"""Keeps the schema cache fresh: loads it at start, again on `NOTIFY pgrst`, and when a miss shows that DDL happened."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from structlog.stdlib import BoundLogger

from minato.background import Supervisor, ended
from minato.config.rest import RestSettings
from minato.database.database import Database
from minato.database.engines import AUTHENTICATOR
from minato.database.outage import CONNECTION_ERRORS
from minato.database.wire.session import StatementError
from minato.rest.errors import RestError
from minato.rest.schema_cache.configuration import load_settings
from minato.rest.schema_cache.load import catalog_version, load_schema_cache
from minato.rest.schema_cache.model import SchemaCache
from minato.rest.sqlstate import RETRY_AFTER

LISTEN_RETRY = 2.0
RELOAD_CONFIG = "reload config"
RELOADS = ("", "reload schema", RELOAD_CONFIG)
# A session that ends, or is not to be had in time, and a catalog query that fails.
DATABASE_ERRORS = (*CONNECTION_ERRORS, StatementError)


class Learned(NamedTuple):
    """A catalog as it was read, and the settings that the database has."""

    settings: RestSettings
    cache: SchemaCache


@dataclass
class Loads:
    """How often the catalog was read, how often that failed, and how many seconds it took last."""

    succeeded: int = 0
    failed: int = 0
    seconds: float = 0.0


class SchemaCacheKeeper:
    """Holds the present cache and the settings in force; a reload replaces them whole and blocks no request.

    `reread` gives the settings below those of the database anew, where they are kept in a file. It may raise ValueError
    or OSError.
    """

    def __init__(
        self,
        database: Database,
        settings: RestSettings,
        supervisor: Supervisor,
        log: BoundLogger,
        reread: Callable[[], RestSettings] | None = None,
    ) -> None:
        self.loads = Loads()
        self._reread = reread or (lambda: settings)
        self._database = database
        self._patience = database.settings.pool_timeout
        self._given = settings
        self.settings = settings
        self._supervisor = supervisor
        self._log = log
        self._cache: SchemaCache | None = None
        self._lock = asyncio.Lock()
        self._listener: asyncio.Task[None] | None = None
        self._wanted = asyncio.Event()
        self._is_connected = False

    @property
    def is_ready(self) -> bool:
        """Whether the catalog is known and the connection that hears of its changes stands."""
        return self._cache is not None and self._is_connected

    @property
    def loaded(self) -> SchemaCache | None:
        """The cache, None until the first load."""
        return self._cache

    @property
    def current(self) -> SchemaCache:
        """The cache. Raises PGRST002 until the first load."""
        if self._cache is None:
            raise RestError(
                503, "PGRST002", "Could not query the database for the schema cache. Retrying.", headers=[RETRY_AFTER]
            )
        return self._cache

    async def start(self) -> None:
        await self.reload()
        self.listen()

    @property
    def learned(self) -> Learned | None:
        """What was read of the catalog; None until the first load."""
        return Learned(self.settings, self._cache) if self._cache is not None else None

    def adopt(self, learned: Learned) -> None:
        """Know what was read of a database that this one is a clone of: it has the same catalog."""
        self.settings, self._cache = learned

    def listen(self) -> None:
        """Hear of changes from now on; what has changed before is found out, too."""
        self._listener = self._supervisor.keep("hearing of schema changes", self._listen)

    async def stop(self) -> None:
        await ended(self._listener)

    async def reload(self) -> None:
        """Read the whole catalog again."""
        async with self._lock:
            await self._load()

    def ask_for_reload(self) -> None:
        """Reload soon, as a notification would."""
        self._wanted.set()

    def ask_for_configuration(self) -> None:
        """Reload soon, the settings too."""
        try:
            self._given = self._reread()
        except (ValueError, OSError) as error:
            self._log.warning("the configuration is kept, as its new text is not valid", error=str(error))
        self.ask_for_reload()

    async def refresh(self) -> bool:
        """Reload if the catalog changed since the last load; whether it had. Raises DATABASE_ERRORS."""
        before = self._cache.version if self._cache else None
        async with self._lock:
            # Whoever loaded meanwhile may have begun before the last change was committed.
            now = await catalog_version(self._database.sessions, self._patience)
            if self._cache and self._cache.version == now:
                return now != before
            await self._load()
            return True

    async def _load(self) -> None:
        sessions = self._database.sessions
        try:
            self.settings = await load_settings(sessions, self._given, self._patience)
        except ValueError as error:
            self._log.warning("settings in the database are not valid", error=str(error))
        began = asyncio.get_running_loop().time()
        try:
            self._cache = await load_schema_cache(sessions, self.settings, self._patience)
        except BaseException:
            self.loads.failed += 1
            raise
        self.loads.succeeded += 1
        if self._database.replica is not None:
            self._database.replica.renew()
        self.loads.seconds = asyncio.get_running_loop().time() - began

    async def _listen(self) -> None:
        """Reload on every notification, for as long as the room lives; a lost connection is opened again."""
        while True:
            try:
                await self._listen_once()
            except DATABASE_ERRORS as error:
                if not self._database.outage.lasts:
                    self._log.warning("schema cache listener lost its connection", error=str(error))
            except Exception:
                self._log.exception("schema cache listener failed")
            await asyncio.sleep(LISTEN_RETRY)

    async def _listen_once(self) -> None:
        listener = await self._database.listener(AUTHENTICATOR, "minato schema cache")
        try:
            if self.settings.db_channel_enabled:
                await listener.hear(self.settings.db_channel, self._notified)
            await self._database.announcements.come_by(listener)
            listener.when_lost(self._wanted.set)
            await self.refresh()
            self._is_connected = True
            while not listener.lost.is_set():
                await self._wanted.wait()
                self._wanted.clear()
                await self.reload()
        finally:
            self._is_connected = False
            listener.close()

    def _notified(self, process: int, payload: str) -> None:
        if payload == RELOAD_CONFIG:
            self.ask_for_configuration()
        elif payload in RELOADS:
            self.ask_for_reload()
