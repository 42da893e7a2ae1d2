"""Row changes of a server's workers: the parent decodes once and passes on, in commit order.

Frames are JSON: `state` (does it flow, why not, how often was it lost), `relation` (a table as it is from here on) and
`changes` (rows of tables that were told before). A worker asks by a number that every published table be followed.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from datetime import timedelta
from functools import partial
from itertools import count

import orjson

from minato.background import Supervisor, ended
from minato.json_text import JsonMapping
from minato.machine.exchange import Circle
from minato.machine.link import Link, LinkLost, Member, connect
from minato.realtime.change_feed.base import Action, Change, ChangeFeed, Column, Deliver, FeedState, Relation
from minato.realtime.change_feed.pgoutput import POSTGRES_EPOCH
from minato.realtime.change_feed.triggers import StreamBroken

SERVICE = "changes"
MICROSECOND = timedelta(microseconds=1)


class NotFlowing(Exception):
    """The parent follows no changes, for the reason it gives."""


class SharedFeed(Circle):
    """The parent's `ChangeFeed`: `feed`, of which every connected worker hears all."""

    def __init__(self, feed: ChangeFeed, supervisor: Supervisor) -> None:
        super().__init__()
        self.status = feed.status
        self._feed = feed
        self._supervisor = supervisor
        self._relations: dict[int, Relation] = {}
        self._told: FeedState | None = None
        self._task: asyncio.Task[None] | None = None

    async def start(self, deliver: Deliver) -> None:
        self._task = self._supervisor.keep("telling workers whether changes flow", self._tell_states)
        await self._feed.start(partial(self._pass_on, deliver))

    async def cover_published(self) -> None:
        await self._feed.cover_published()

    async def catch_up(self) -> None:
        await self._feed.catch_up()

    async def stop(self) -> None:
        await self._feed.stop()
        await ended(self._task)

    def welcome(self, link: Link, worker: int) -> None:
        """A worker knows what the others do."""
        super().welcome(link, worker)
        for relation in self._relations.values():
            link.post(_relation_frame(relation))
        link.post(_state_frame(self.status.current))

    async def serve(self, link: Link) -> None:
        """Cover what is published by now, and say when that is done."""
        while True:
            number, failure = orjson.loads(await link.receive()), None
            try:
                await self._feed.cover_published()
            except Exception as error:
                failure = type(error).__name__
            link.post(orjson.dumps({"covered": number, "failure": failure}))

    async def _pass_on(self, deliver: Deliver, changes: list[Change]) -> None:
        self._tell_state()
        for frame in self._frames(changes):
            self.tell(frame)
        await deliver(changes)

    async def _tell_states(self) -> None:
        while True:
            self._tell_state()
            await self.status.after(self.status.current)

    def _tell_state(self) -> None:
        """Before the changes that come under it, also where the task that waits for it is still to run."""
        if self._told is not self.status.current:
            self._told = self.status.current
            self.tell(_state_frame(self._told))

    def _frames(self, changes: Sequence[Change]) -> list[bytes]:
        frames: list[bytes] = []
        rows: list[object] = []
        for change in changes:
            relation = change.relation
            if self._relations.get(relation.oid) is not relation:
                self._relations[relation.oid] = relation
                frames += [orjson.dumps({"changes": rows})] if rows else []
                frames.append(_relation_frame(relation))
                rows = []
            rows.append(_fields(change))
        return [*frames, orjson.dumps({"changes": rows})]


