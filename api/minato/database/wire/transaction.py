"""One service's transaction over the wire: what is only written waits until an answer is asked for, or the commit.

Each flush is one write and one wait for PostgreSQL. BEGIN goes out with the first, COMMIT with the last.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from typing import NamedTuple

import asyncpg
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.sql.elements import ClauseElement

from minato.database.engines import DatabaseUnreachable
from minato.database.outage import CONNECTION_ERRORS
from minato.database.wire.causes import OWN_ID, Causes
from minato.database.wire.composing import NONE, Composed, Composer, Result
from minato.database.wire.messages import Row
from minato.database.wire.pool import SessionPool
from minato.database.wire.session import Command, ConnectionLost, Session, StatementError

BEGIN, COMMIT = Command("begin"), Command("commit")
# A flush that reads is a transaction of its own, in which PostgreSQL itself refuses what would write. No name is looked
# for in schemas where others may create: so no code of theirs runs, and the session has nothing to forget.
READ_ONLY = Command("select set_config('transaction_read_only','on',true),set_config('search_path','',true)")
SAVEPOINT, RELEASE, UNDO = Command("savepoint nested"), Command("release nested"), Command("rollback to nested")


Name = Callable[[Exception], Exception]
"""What stands for an error of a statement: the error's name to whoever asked."""


class Sent(NamedTuple):
    """A statement, and what its failure is called; None for its own words."""

    command: Command
    name: Name | None


class DriverError(Exception):
    """What PostgreSQL reported, as drivers under SQLAlchemy tell it; asyncpg's error with all fields is the cause."""

    def __init__(self, error: StatementError) -> None:
        cause = asyncpg.PostgresError.new(error.fields)
        super().__init__(f"{type(cause)}: {error}")
        self.sqlstate = error.sqlstate
        self.__cause__ = cause


class ServiceTransaction:
    """Statements of one service. `write` waits for nothing; `ask` and `execute` flush what waits and bring rows.

    They raise DBAPIError, IntegrityError among them, and DatabaseUnreachable.
    """

    def __init__(
        self,
        session: Session,
        composer: Composer,
        read_only: bool,
        count: Callable[[], None] = lambda: None,
        causes: Causes | None = None,
    ) -> None:
        self._count = count
        self._causes = causes
        self._session = session
        self._composer = composer
        self._read_only = read_only
        self._waiting: list[Sent] = []
        self._name: Name | None = None
        self._begun = False
        self.busy = False
        self.committed = False
        # Whether it may have been committed although nobody was told.
        self.in_doubt = False
        self._dropped = False

    def write(self, statement: ClauseElement | Command, given: Mapping[str, object] = NONE) -> None:
        """Send `statement` with the next flush. That flush raises what becomes of it."""
        command = statement if isinstance(statement, Command) else self._composer.compose(statement, given).command
        self._waiting.append(Sent(command, self._name))

    @contextmanager
    def naming(self, name: Name) -> Iterator[None]:
        """Statements of the block fail as `name` says, whichever flush they leave with."""
        before, self._name = self._name, name
        try:
            yield
        finally:
            self._name = before

    def drop(self) -> None:
        """There is nothing to commit: what was done is undone when the block ends, and nobody waits for that."""
        self._waiting.clear()
        self._dropped = True

    async def ask(self, *commands: Command, commit: bool = False) -> list[list[Row]]:
        """The rows of each of `commands`; with `commit` it ends with this flush."""
        before = len(self._waiting)
        sent = [*self._waiting, *(Sent(command, self._name) for command in commands)]
        self._waiting.clear()
        rows = await (self._flush_last(sent) if commit else self._flush(sent, commit=False))
        return rows[before:]

    async def execute(self, statement: ClauseElement, given: Mapping[str, object] = NONE) -> Result:
        """What `statement`, composed by SQLAlchemy, gives."""
        composed: Composed = self._composer.compose(statement, given)
        rows = (await self.ask(composed.command))[-1]
        return Result(composed, rows, self._session.tags[-1])

    async def commit(self) -> None:
        """Make it stay. Nothing may follow."""
        if self._dropped:
            return
        if not self.committed and (self._begun or self._waiting):
            await self.ask(commit=True)
        self.committed = True

    @asynccontextmanager
    async def begin_nested(self) -> AsyncIterator[None]:
        """What fails in the block is undone, and nothing else."""
        await self.ask(SAVEPOINT)
        try:
            yield
            await self.ask(RELEASE)
        except DBAPIError:
            await self.ask(UNDO)
            raise

    def close(self) -> None:
        """Undo what was not committed, and let the session forget what triggers left in it; nobody waits for it."""
        if self._session.closed or not self._begun:
            return
        if self.committed:
            self._session.reset()
        else:
            self._session.roll_back()

    async def _flush_last(self, sent: list[Sent]) -> list[list[Row]]:
        """The rows of each of `sent`, committed; what they changed is known by the request at work here."""
        causes = self._causes
        if causes is None or not causes.on or self._read_only:
            return await self._flush(sent, commit=True)
        with causes.write() as write:
            *rows, own = await self._flush([*sent, Sent(OWN_ID, None)], commit=True)
            write.told(own)
            return rows

    async def _flush(self, sent: list[Sent], commit: bool) -> list[list[Row]]:
        """The rows of each of `sent`."""
        first = [READ_ONLY] if self._read_only else [] if self._begun else [BEGIN]
        last = [COMMIT] if commit else []
        self._begun = not self._read_only
        self.busy = True
        self.in_doubt = commit and not self._read_only
        self._count()
        try:
            results = await self._session.run([*first, *(one.command for one in sent), *last], reset=False)
        except StatementError as error:
            self.busy = False
            self.in_doubt = self.in_doubt and (error.is_farewell or self._session.closed)
            told, name = self._told(error), _name(sent, error.position - len(first))
            if name is None or not isinstance(told, DBAPIError):
                raise told from error
            raise name(told) from told
        except ConnectionLost as error:
            self.busy = False
            raise DatabaseUnreachable(str(error)) from error
        self.busy = self.in_doubt = False
        self.committed = commit
        return results[len(first) : len(results) - len(last)]

    def _told(self, error: StatementError) -> Exception:
        if error.is_farewell or self._session.closed:
            return DatabaseUnreachable(str(error))
        kind = IntegrityError if error.sqlstate.startswith("23") else DBAPIError
        return kind(None, None, DriverError(error), hide_parameters=True)


