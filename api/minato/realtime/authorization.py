"""Private channels: what the policies on realtime.messages let a caller read and write on a topic.

Nothing is kept: each question inserts probe rows in a transaction that is rolled back, as supabase/realtime does in
`tenants/authorization.ex`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from uuid import UUID

import orjson

from minato.database.as_caller import set_locally
from minato.database.database import Database
from minato.database.identifiers import array_literal
from minato.database.outage import CONNECTION_ERRORS
from minato.database.wire.session import Command, Session, StatementError
from minato.database.wording import is_without_partition
from minato.entropy import Entropy
from minato.tokens.caller import SERVICE_ROLE, Caller

BROADCAST, PRESENCE = "broadcast", "presence"
PROBE = "insert into realtime.messages (id, topic, extension) select * from unnest($1::uuid[], $2::text[], $3::text[])"
PROBE_WRITE = "insert into realtime.messages (topic, extension) values ($1, $2)"
VISIBLE = "select id from realtime.messages where id = any ($1::uuid[])"
SAVEPOINT, UNDO = Command("savepoint probe"), Command("rollback to probe")
DENIED, CANCELED = "42501", "57014"
# Classes of SQLSTATE that say nothing of the caller: the connection is lost, or the session forgot a statement of ours.
CANT_ASK = ("08", "26")


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

    async def read(self, question: Question, policies: Policies, with_presence: bool) -> Policies:
        """`policies` with what may be read; presence only when asked for."""
        extensions = [BROADCAST, PRESENCE] if with_presence else [BROADCAST]
        ids = [self._entropy.uuid4() for _ in extensions]
        sought, topics = array_literal(map(str, ids)), array_literal([question.topic] * len(ids))
        asking = [
            # Only this role may write rows that the caller could not write.
            _set({"role": SERVICE_ROLE, "realtime.topic": question.topic}),
            Command(PROBE, [sought, topics, array_literal(extensions)], SERVICE_ROLE),
            _set(question.settings()),
            Command(VISIBLE, [sought], question.caller.role),
        ]
        async with self._probing(question) as session:
            *_, found = await session.run(asking, reset=False)
        visible = {UUID((found_id or b"").decode()) for (found_id,) in found}
        return replace(
            policies,
            read_broadcast=ids[0] in visible,
            read_presence=ids[1] in visible if with_presence else policies.read_presence,
        )

    async def write(self, question: Question, policies: Policies) -> Policies:
        """`policies` with what may be written."""
        async with self._probing(question) as session:
            await session.run([_set(question.settings()), SAVEPOINT], reset=False)
            broadcast = await _may_insert(session, question, BROADCAST)
            presence = await _may_insert(session, question, PRESENCE)
        return replace(policies, write_broadcast=broadcast, write_presence=presence)

    @asynccontextmanager
    async def _probing(self, question: Question) -> AsyncIterator[Session]:
        """A transaction that leaves nothing behind."""
        # One user's joins must not hold all the sessions that others need for theirs.
        holder = question.caller.share("")
        try:
            async with self._database.sessions.asked(self._timeout, holder) as session:
                yield session
        except StatementError as error:
            raise _failure(error) from error
        except TimeoutError as error:
            message = "Please increase your connection pool size"
            raise AuthorizationUnavailable("IncreaseConnectionPool", message) from error
        except CONNECTION_ERRORS as error:
            raise _unreachable() from error


def _set(settings: Mapping[str, str]) -> Command:
    return Command(*set_locally(settings.items()))


async def _may_insert(session: Session, question: Question, extension: str) -> bool:
    probe = Command(PROBE_WRITE, [question.topic, extension], question.caller.role)
    try:
        await session.run([probe, UNDO], reset=False)
    except StatementError as error:
        if error.sqlstate != DENIED:
            raise
        await session.run([UNDO], reset=False)
        return False
    return True


def _unreachable() -> AuthorizationUnavailable:
    return AuthorizationUnavailable(None, "Realtime was unable to connect to the project database")


def _failure(error: StatementError) -> Exception:
    if error.is_farewell or error.sqlstate.startswith(CANT_ASK):
        return _unreachable()
    if error.sqlstate == CANCELED:
        return AuthorizationUnavailable("QueryCanceled", str(error))
    if is_without_partition(error.fields):
        message = "Realtime was unable to find the expected messages partition"
        return AuthorizationUnavailable("MissingPartition", message)
    return PolicyError(str(error))
