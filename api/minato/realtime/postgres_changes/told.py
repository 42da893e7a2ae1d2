"""In development each row change is an event of the journal: what changed, by which request, and who heard of it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

import asyncpg

from minato.clock import Clock
from minato.database.wire.causes import Causes
from minato.journal.journal import Journal
from minato.journal.secrets import HIDDEN, is_secret
from minato.json_text import JsonObject
from minato.realtime.change_feed.base import Change, Relation
from minato.realtime.change_feed.trigger_messages import ALWAYS
from minato.realtime.errors import DATABASE_ERRORS
from minato.realtime.postgres_changes.catalog import Catalog
from minato.realtime.postgres_changes.dispatcher import Delivery

KEY: Final = """
select a.attname as name from pg_index i
  join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
 where i.indrelid = $1 and i.indisprimary order by a.attnum
"""
LOW: Final = 0xFFFFFFFF


class ToldChanges:
    """Notes the changes of one backend; `causes` know whose they are."""

    def __init__(self, journal: Journal, causes: Causes, catalog: Catalog, clock: Clock) -> None:
        self._journal = journal
        self._causes = causes
        self._catalog = catalog
        self._clock = clock
        self._keys: dict[int, tuple[Relation, Sequence[str]]] = {}

    async def note(self, deliveries: Sequence[Delivery]) -> None:
        """Note what has been delivered, each as soon as its cause is known."""
        for delivery in deliveries:
            told = self._told(delivery, await self._key(delivery.change.relation))
            self._causes.find(delivery.change.xid, partial(self._note, told))

    def _note(self, told: JsonObject, cause: str | None) -> None:
        title = f"{told['action']} {told['schema']}.{told['table']}, {told['delivered']} of {told['subscribed']} heard"
        self._journal.note("change", title, lambda whole: dict(told), cause=cause)

    def _told(self, delivery: Delivery, key: Sequence[str]) -> JsonObject:
        change = delivery.change
        row = change.record or change.old or {}
        return {
            **{"schema": change.relation.schema, "table": change.relation.table, "action": change.action.value},
            "key": {name: HIDDEN if is_secret(name) else row.get(name) for name in key},
            **{"delivered": delivery.told, "subscribed": delivery.asked},
            **self._when(change),
        }

    def _when(self, change: Change) -> JsonObject:
        """Where in the log it is, and how long ago it was committed: triggers know neither."""
        if change.lsn == ALWAYS:
            return {"lsn": None, "lag_ms": None, "feed": "triggers"}
        passed = self._clock.now() - self._clock.offset - change.committed_at
        lag = max(0.0, round(passed.total_seconds() * 1000, 3))
        return {"lsn": f"{change.lsn >> 32:X}/{change.lsn & LOW:X}", "lag_ms": lag, "feed": "log"}

    async def _key(self, relation: Relation) -> Sequence[str]:
        """The columns of its primary key, asked once while the table stays as it is."""
        known = self._keys.get(relation.oid)
        if known is not None and known[0] is relation:
            return known[1]
        try:
            names = tuple(row["name"] for row in await self._catalog.fetch(KEY, relation.oid))
        except (asyncpg.PostgresError, *DATABASE_ERRORS):
            # The next change asks again; who follows changes must not wait for what only tells of them.
            return ()
        self._keys[relation.oid] = relation, names
        return names
