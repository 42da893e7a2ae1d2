"""Who is present on a topic: each channel instance may track one meta under its key.

State lives in memory and ends with the channel. Every process holds the presences of all; each change is told to a
topic's listeners as a diff, by the process they are connected to.
"""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Mapping

from minato.background import Supervisor, ended
from minato.clock import Clock
from minato.entropy import Entropy
from minato.realtime.fanout.base import Envelope, Kind, Topic
from minato.realtime.hub import Hub
from minato.realtime.message import TOPIC_PREFIX, Push
from minato.realtime.presence_replicas import PresenceReplicas
from minato.realtime.roster import Presence, Presences, Roster


class PresenceTracker:
    """The presences of all topics. `beat`: seconds between signs of life to the other processes."""

    def __init__(self, hub: Hub, entropy: Entropy, clock: Clock, supervisor: Supervisor, beat: float) -> None:
        self._hub = hub
        self._entropy = entropy
        self._node = str(entropy.uuid4())
        self._roster = Roster()
        self._payloads: dict[tuple[Topic, str], Mapping[str, object]] = {}
        self._replicas = PresenceReplicas(self._node, self._roster, self._apply, hub.tell, clock, beat)
        self._supervisor = supervisor
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Learn who is present elsewhere; the hub is started."""
        self._hub.on_note(self._replicas.hear)
        self._task = self._supervisor.keep("presence of other processes", self._replicas.run)

    async def stop(self) -> None:
        """Take leave of the other processes; the hub still runs."""
        await ended(self._task)
        self._replicas.leave()

    def state(self, topic: Topic) -> Presences:
        """Everyone present on `topic`."""
        return self._roster.state(topic)

    def tracked(self, topic: Topic, instance: str) -> Mapping[str, object] | None:
        """The payload the channel `instance` of this process tracks, None when it tracks none."""
        return self._payloads.get((topic, instance))

    def track(self, topic: Topic, instance: str, key: str, payload: Mapping[str, object]) -> None:
        """Let `instance` be present with `payload`, in place of what it tracked before."""
        before = self._roster.get(topic, instance)
        meta = {**payload, "phx_ref": self._reference()}
        if before is not None:
            meta["phx_ref_prev"] = before.meta["phx_ref"]
        self._payloads[topic, instance] = payload
        presence = Presence(self._node, key, meta)
        self._apply(topic, instance, presence)
        self._replicas.announce(topic, instance, presence)

    def untrack(self, topic: Topic, instance: str) -> None:
        """End the presence of `instance`; fine when it has none."""
        if self._payloads.pop((topic, instance), None) is not None:
            self._apply(topic, instance, None)
            self._replicas.announce(topic, instance, None)

    def _apply(self, topic: Topic, instance: str, presence: Presence | None) -> None:
        if presence is None:
            before, joins = self._roster.remove(topic, instance), {}
        else:
            before, joins = self._roster.put(topic, instance, presence), _metas(presence)
        leaves = _metas(before) if before is not None else {}
        if joins or leaves:
            diff = Push(TOPIC_PREFIX + topic.name, "presence_diff", {"joins": joins, "leaves": leaves})
            self._hub.deliver(Envelope(topic, Kind.PRESENCE, diff))

    def _reference(self) -> str:
        return base64.urlsafe_b64encode(self._entropy.bytes(12)).decode()


def _metas(presence: Presence) -> Presences:
    return {presence.key: {"metas": [presence.meta]}}
