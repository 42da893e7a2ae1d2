"""A Phoenix client over a real websocket, for both protocol versions: join, push, and wait for what must come."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Protocol

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

WAIT = 10.0
"""Seconds after which a frame that has not come counts as missing."""


@dataclass(frozen=True)
class Heard:
    """One message of the server; `payload` is bytes for a raw binary broadcast."""

    join_ref: str | None
    ref: str | None
    topic: str
    event: str
    payload: Any

    @property
    def response(self) -> Any:
        """What a reply carries."""
        return self.payload["response"]


@dataclass
class Phoenix:
    """One socket. What was heard but not yet asked for stays in `pending`, in order."""

    socket: ClientConnection
    version: str
    pending: list[Heard] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._refs = count(1)

    async def send(self, topic: str, event: str, payload: Any, ref: str | None, join_ref: str | None = None) -> None:
        if self.version == "2.0.0":
            frame: Any = [join_ref, ref, topic, event, payload]
        else:
            frame = {"topic": topic, "event": event, "payload": payload, "ref": ref, "join_ref": join_ref}
        await self.socket.send(json.dumps(frame))

    async def call(self, topic: str, event: str, payload: Any, join_ref: str | None = None) -> Heard:
        """Send and wait for the reply."""
        ref = str(next(self._refs))
        await self.send(topic, event, payload, ref, ref if event == "phx_join" else join_ref)
        return await self.hear(lambda heard: heard.event == "phx_reply" and heard.ref == ref)

    async def join(self, name: str, config: dict[str, Any] | None = None, **payload: Any) -> Heard:
        """Join `realtime:<name>` and give the reply; its ref is the channel's join_ref."""
        return await self.call(f"realtime:{name}", "phx_join", {"config": config or {}, **payload})

    async def follow(self, name: str, *entries: dict[str, Any], **payload: Any) -> list[int]:
        """Join with postgres_changes and wait until changes flow; the ids of the entries."""
        joined = await self.join(name, {"postgres_changes": list(entries)}, **payload)
        assert joined.payload["status"] == "ok", joined
        system = await self.system(name)
        assert system["message"] == "Subscribed to PostgreSQL", system
        return [entry["id"] for entry in joined.response["postgres_changes"]]

    async def follow_feed(self, name: str, **config: Any) -> None:
        """Join and wait until what SQL sends is heard."""
        await self.join(name, {"broadcast": {"replication_ready": True}, **config})
        assert (await self.system(name))["message"] == "Replication connection established"

    async def system(self, name: str) -> dict[str, Any]:
        """The next system message of a topic."""
        heard = await self.event("system", name)
        payload: dict[str, Any] = heard.payload
        return payload

    async def event(self, event: str, name: str | None = None) -> Heard:
        """The next message of that event, of one topic if named."""
        return await self.hear(lambda heard: heard.event == event and name in (None, heard.topic[len("realtime:") :]))

    async def change(self) -> dict[str, Any]:
        """The data of the next row change."""
        data: dict[str, Any] = (await self.event("postgres_changes")).payload["data"]
        return data

    async def hear(self, wanted: Callable[[Heard], bool]) -> Heard:
        """The first message that is wanted; what came before it stays pending."""
        async with asyncio.timeout(WAIT):
            position = 0
            while True:
                while position < len(self.pending):
                    if wanted(self.pending[position]):
                        return self.pending.pop(position)
                    position += 1
                self.pending.append(parse(await self.socket.recv(), self.version))

    async def settle(self) -> list[Heard]:
        """Everything heard up to the answer of a heartbeat sent now: what has not come by then was not sent."""
        await self.call("phoenix", "heartbeat", {})
        heard, self.pending = self.pending, []
        return heard

    async def closed(self) -> int | None:
        """The close code, once the server has closed."""
        async with asyncio.timeout(WAIT):
            with contextlib.suppress(ConnectionClosed):
                while True:
                    await self.socket.recv()
        return self.socket.close_code


def parse(frame: str | bytes, version: str) -> Heard:
    """A frame of the server."""
    if isinstance(frame, bytes):
        return parse_user_broadcast(frame)
    fields = json.loads(frame)
    if version == "2.0.0":
        return Heard(*fields)
    return Heard(None, fields["ref"], fields["topic"], fields["event"], fields["payload"])


def parse_user_broadcast(frame: bytes) -> Heard:
    """A kind 4 frame, as realtime-js shows it."""
    kind, topic_size, event_size, meta_size, encoding = frame[:5]
    assert kind == 4
    parts = []
    start = 5
    for size in (topic_size, event_size, meta_size):
        parts.append(frame[start : start + size].decode())
        start += size
    topic, event, meta = parts
    payload = json.loads(frame[start:]) if encoding == 1 else frame[start:]
    shown = {"type": "broadcast", "event": event, "payload": payload}
    return Heard(None, None, topic, "broadcast", shown | ({"meta": json.loads(meta)} if meta else {}))


def user_broadcast_push(
    topic: str, event: str, data: bytes, ref: str = "", join_ref: str = "", json: bool = True
) -> bytes:
    """A kind 3 frame, as realtime-js sends every broadcast."""
    strings = [part.encode() for part in (join_ref, ref, topic, event, "")]
    return bytes([3, *map(len, strings), int(json)]) + b"".join(strings) + data


class Served(Protocol):
    """A server, or a backend below a prefix of one."""

    @property
    def url(self) -> str: ...

    @property
    def anon_key(self) -> str: ...


@asynccontextmanager
async def phoenix(
    server: Served, apikey: str | None = None, version: str = "2.0.0", **headers: str
) -> AsyncIterator[Phoenix]:
    """A connected socket with the anon key, or another."""
    key = server.anon_key if apikey is None else apikey
    url = f"{server.url.replace('http', 'ws', 1)}/realtime/v1/websocket?apikey={key}&vsn={version}"
    # As many frames as come wait here: a full queue would stop the reading, and a close would wait ten seconds for it.
    async with connect(url, additional_headers=headers, max_size=None, max_queue=None, compression=None) as socket:
        yield Phoenix(socket, version)