class RelayedStream:
    """A worker's `Stream`; reading stops while `backlog` changes wait, and who stops for too long is cut off."""

    def __init__(self, member: Member, backlog: int) -> None:
        self._member = member
        self._backlog = backlog
        self._link: Link | None = None
        self._relations: dict[int, Relation] = {}
        self._pending: list[Change] = []
        self._error: Exception | None = None
        self._losses: int | None = None
        self._wake = asyncio.Event()
        self._room = asyncio.Event()
        self._numbers = count(1)
        self._asked: dict[int, asyncio.Future[str | None]] = {}

    async def open(self) -> None:
        """Connect. Raises StreamBroken and NotFlowing."""
        try:
            self._link = await connect(self._member, SERVICE)
            while self._losses is None:
                self._take(orjson.loads(await self._link.receive()))
        except LinkLost as error:
            raise StreamBroken("the parent does not answer") from error

    async def cover_published(self) -> None:
        """Let the parent see to it. Raises ConnectionError."""
        if self._link is None:
            return
        number = next(self._numbers)
        answer = self._asked[number] = asyncio.get_running_loop().create_future()
        self._link.post(orjson.dumps(number))
        try:
            failure = await answer
        finally:
            del self._asked[number]
        if failure is not None:
            raise ConnectionError(failure)

    async def batches(self, size: int) -> AsyncIterator[list[Change]]:
        """Changes in commit order, as many at once as have come, up to `size`. Ends only by an exception."""
        reading = asyncio.ensure_future(self._read())
        try:
            while True:
                await self._wake.wait()
                batch, self._pending = self._pending[:size], self._pending[size:]
                if len(self._pending) < self._backlog:
                    self._room.set()
                if batch:
                    yield batch
                elif self._error is not None:
                    raise self._error
                else:
                    self._wake.clear()
        finally:
            reading.cancel()

    def close(self) -> None:
        """End the connection; whoever still waits for an answer gets none."""
        if self._link is not None:
            self._link.close()
            self._link = None
        for answer in self._asked.values():
            if not answer.done():
                answer.set_result("the connection was closed")

    async def gone(self) -> None:
        """The slot is the parent's."""

    async def _read(self) -> None:
        assert self._link is not None
        try:
            while True:
                self._take(orjson.loads(await self._link.receive()))
                self._room.clear()
                self._wake.set()
                if len(self._pending) >= self._backlog:
                    await self._room.wait()
        except LinkLost:
            self._error = StreamBroken("the parent is gone, or this worker was too slow")
        except (NotFlowing, StreamBroken) as error:
            self._error = error
        except Exception as error:
            # Whatever it is: a reader that ended silently would leave subscribers without changes and without a word.
            self._error = StreamBroken(f"what the parent told can't be read: {error!r}")
        self._wake.set()

    def _take(self, told: JsonMapping) -> None:
        match told:
            case {"changes": rows}:
                self._pending += [self._change(*row) for row in rows]
            case {"relation": fields}:
                relation = _relation(fields)
                self._relations[relation.oid] = relation
            case {"covered": number, "failure": failure}:
                if number in self._asked and not self._asked[number].done():
                    self._asked[number].set_result(failure)
            case {"state": state}:
                self._heed(**state)

    def _heed(self, live: bool, failure: str | None, losses: int) -> None:
        """Changes that stopped for the parent stopped for us. Raises NotFlowing and StreamBroken."""
        if self._losses not in (None, losses):
            raise StreamBroken("the parent lost the changes")
        if live:
            self._losses = losses
        elif failure is not None:
            raise NotFlowing(failure)

    def _change(
        self,
        oid: int,
        action: str,
        record: dict[str, str | None] | None,
        old: dict[str, str | None] | None,
        xid: int,
        lsn: int,
        microseconds: int,
        size: int,
    ) -> Change:
        committed_at = POSTGRES_EPOCH + microseconds * MICROSECOND
        return Change(self._relations[oid], Action(action), record, old, xid, lsn, committed_at, size)


def _state_frame(state: FeedState) -> bytes:
    return orjson.dumps({"state": {"live": state.live, "failure": state.failure, "losses": state.losses}})


def _relation_frame(relation: Relation) -> bytes:
    columns = [(column.name, column.type_oid, column.is_identity) for column in relation.columns]
    return orjson.dumps({"relation": [relation.oid, relation.schema, relation.table, columns]})


def _relation(fields: Sequence[object]) -> Relation:
    match fields:
        case [int(oid), str(schema), str(table), list(columns)]:
            return Relation(oid, schema, table, tuple(Column(*column) for column in columns))
    raise StreamBroken("a table that can't be read")


def _fields(change: Change) -> list[object]:
    """A change without its table, as `RelayedStream._change` takes it."""
    microseconds = (change.committed_at - POSTGRES_EPOCH) // MICROSECOND
    rows = [change.relation.oid, change.action.value, change.record, change.old]
    return [*rows, change.xid, change.lsn, microseconds, change.size]
