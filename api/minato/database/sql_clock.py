"""now() of a database whose time a developer moves: its own form of the catalogue's functions, which views, defaults,
policies and triggers call, whenever they were made.

`pg_proc` is each database's own, and a function of one SQL expression is put in place of its call when a statement is
planned. `current_timestamp` and the like are no calls and stay what they are.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from minato.database.database import Database

# The function, what it is when nobody moved it, and how volatile it is.
FUNCTIONS: Final = {"now": "stable", "statement_timestamp": "stable", "clock_timestamp": "volatile"}
_REAL: Final = "_minato_real_"
_MAY: Final = "select rolsuper from pg_catalog.pg_roles where rolname = current_user"


class SqlTimeUnavailable(Exception):
    """Why now() can't follow."""


class SqlClock:
    """The time of SQL in one database, where it is ours to the last: `mark` is a file that tells the next start of a
    time that was not put back, None where the database is somebody else's."""

    def __init__(self, database: Database, mark: Path | None) -> None:
        self._database = database
        self._mark = mark

    @property
    def is_on(self) -> bool:
        """Whether SQL follows the clock."""
        return self._mark is not None and self._mark.exists()

    async def is_available(self) -> bool:
        """Whether it could. Raises CONNECTION_ERRORS."""
        if self._mark is None:
            return False
        connection = await self._database.connect(self._database.admin_dsn)
        try:
            return bool(await connection.fetchval(_MAY))
        finally:
            await connection.close()

    async def require(self) -> None:
        """Raises SqlTimeUnavailable where it could not."""
        if not await self.is_available():
            raise SqlTimeUnavailable("now() follows only in the server's own PostgreSQL, with its superuser.")

    async def follow(self, time: datetime | timedelta) -> None:
        """Tell it a moment at which it stands, or how far it is ahead. Raises CONNECTION_ERRORS."""
        assert self._mark is not None
        self._mark.touch()
        await self._replace([_following(name, volatility, time) for name, volatility in FUNCTIONS.items()])

    async def restore(self) -> None:
        """Be the real one again, whether it was moved or not. Raises CONNECTION_ERRORS."""
        if not self.is_on:
            return
        assert self._mark is not None
        await self._replace([_own(name, name, volatility) for name, volatility in FUNCTIONS.items()])
        self._mark.unlink(missing_ok=True)

    async def _replace(self, functions: list[str]) -> None:
        real = [_own(_REAL + name, name, volatility) for name, volatility in FUNCTIONS.items()]
        connection = await self._database.connect(self._database.admin_dsn)
        try:
            async with connection.transaction():
                # Two of them at once would write the same row of the catalogue.
                await connection.execute("select pg_catalog.pg_advisory_xact_lock(7224117)")
                await connection.execute(";".join([*real, *functions]))
        finally:
            await connection.close()
        # What was planned before keeps the time it was planned with.
        self._database.begin_sessions_anew()


def _own(name: str, original: str, volatility: str) -> str:
    """The function as the catalogue has it. In C `now()` and `transaction_timestamp()` are the same one."""
    return f"""create or replace function pg_catalog.{name}() returns timestamptz language internal {volatility}
        parallel safe strict as '{original}'"""


def _following(name: str, volatility: str, time: datetime | timedelta) -> str:
    if isinstance(time, datetime):
        told = f"timestamptz '{time.isoformat()}'"
    else:
        told = f"pg_catalog.{_REAL}{name}() + interval '{time.total_seconds():.6f} s'"
    return f"""create or replace function pg_catalog.{name}() returns timestamptz language sql {volatility}
        parallel safe as $$ select {told} $$"""