def _name(sent: list[Sent], failed: int) -> Name | None:
    """What the failure of the statement number `failed` is called; BEGIN's and COMMIT's have no name."""
    return sent[failed].name if 0 <= failed < len(sent) else None


class ServiceSessions:
    """The sessions of one service role, lent for a transaction each. `flushes` is how often they asked PostgreSQL.

    `after` is called behind each commit, before anybody is told of it; with False where nobody knows whether it was
    one.
    """

    def __init__(
        self,
        pool: SessionPool,
        within: float,
        after: Callable[[bool], Awaitable[None]] | None = None,
        causes: Causes | None = None,
    ) -> None:
        self._causes = causes
        self.pool = pool
        self._after = after
        self._within = within
        self.flushes = 0
        self._composer = Composer()

    @asynccontextmanager
    async def transaction(self, read_only: bool = False) -> AsyncIterator[ServiceTransaction]:
        """A transaction, undone at the end of the block if it is not committed before.

        Raises DatabaseUnreachable, and SQLAlchemy's TimeoutError where no session is free in time.
        """
        session = await self._lent()
        transaction = ServiceTransaction(session, self._composer, read_only, self._counted, self._causes)
        try:
            yield transaction
        finally:
            if transaction.busy:
                # Whoever wanted the answer has left, and nobody knows what the session is doing.
                self.pool.discard(session)
            else:
                transaction.close()
                self.pool.release(session)
            if self._after is not None and (transaction.committed or transaction.in_doubt):
                await self._after(transaction.committed)

    def _counted(self) -> None:
        self.flushes += 1

    async def _lent(self) -> Session:
        try:
            return await self.pool.acquire(self._within)
        except TimeoutError as error:
            raise PoolTimeout("no connection was free in time") from error
        except CONNECTION_ERRORS as error:
            raise DatabaseUnreachable(str(error)) from error
