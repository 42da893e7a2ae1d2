"""Whose files lie in the store: a name in the database, a marker beside the files, and whether the two agree.

Decision 0013. The name is the namespace. Database and marker hold the same generation, renewed at every start, at every
stop and every few minutes between: a database that was restored or copied holds an older one, or another identity, and
then nobody can tell a file without a row from one whose row is missing.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass

import orjson
from sqlalchemy import RowMapping, text

from minato.entropy import Entropy
from minato.storage.backend.namespace import Namespace
from minato.storage.transactions import Transactions

MARKER = "minato.json"
LONGEST_MARKER = 4096

FIND = text("select id::text, prefix from minato.installation")
CLAIM = text("""
insert into minato.installation (id, prefix, database)
values (cast(cast(:id as text) as uuid), cast(:id as text), minato.database_identity())
on conflict (only_one) do update set only_one = true
returning id::text, prefix
""")
STATE = text("""
select id::text, previous::text, current::text, database = minato.database_identity() as original
from minato.installation
""")
RENEW = text("""
update minato.installation set previous = current, current = :generation, database = minato.database_identity()
""")

FOREIGN = "another installation keeps its files there"
COPIED = "this database is a restored one or a copy, or another has used the files since"
UNKNOWN = "these files were not known until now"


@dataclass(frozen=True)
class Standing:
    """What this database is to the files. With a `reason` nothing may be swept; `mine`: the marker is ours to renew."""

    mine: bool
    reason: str | None
    behind: bool = False


class Installation:
    """The installation of one database, and its files."""

    def __init__(self, transactions: Transactions, entropy: Entropy) -> None:
        self._transactions = transactions
        self._entropy = entropy
        self._found: RowMapping | None = None

    async def prefix(self) -> str:
        """The first segment of every path; empty where files lay before there were namespaces."""
        if self._found is None:
            async with self._transactions.look_up() as connection:
                values = {"id": str(self._entropy.uuid4())}
                # Two servers may come at once; mostly there is nothing to be made.
                found = await connection.execute(FIND)
                self._found = found.mappings().first() or (await connection.execute(CLAIM, values)).mappings().one()
        return str(self._found["prefix"])

    async def standing(self, files: Namespace) -> Standing:
        """Compare the marker with the database; nothing is changed."""
        await self.prefix()
        marker = await _read_marker(files)
        async with self._transactions.look_up() as connection:
            state = (await connection.execute(STATE)).mappings().first()
        if marker is None:
            return Standing(mine=True, reason=UNKNOWN)
        if state is None or marker.get("installation") != state["id"]:
            return Standing(mine=False, reason=FOREIGN)
        if not state["original"] or marker.get("generation") not in (state["previous"], state["current"]):
            return Standing(mine=False, reason=COPIED)
        return Standing(mine=True, reason=None, behind=marker["generation"] != state["current"])

    async def renew(self, files: Namespace, behind: bool = False) -> None:
        """Begin a new generation, in the database first; `behind`: the marker has missed the last, so no other yet."""
        if not behind:
            async with self._transactions.look_up() as connection:
                await connection.execute(RENEW, {"generation": str(self._entropy.uuid4())})
        async with self._transactions.look_up() as connection:
            state = (await connection.execute(STATE)).mappings().one()
        marker = {"installation": state["id"], "generation": state["current"]}
        await files.write(MARKER, _once(orjson.dumps(marker)))


async def _read_marker(files: Namespace) -> dict[str, object] | None:
    """What the marker says; an empty one, which agrees with nothing, where it can't be read."""
    try:
        content = b"".join([chunk async for chunk in await files.read(MARKER, 0, LONGEST_MARKER)])
    except FileNotFoundError:
        return None
    try:
        marker = orjson.loads(content)
    except orjson.JSONDecodeError:
        return {}
    return marker if isinstance(marker, dict) else {}


async def _once(content: bytes) -> AsyncIterator[bytes]:
    yield content
