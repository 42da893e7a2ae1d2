"""Private channels: what the policies on realtime.messages let a caller read and write on a topic.

Nothing is kept: each question inserts probe rows in a transaction that is rolled back, as supabase/realtime does in
`tenants/authorization.ex`.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

import asyncpg
import orjson

from minato.database.as_caller import set_locally
from minato.database.database import Database
from minato.entropy import Entropy
from minato.http.shares import Shares, share_of
from minato.tokens.caller import SERVICE_ROLE, Caller

BROADCAST, PRESENCE = "broadcast", "presence"
PROBE = "insert into realtime.messages (id, topic, extension) select * from unnest($1::uuid[], $2::text[], $3::text[])"
PROBE_WRITE = "insert into realtime.messages (topic, extension) values ($1, $2)"
VISIBLE = "select id from realtime.messages where id = any ($1::uuid[])"
NO_PARTITION = "no partition of relation"


class PolicyError(Exception):
    """A policy raised; it counts as a refusal."""


class AuthorizationUnavailable(Exception):
    """The question could not be asked; `code` and `message` are the reference's words for a join."""

    def __init__(self, code: str | None, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


@dataclass(frozen=True)
class Policies:
    """What is allowed; None where it was not asked yet."""

    read_broadcast: bool | None = None
    read_presence: bool | None = None
    write_broadcast: bool | None = None
    write_presence: bool | None = None

    def revoked_since(self, before: Policies) -> bool:
        """Whether something that could be read before is now refused."""
        return (before.read_broadcast is True and self.read_broadcast is False) or (
            before.read_presence is True and self.read_presence is False
        )


EVERYTHING = Policies(True, True, True, True)
"""Public channels are never checked."""


@dataclass(frozen=True)
class Question:
    """Who asks about which topic; `headers` are those of the socket (`x-…`) or of the HTTP request."""

    topic: str
    caller: Caller
    headers: Mapping[str, str]

    def settings(self) -> dict[str, str]:
        """What the policies may read while they are asked."""
        return {
            "role": self.caller.role,
            "realtime.topic": self.topic,
            "request.jwt.claims": self.caller.claims_json,
            "request.jwt.claim.sub": self.caller.subject or "",
            "request.jwt.claim.role": self.caller.role,
            "request.headers": orjson.dumps(dict(self.headers)).decode(),
        }


class Authorization:
    """Asks realtime.messages' policies. Raises PolicyError and AuthorizationUnavailable."""

    def __init__(self, database: Database, entropy: Entropy, timeout: float) -> None:
        self._database = database
        self._entropy = entropy
        self._timeout = timeout
        # One user's joins must not hold all the connections that others need for theirs.
        self._shares = Shares(share_of(database.settings.pool_size))

    async def read(self, question: Question, policies: Policies, with_presence: bool) -> Policies:
        """`policies` with what may be read; presence only when asked for."""
        extensions = [BROADCAST, PRESENCE] if with_presence else [BROADCAST]
        ids = [self._entropy.uuid4() for _ in extensions]
        async with self._probing(question) as connection:
            # Only this role may write rows that the caller could not write.
            await _set(connection, {"role": SERVICE_ROLE, "realtime.topic": question.topic})
            await connection.execute(PROBE, ids, [question.topic] * len(ids), extensions)
            await _set(connection, question.settings())
            visible: set[UUID] = {row["id"] for row in await connection.fetch(VISIBLE, ids)}
        return replace(
            policies,
            read_broadcast=ids[0] in visible,
            read_presence=ids[1] in visible if with_presence else policies.read_presence,
        )

    async def write(self, question: Question, policies: Policies) -> Policies:
        """`policies` with what may be written."""
        async with self._probing(question) as connection:
            await _set(connection, question.settings())
            broadcast = await _may_insert(connection, question.topic, BROADCAST)
            presence = await _may_insert(connection, question.topic, PRESENCE)
        return replace(policies, write_broadcast=broadcast, write_presence=presence)

    @asynccontextmanager
    async def _probing(self, question: Question) -> Any:
        """A transaction that leaves nothing behind."""
        try:
            async with (
                self._shares.held(question.caller.share(""), self._timeout),
                self._database.requests.acquire(timeout=self._timeout) as connection,
            ):
                transaction = connection.transaction()
                await transaction.start()
                try:
                    yield connection
                finally:
                    await transaction.rollback()
        except asyncpg.PostgresConnectionError as error:
            raise _unreachable() from error
        except asyncpg.PostgresError as error:
            raise _failure(error) from error
        except TimeoutError as error:
            message = "Please increase your connection pool size"
            raise AuthorizationUnavailable("IncreaseConnectionPool", message) from error
        except (OSError, asyncpg.InterfaceError, asyncpg.InternalClientError) as error:
            raise _unreachable() from error


async def _set(connection: Any, settings: Mapping[str, str]) -> None:
    statement, values = set_locally(settings.items())
    await connection.execute(statement, *values)


async def _may_insert(connection: Any, topic: str, extension: str) -> bool:
    try:
        async with connection.transaction():
            await connection.execute(PROBE_WRITE, topic, extension)
    except asyncpg.InsufficientPrivilegeError:
        return False
    return True


def _unreachable() -> AuthorizationUnavailable:
    return AuthorizationUnavailable(None, "Realtime was unable to connect to the project database")


def _failure(error: asyncpg.PostgresError) -> Exception:
    if isinstance(error, asyncpg.QueryCanceledError):
        return AuthorizationUnavailable("QueryCanceled", str(error))
    if isinstance(error, asyncpg.CheckViolationError) and NO_PARTITION in str(error):
        message = "Realtime was unable to find the expected messages partition"
        return AuthorizationUnavailable("MissingPartition", message)
    return PolicyError(str(error))
