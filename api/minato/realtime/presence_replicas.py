"""Presences of the other processes, copied: each process numbers its changes and tells them to the others.

Notes can get lost, so a process says its number every few seconds, and whoever has missed one asks for everything. A
process that falls silent is taken for dead.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from minato.clock import Clock
from minato.json_text import JsonMapping
from minato.realtime.fanout.base import Note, Topic
from minato.realtime.roster import Presence, Roster

Apply = Callable[[Topic, str, Presence | None], None]
"""Takes a channel instance's new presence, None when it has gone, into the roster, and tells the topic's listeners."""


@dataclass
class Replica:
    """What is known of another process; `version` counts the changes taken over, None until all are known."""

    version: int | None
    heard_at: float


class PresenceReplicas:
    """Keeps `roster` complete. `beat` in seconds; a process silent for three of them is gone."""

    def __init__(
        self, node: str, roster: Roster, apply: Apply, tell: Callable[[Note], None], clock: Clock, beat: float
    ) -> None:
        self._node = node
        self._roster = roster
        self._apply = apply
        self._tell = tell
        self._clock = clock
        self._beat = beat
        self._version = 0
        self._replicas: dict[str, Replica] = {}

    def announce(self, topic: Topic, instance: str, presence: Presence | None) -> None:
        """Tell the others what changed here."""
        self._version += 1
        self._say("change", change=_entry(topic, instance, presence))

    async def run(self) -> None:
        """Ask everybody at first, then beat until cancelled."""
        self._say("ask", of=None)
        while True:
            self._say("beat")
            self._bury_silent()
            await asyncio.sleep(self._beat)

    def leave(self) -> None:
        """Tell the others that nobody is here any more."""
        self._say("leave")

    def hear(self, note: Note) -> None:
        """What another process said."""
        body = note.body
        node, version = body["node"], body["version"]
        if node == self._node:
            return
        replica = self._replicas.setdefault(node, Replica(None, 0.0))
        replica.heard_at = self._clock.monotonic()
        match body["say"]:
            case "change":
                self._hear_change(node, replica, version, body["change"])
            case "beat" if replica.version != version:
                self._say("ask", of=node)
            case "ask" if body["of"] in (None, self._node):
                self._say("state", entries=[_entry(*key, p) for key, p in self._roster.of_node(self._node).items()])
            case "state":
                self._replace(node, body["entries"])
                replica.version = version
            case "leave":
                self._bury(node)

    def _hear_change(self, node: str, replica: Replica, version: int, entry: Mapping[str, object]) -> None:
        if replica.version is None or version > replica.version + 1:
            replica.version = None
            self._say("ask", of=node)
        elif version == replica.version + 1:
            replica.version = version
            self._apply(*_read(node, entry))

    def _replace(self, node: str, entries: Iterable[Mapping[str, object]]) -> None:
        """Take over everything a process has, telling listeners only the differences."""
        current = {(topic, instance): presence for topic, instance, presence in (_read(node, e) for e in entries)}
        before = self._roster.of_node(node)
        for topic, instance in before.keys() - current.keys():
            self._apply(topic, instance, None)
        for (topic, instance), presence in current.items():
            if before.get((topic, instance)) != presence:
                self._apply(topic, instance, presence)

    def _bury_silent(self) -> None:
        oldest = self._clock.monotonic() - 3 * self._beat
        for node in [node for node, replica in self._replicas.items() if replica.heard_at < oldest]:
            self._bury(node)

    def _bury(self, node: str) -> None:
        self._replicas.pop(node, None)
        for topic, instance in self._roster.of_node(node):
            self._apply(topic, instance, None)

    def _say(self, say: str, **more: object) -> None:
        self._tell(Note({"say": say, "node": self._node, "version": self._version, **more}))


def _entry(topic: Topic, instance: str, presence: Presence | None) -> dict[str, object]:
    fields = {} if presence is None else {"key": presence.key, "meta": presence.meta}
    return {"topic": topic.name, "private": topic.private, "instance": instance, **fields}


def _read(node: str, entry: JsonMapping) -> tuple[Topic, str, Presence | None]:
    presence = Presence(node, entry["key"], entry["meta"]) if "meta" in entry else None
    return Topic(entry["topic"], entry["private"]), entry["instance"], presence
