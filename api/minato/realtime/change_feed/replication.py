"""One replication connection: a temporary slot, and its stream read from the event loop.

psycopg2 is the client library that speaks the replication protocol. Opening waits, so it runs in a thread; reading
never waits, so it hangs on the loop's `add_reader`.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import select
import time
from collections.abc import AsyncIterator, Sequence
from typing import Any

import psycopg2
from psycopg2.extensions import POLL_OK, POLL_READ
from psycopg2.extras import LogicalReplicationConnection

from minato.database.silence import OF_LIBPQ
from minato.realtime.change_feed.base import PublicationMissing, Told
from minato.realtime.change_feed.pgoutput import PgOutputDecoder
from minato.realtime.change_feed.triggers import CHANNEL, LOOK

# Values arrive as the session prints them; these are the spellings the rest of the room reads.
SESSION = (
    "-c client_encoding=UTF8 -c datestyle=ISO -c intervalstyle=postgres -c extra_float_digits=1 -c bytea_output=hex "
    "-c timezone=UTC -c statement_timeout=0 -c lock_timeout=0 -c idle_in_transaction_session_timeout=0"
)
CONNECT_SECONDS = 10.0
# How soon the thread that opens sees that nobody waits for it any more.
SLICE_SECONDS = 0.1
FEEDBACK_SECONDS = 10.0
READ_AT_ONCE = 500
SLOT_GONE_TRIES = 200
# Table by table, so that whoever writes to several never waits for all of their locks.
STOP_TRIGGERS = "select minato.name_trigger_publications('{}')"
DIFFERING = "select distinct relid from minato.change_trigger_differences()"
SYNC = "select minato.sync_change_triggers_of(%s)"
# The notification comes behind the last change that a trigger told of; processes that follow by triggers stop there.
TELL_THE_END = f"select pg_notify('{CHANNEL}', '{LOOK}')"


# What PostgreSQL says before a connection exists comes as one text with hosts and users in it; these parts may be told.
NO_RIGHT = (
    "permission denied to start WAL sender",
    "must be superuser or replication role to start walsender",
    'exceeds "max_wal_senders" (currently 0)',
)
# On RDS a role of its own stands for the attribute.
MAY_DECODE = """
select pg_catalog.current_setting('max_wal_senders') <> '0' and (r.rolsuper or r.rolreplication or exists (
    select from pg_catalog.pg_roles g where g.rolname = 'rds_replication' and pg_catalog.pg_has_role(g.oid, 'member')))
  from pg_catalog.pg_roles r where r.rolname = session_user
"""
NOT_READY = "55000"  # wal_level is not logical, or there may be no slots
DENIED = "42501"


class DecodingUnavailable(Exception):
    """This database, or this login, can't decode the log, and will not be able to while it runs."""


