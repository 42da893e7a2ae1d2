"""One connection that runs whole transactions in one flush.

asyncpg opens it (addresses, TLS, every way to log in); from then on the wire is ours, because asyncpg waits for the
answer to each statement before it sends the next one.

What is under way stands in `_pending`, oldest first; the server answers in that order. `run` writes both in one go:

             run                     ReadyForQuery              RESET_DONE, or any answer
    FREE ──────────► [ask, reset] ─────────────────► [reset] ──────────────────────────► FREE
                          │                            │    └─ run: [reset, ask, reset], nobody waits
                          │ a large last column        │ error: not clean, serves nobody else
                          ▼                            ▼
                     STREAMING ── last byte ──► …   CLOSED ◄── lost, cancelled, old, row too large: from any state,
                                                               whoever waits gets ConnectionLost

Without `reset` (a transaction over several runs) the way goes from the answer to FREE; the last run has it. `run_begun`
is answered at the end of its reset, in front of which the COMMIT goes out.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Sequence
from contextlib import suppress
from struct import Struct
from typing import Any, NamedTuple

import asyncpg

from minato.database.wire.cleaning import OF_CALLERS, Cleaning
from minato.database.wire.messages import (
    EXECUTE_ALL,
    SYNC,
    TEXT,
    Row,
    Value,
    bind,
    bind_ready,
    close,
    command_complete,
    data_row,
    error_fields,
    formats,
    parse,
    query,
)
from minato.database.wire.spool import Spool
from minato.database.wire.stream import RowStream, begin_row

ALL_TEXT = formats(TEXT)
length_at = Struct("!i").unpack_from
STATEMENTS = 500
# A row of more bytes than this is handed on while it arrives, to who asked for that.
STREAM_FROM = 1024 * 1024
# To tell the server that nobody waits any more, on a connection of its own.
CANCEL_SECONDS = 5.0
FORGOTTEN_STATEMENT = "26000"
BIND_COMPLETE, DATA_ROW, ERROR_RESPONSE, READY_FOR_QUERY = b"2DEZ"
# CommandComplete, EmptyQueryResponse.
ENDS_OF_COMMANDS = b"CI"
# PostgREST's way to choose a status: 413, Content Too Large.
TOO_LARGE = "PT413"
# PostgreSQL says why before it ends a connection.
FAREWELLS = frozenset({"57P01", "57P02", "57P03", "57P04", "57P05"})

SELECTED = b"SELECT 1"
# How settings are answered (`as_caller.set_locally`): read as a whole, because each request begins with it.
SETTINGS_MADE = b"".join(
    (b"2\x00\x00\x00\x04", b"D\x00\x00\x00\x0b\x00\x01\x00\x00\x00\x010", command_complete(SELECTED))
)


class StatementError(Exception):
    """An error PostgreSQL reported, with all its fields by letter. `position` counts the commands that ran before."""

    def __init__(self, fields: dict[str, str], position: int = 0) -> None:
        super().__init__(fields.get("M", ""))
        self.fields = fields
        self.position = position

    @property
    def sqlstate(self) -> str:
        return self.fields.get("C", "XX000")

    @property
    def is_farewell(self) -> bool:
        """Whether the connection ends with it."""
        return self.sqlstate in FAREWELLS


class ConnectionLost(ConnectionError):
    """The connection ended before the answer was complete; nobody knows whether a write was committed."""


class Command(NamedTuple):
    """One statement. It is prepared once per `scope` (the role), because a plan holds for one role only.

    `parameters` stand for the values where they are bytes already, in the form of `messages.bind_ready`.
    """

    text: str
    values: Sequence[Value] = ()
    scope: str = ""
    formats: bytes = ALL_TEXT
    parameters: bytes | None = None

    def bound(self, name: bytes) -> bytes:
        """The message that gives the statement of that name its parameters."""
        if self.parameters is not None:
            return bind_ready(name, self.parameters, self.formats)
        return bind(name, self.values, self.formats)


BEGIN = Command("begin")


class _Exchange:
    """What was sent up to one Sync, and what has come back: the rows of each command.

    With `streams` it is answered as soon as the last column of a large row begins. One that `cleans` leaves the session
    to the next caller. With `asked` its answer is the other's, whose transaction ends with it.
    """

    __slots__ = ("answer", "asked", "cleans", "error", "prepared", "results", "rows", "streams", "tags")

    def __init__(
        self,
        answer: asyncio.Future[list[list[Row]]] | None,
        streams: bool = False,
        cleans: bool = False,
        asked: _Exchange | None = None,
    ) -> None:
        self.answer = answer
        self.asked = asked
        self.cleans = cleans
        self.prepared: list[tuple[str, str]] = []
        self.results: list[list[Row]] = []
        self.tags: list[bytes] = []
        self.rows: list[Row] = []
        self.error: StatementError | None = None
        self.streams = streams


class Session(asyncio.Protocol):
    """Commands in, rows out. Not for two callers at once: the pool sees to that.

    Statements are prepared for next time only if it `prepares`. A row of more than `largest_row` bytes is refused.
    `holder` is the pool's: to whose share the session counts now. `tags` are how the commands of the last run ended,
    "DELETE 1".
    """

    def __init__(
        self,
        connection: asyncpg.Connection,
        prepares: bool = True,
        spool: Spool | None = None,
        largest_row: int | None = None,
        cleaning: Cleaning = OF_CALLERS,
    ) -> None:
        self._cleaning = cleaning
        self._rollback = query(f"ROLLBACK;{cleaning.text}")
        self._commit = query(f"COMMIT;{cleaning.text}")
        self.tags: list[bytes] = []
        self._connection = connection
        self._transport: Any = connection._transport
        self._loop = asyncio.get_running_loop()
        self._pending: list[_Exchange] = []
        self._prepares = prepares
        self._spool = spool
        self._largest = largest_row
        self.opened_at = self.used_at = self._loop.time()
        self._statements: OrderedDict[tuple[str, str], bytes] = OrderedDict()
        self._forget: list[bytes] = []
        self._named = 0
        self._chunks: list[bytes] = []
        self._held = 0
        self._needed = 5
        self.closed = False
        self.holder: str | None = None
        # What is to fail before the next commands, on purpose.
        self.failing: Command | None = None
        self.stream: RowStream | None = None
        self._transport.set_protocol(self)

    @property
    def now(self) -> float:
        """The event loop's time, in which `opened_at` and `used_at` are told."""
        return self._loop.time()

    def run(self, commands: Sequence[Command], reset: bool = True, streams: bool = False) -> Awaitable[list[list[Row]]]:
        """The rows of each command, run as one transaction unless they begin one themselves.

        With `streams` a large last column of the last row is not there: it is `stream`. All is committed when this
        returns. With `reset` the session forgets everything its caller did, behind the answer; whoever runs without it
        runs once more with it. Raises StatementError, ConnectionLost.
        """
        return self._run(commands, reset, self._cleaning.sent if reset else b"", streams)

    async def attempt(self, commands: Sequence[Command]) -> list[list[Row]]:
        """The rows of each command in a transaction that is rolled back behind the answer, and forgotten: nobody waits
        for that. Raises StatementError, ConnectionLost.
        """
        return (await self._run([BEGIN, *commands], True, self._rollback))[1:]

    async def run_begun(self, commands: Sequence[Command]) -> list[list[Row]]:
        """The rows of each command in a transaction with a BEGIN of its own, where there may be savepoints.

        All is committed when this returns, and forgotten. COMMIT goes out behind the commands' Sync: after an error
        among them it ends the transaction as ROLLBACK would. Raises StatementError, ConnectionLost.
        """
        return (await self._run([BEGIN, *commands], True, self._commit, commits=True))[1:]

    def reset(self) -> None:
        """Forget everything the caller did, behind what is under way; nobody waits for it."""
        if self._cleaning.sent:
            self._pending.append(_Exchange(None, cleans=True))
            self._transport.write(self._cleaning.sent)

    def roll_back(self) -> None:
        """End the transaction and forget everything, behind what is under way; nobody waits for it."""
        self._pending.append(_Exchange(None, cleans=True))
        self._transport.write(self._rollback)

    async def cancel(self) -> None:
        """Stop what runs and end the connection: what it was doing has no one to hear of it. A server that can't be
        told in time is left to find out by itself."""
        try:
            with suppress(OSError, TimeoutError):
                async with asyncio.timeout(CANCEL_SECONDS):
                    await self._connection._cancel(self._loop.create_future())
        finally:
            self.abort()

    def abort(self) -> None:
        """End the connection at once."""
        self.closed = True
        self._connection.terminate()

    async def _run(
        self, commands: Sequence[Command], whole: bool, behind: bytes, streams: bool = False, commits: bool = False
    ) -> list[list[Row]]:
        try:
            return await self._send(commands, behind, streams, commits)
        except StatementError as error:
            if error.sqlstate != FORGOTTEN_STATEMENT:
                raise
            # SQL code can DEALLOCATE what we prepared; everything was rolled back, so once more is safe.
            self._statements.clear()
            if not whole:
                raise
            return await self._send(commands, behind, streams, commits)

    def _send(
        self, commands: Sequence[Command], behind: bytes, streams: bool, commits: bool
    ) -> asyncio.Future[list[list[Row]]]:
        if self.closed:
            raise ConnectionLost("connection is closed")
        answer: asyncio.Future[list[list[Row]]] = self._loop.create_future()
        exchange = _Exchange(None if commits else answer, streams=streams)
        self.stream = None
        parts = [close(name) for name in self._forget]
        self._forget.clear()
        if self.failing is not None:
            commands, self.failing = [self.failing, *commands], None
        for command in commands:
            parts += self._command(command, exchange)
        parts.append(SYNC)
        self._pending.append(exchange)
        if behind:
            parts.append(behind)
            self._pending.append(_Exchange(answer if commits else None, False, True, exchange if commits else None))
        self._transport.write(b"".join(parts))
        return answer

    def _command(self, command: Command, exchange: _Exchange) -> list[bytes]:
        if not self._prepares:
            return [parse(b"", command.text), command.bound(b""), EXECUTE_ALL]
        key = (command.scope, command.text)
        name = self._statements.get(key)
        if name is not None:
            self._statements.move_to_end(key)
            return [command.bound(name), EXECUTE_ALL]
        self._named += 1
        name = self._statements[key] = b"m%d" % self._named
        exchange.prepared.append(key)
        if len(self._statements) > STATEMENTS:
            self._forget.append(self._statements.popitem(last=False)[1])
        return [parse(name, command.text), command.bound(name), EXECUTE_ALL]

    def data_received(self, data: bytes) -> None:
        """Called by the event loop: read the messages that are complete, keep the rest."""
        if self.stream is not None and self.stream.missing:
            data = self.stream.feed(data)
        if self._chunks:
            self._chunks.append(data)
            self._held += len(data)
            # A large row comes in many pieces; they are joined once.
            if self._held < self._needed:
                return
            data = b"".join(self._chunks)
            self._chunks.clear()
        position, size, done = 0, len(data), self._cleaning.answered
        while size - position >= 5:
            (length,) = length_at(data, position + 1)
            end = position + 1 + length
            if end > size:
                self._needed = end - position
                if self._largest is not None and length > self._largest:
                    self._refuse_row()
                    return
                if length > STREAM_FROM and data[position] == DATA_ROW and self._pending and self._pending[0].streams:
                    position = self._begin_stream(data, position, size)
                break
            kind = data[position]
            if not self._pending:
                # Between requests: notices, settings, or the server's farewell, which connection_lost follows.
                position = end
                continue
            exchange = self._pending[0]
            if kind == BIND_COMPLETE:
                if data.startswith(SETTINGS_MADE, position):
                    exchange.results.append([[b"0"]])
                    exchange.tags.append(SELECTED)
                    end = position + len(SETTINGS_MADE)
            elif kind == DATA_ROW:
                exchange.rows.append(data_row(data, position + 5))
            elif exchange.cleans and data.startswith(done, position):
                end = position + len(done)
                self._complete(self._pending.pop(0))
            else:
                self._message(kind, data, position + 5, end, exchange)
            position = end
        else:
            self._needed = 5
        if position < size:
            self._chunks.append(data[position:])
            self._held = size - position

    def _begin_stream(self, data: bytes, position: int, size: int) -> int:
        """Answer with what there is of a row and hand on the rest as it comes; where reading goes on."""
        begun = begin_row(data, position + 5)
        exchange = self._pending[0]
        if begun is None or exchange.answer is None or exchange.answer.done():
            self._needed = size - position + 1
            return position
        row, length, start = begun
        self.stream = RowStream(self._transport, length, self._spool)
        self.stream.feed(data[start:])
        exchange.answer.set_result([*exchange.results, [[*row, None]]])
        return size

    def _refuse_row(self) -> None:
        """Tell whoever waits that the row is too large; nobody reads the rest of it."""
        for exchange in self._pending:
            exchange.error = exchange.error or StatementError(
                {"C": TOO_LARGE, "M": f"The result is larger than {self._largest} bytes"}
            )
        self.connection_lost(None)

    def _message(self, kind: int, data: bytes, start: int, end: int, exchange: _Exchange) -> None:
        if kind in ENDS_OF_COMMANDS:
            exchange.results.append(exchange.rows)
            exchange.tags.append(data[start : end - 1])
            exchange.rows = []
        elif kind == READY_FOR_QUERY:
            self._complete(self._pending.pop(0))
        elif kind == ERROR_RESPONSE:
            exchange.error = exchange.error or StatementError(error_fields(data[start:end]), len(exchange.results))

    def _complete(self, exchange: _Exchange) -> None:
        if exchange.error is not None:
            for key in exchange.prepared:
                name = self._statements.pop(key, None)
                self._forget += [name] if name else []
            if exchange.cleans:
                # A session that could not be cleaned serves no one else.
                self.abort()
        if exchange.answer is not None and not exchange.answer.done():
            asked = exchange.asked or exchange
            error = asked.error or exchange.error
            if error is not None:
                exchange.answer.set_exception(error)
            else:
                self.tags = asked.tags
                exchange.answer.set_result(asked.results)

    def connection_lost(self, exc: Exception | None) -> None:
        """Called by the event loop: whoever waits will not get an answer."""
        self.abort()
        if self.stream is not None and self.stream.missing:
            self.stream.fail(ConnectionLost(str(exc or "connection was closed")))
        for exchange in self._pending:
            if exchange.answer is not None and not exchange.answer.done():
                exchange.answer.set_exception(exchange.error or ConnectionLost(str(exc or "connection was closed")))
        self._pending.clear()
