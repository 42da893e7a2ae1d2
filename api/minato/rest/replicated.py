"""Reads on a replica, where it has what their caller wrote; everything else on the primary, which has the last word.

An error is never the replica's: whatever it refuses, the primary is asked. So it may lack the newest migration, cancel
a statement that keeps it from going on, be promoted or die, and no caller is told.
"""

from __future__ import annotations

import structlog

from minato.database.database import Database
from minato.database.replica.position import UNKNOWN
from minato.database.replica.replica import Replica
from minato.rest.errors import RestError
from minato.rest.execute import Executor, Transaction
from minato.rest.result import QueryResult
from minato.rest.sql.statement import Statement


class ReplicatedExecutor:
    """Runs transactions on `database`, or on its `replica`."""

    def __init__(
        self, database: Database, replica: Replica, acquire_timeout: float, log: structlog.stdlib.BoundLogger
    ) -> None:
        self._database = database
        self._replica = replica
        self._within = acquire_timeout
        self._log = log
        self._on_primary = Executor(database, acquire_timeout, database.causes)
        self._on_replica = Executor(replica, acquire_timeout)

    async def run(self, transaction: Transaction, statement: Statement) -> QueryResult:
        """The result of `statement`, after its transaction has ended. Raises RestError."""
        if transaction.writes:
            return await self._write(transaction, statement)
        if transaction.replicable:
            result = await self._read(transaction, statement)
            if result is not None:
                return result
        return await self._on_primary.run(transaction, statement)

    async def _read(self, transaction: Transaction, statement: Statement) -> QueryResult | None:
        """What the replica answers; None where the primary is to be asked."""
        guard = await self._replica.guard(transaction.subject)
        if guard is None:
            return None
        try:
            result = await self._on_replica.run(transaction._replace(guard=guard), statement)
        except RestError as error:
            self._replica.served["refused"] += 1
            if error.status == 503:
                # Its connections break: look at once.
                self._replica.wanted.set()
            self._log.debug("the replica refused a read", code=error.code)
            return None
        self._replica.served["replica"] += 1
        return result

    async def _write(self, transaction: Transaction, statement: Statement) -> QueryResult:
        """Note how far the caller has written before they are told; whether they did is not always known."""
        try:
            result = await self._on_primary.run(transaction, statement)
            await self._replica.note(transaction.subject, self._database.sessions, self._within)
        except RestError as error:
            # With 503 the session was lost, perhaps behind the commit.
            if error.status == 503:
                await self._replica.written.note(transaction.subject, UNKNOWN)
            raise
        except BaseException:
            await self._replica.written.note(transaction.subject, UNKNOWN)
            raise
        return result