class ReplicationConnection:
    """A `Stream` from a slot on `dsn` that lives as long as this connection; with `marks`, if they are asked for."""

    def __init__(self, dsn: str, slot: str, publications: Sequence[str], backlog: int, marks: bool = False) -> None:
        self._dsn = dsn
        self._slot = slot
        self._wanted = tuple(publications)
        self._backlog = backlog
        self._options = {"proto_version": "1", **({"messages": "true"} if marks else {})}
        self._connection: Any = None
        self._cursor: Any = None
        self._decoder = PgOutputDecoder()
        self._pending: list[Told] = []
        self._error: Exception | None = None
        self._wake = asyncio.Event()
        # Whoever wanted the connection was cancelled while it was being made. Set by the loop, read by the thread.
        self._left = False
        # The file descriptor the event loop watches for us, None while reading is paused.
        self.watched: int | None = None

    async def open(self) -> None:
        """Connect, create the slot and start streaming.

        Creating a slot waits for every transaction that is writing at that moment. Raises psycopg2.Error,
        DecodingUnavailable and PublicationMissing; the first of the publications must exist, the others are followed
        if they do.
        """
        opening = asyncio.ensure_future(asyncio.to_thread(self._open))
        try:
            await asyncio.wait([opening])
        except asyncio.CancelledError:
            self._left = True
            await asyncio.wait([opening])
            # Taken, as nobody else will: a statement that was cancelled says so by an exception.
            opening.exception()
            raise
        opening.result()

    def _open(self) -> None:
        try:
            self._start()
        except psycopg2.Error as error:
            reason = _lasting_reason(error) or self._missing_right()
            if reason is None:
                raise
            raise DecodingUnavailable(reason) from error

    def _missing_right(self) -> str | None:
        """The same where there never was a connection, and PostgreSQL's words are of a language that isn't known."""
        if self._cursor is not None:
            return None
        with contextlib.suppress(psycopg2.Error):
            with contextlib.closing(psycopg2.connect(self._dsn, connect_timeout=2)) as connection:
                cursor = connection.cursor()
                cursor.execute(MAY_DECODE)
                return None if cursor.fetchone() == (True,) else "this login may not start a WAL sender"
        return None

    def _start(self) -> None:
        self._connect()
        self._execute("select pubname from pg_publication where pubname = any(%s)", [list(self._wanted)])
        existing = {name for (name,) in self._cursor.fetchall()}
        if self._wanted[0] not in existing:
            raise PublicationMissing(self._wanted[0])
        self._execute(f"CREATE_REPLICATION_SLOT {self._slot} TEMPORARY LOGICAL pgoutput NOEXPORT_SNAPSHOT")
        self._end_triggers()
        names = ",".join(f'"{name}"' for name in self._wanted if name in existing)
        self._cursor.start_replication(
            slot_name=self._slot, options={**self._options, "publication_names": names}, decode=False
        )
        self._wait()

    def _connect(self) -> None:
        # Not in one call: until that has returned, libpq prints what a server says at its death, and logs are JSON.
        self._connection = psycopg2.connect(
            self._dsn,
            connection_factory=LogicalReplicationConnection,
            options=SESSION,
            application_name="minato change feed",
            async_=True,
            **OF_LIBPQ,
        )
        self._wait(CONNECT_SECONDS)
        self._cursor = self._connection.cursor()

    def _execute(self, statement: str, values: Sequence[object] | None = None) -> None:
        self._cursor.execute(statement, values)
        self._wait()

    def _wait(self, seconds: float = math.inf) -> None:
        """Until what was begun is done. Raises psycopg2.Error, also after `seconds` without a word, or when left."""
        waiting = select.poll()
        while (state := self._connection.poll()) != POLL_OK:
            number = self._connection.fileno()
            waiting.register(number, select.POLLIN if state == POLL_READ else select.POLLOUT)
            until = time.monotonic() + seconds
            while not waiting.poll(SLICE_SECONDS * 1000):
                if self._left:
                    self._cancel()
                if self._left or time.monotonic() > until:
                    raise psycopg2.OperationalError("timeout expired")
            # While it connects, each address has a socket of its own.
            waiting.unregister(number)

    def _cancel(self) -> None:
        """End the server's statement, which may wait for others' transactions; what only connects has none."""
        with contextlib.suppress(psycopg2.Error):
            self._connection.cancel()

    def _end_triggers(self) -> None:
        """Remove what the other way left behind: writers pay for it. Who still listens follows the log next."""
        with contextlib.suppress(psycopg2.Error):
            self._execute("set lock_timeout to '1s'")
            self._execute(STOP_TRIGGERS)
            self._remove_triggers()
            self._execute(TELL_THE_END)

    def _remove_triggers(self) -> None:
        """Where one is busy for long, the others likely are: what is left is done by the next stream."""
        with contextlib.suppress(psycopg2.errors.LockNotAvailable, psycopg2.errors.DeadlockDetected):
            self._execute(DIFFERING)
            for (table,) in self._cursor.fetchall():
                self._execute(SYNC, [table])

    async def cover_published(self) -> None:
        """The server itself looks at the publication, change by change."""

    async def batches(self, size: int) -> AsyncIterator[Sequence[Told]]:
        """Changes in commit order, as many at once as have come, up to `size`. Ends only by an exception."""
        self._resume()
        feedback = asyncio.ensure_future(self._confirm())
        try:
            while True:
                await self._wake.wait()
                batch, self._pending = self._pending[:size], self._pending[size:]
                if batch:
                    yield batch
                elif self._error is not None:
                    raise self._error
                else:
                    self._wake.clear()
                if self.watched is None and self._error is None and len(self._pending) < self._backlog:
                    self._resume()
        finally:
            feedback.cancel()
            self._pause()

    def close(self) -> None:
        """End the connection, and with it the slot."""
        self._pause()
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    async def gone(self) -> None:
        """Wait until the server has let go of the slot: a database with one can't be dropped."""
        with contextlib.suppress(psycopg2.Error):
            await asyncio.to_thread(self._await_gone)

    def _await_gone(self) -> None:
        with contextlib.closing(psycopg2.connect(self._dsn, connect_timeout=2)) as connection:
            connection.autocommit = True
            cursor = connection.cursor()
            for _ in range(SLOT_GONE_TRIES):
                cursor.execute("select pg_sleep(0.01) from pg_replication_slots where slot_name = %s", (self._slot,))
                if cursor.fetchone() is None:
                    return

    def _resume(self) -> None:
        self.watched = self._cursor.fileno()
        asyncio.get_running_loop().add_reader(self.watched, self._read)
        self._read()

    def _pause(self) -> None:
        # By number, because a connection that broke no longer knows its own: a reader left behind would take the
        # events of whatever socket gets that number next.
        watched, self.watched = self.watched, None
        if watched is not None:
            asyncio.get_running_loop().remove_reader(watched)

    def _read(self) -> None:
        """Take what has come. libpq may hold more than the socket shows, so only an empty answer ends it."""
        try:
            for _ in range(READ_AT_ONCE):
                message = self._cursor.read_message()
                if message is None:
                    # Only noted; it goes out when the server asks, as it does before it may shut down.
                    self._cursor.send_feedback(flush_lsn=self._cursor.wal_end)
                    break
                change = self._decoder.decode(message.payload)
                if change is not None:
                    self._pending.append(change)
            else:
                asyncio.get_running_loop().call_soon(self._read_on)
        except Exception as error:
            self._pause()
            self._error = error
        if len(self._pending) >= self._backlog:
            self._pause()
        if self._pending or self._error is not None:
            self._wake.set()

    def _read_on(self) -> None:
        if self.watched is not None:
            self._read()

    async def _confirm(self) -> None:
        """Tell the server now and then that we live and how far we are, also while reading is paused."""
        while True:
            await asyncio.sleep(FEEDBACK_SECONDS)
            try:
                self._cursor.send_feedback(flush_lsn=self._cursor.wal_end, force=True)
            except psycopg2.Error as error:
                # At once: libpq has closed the socket, and its number may soon be somebody else's.
                self._pause()
                self._error = error
                self._wake.set()
                return


def _lasting_reason(error: psycopg2.Error) -> str | None:
    """Why trying again would not help, in PostgreSQL's words; None when it might."""
    if error.diag.sqlstate in (NOT_READY, DENIED):
        return str(error.diag.message_primary)
    return next((text for text in NO_RIGHT if text in str(error)), None)
