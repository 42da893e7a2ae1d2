"""Who is present on a topic: each channel instance may track one meta under its key.

State lives in memory and ends with the channel; every change is published to the topic as a diff.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from api.entropy import Entropy
from api.realtime.fanout.base import Envelope, Kind, Topic
from api.realtime.hub import Hub
from api.realtime.message import TOPIC_PREFIX, Push

Meta = dict[str, Any]
Presences = dict[str, dict[str, list[Meta]]]
"""Key → `{"metas": [oldest first]}`, as clients see it."""


@dataclass(frozen=True)
class Presence:
    """What one channel instance tracks: the user's `payload`, and the `meta` clients see of it."""

    key: str
    payload: Mapping[str, Any]
    meta: Meta


class PresenceTracker:
    """The presences of all topics of one process."""

    def __init__(self, hub: Hub, entropy: Entropy) -> None:
        self._hub = hub
        self._entropy = entropy
        self._topics: dict[Topic, dict[str, Presence]] = {}

    def state(self, topic: Topic) -> Presences:
        """Everyone present on `topic`."""
        state: Presences = {}
        for presence in self._topics.get(topic, {}).values():
            state.setdefault(presence.key, {"metas": []})["metas"].append(presence.meta)
        return state

    def tracked(self, topic: Topic, instance: str) -> Mapping[str, Any] | None:
        """The payload the channel `instance` tracks, None when it tracks none."""
        presence = self._topics.get(topic, {}).get(instance)
        return presence.payload if presence is not None else None

    async def track(self, topic: Topic, instance: str, key: str, payload: Mapping[str, Any]) -> None:
        """Let `instance` be present with `payload`, in place of what it tracked before."""
        present = self._topics.setdefault(topic, {})
        before = present.pop(instance, None)
        meta = {**payload, "phx_ref": self._reference()}
        if before is not None:
            meta["phx_ref_prev"] = before.meta["phx_ref"]
        present[instance] = Presence(key, payload, meta)
        leaves = {before.key: {"metas": [before.meta]}} if before is not None else {}
        await self._publish(topic, {key: {"metas": [meta]}}, leaves)

    async def untrack(self, topic: Topic, instance: str) -> None:
        """End the presence of `instance`; fine when it has none."""
        present = self._topics.get(topic, {})
        gone = present.pop(instance, None)
        if not present:
            self._topics.pop(topic, None)
        if gone is not None:
            await self._publish(topic, {}, {gone.key: {"metas": [gone.meta]}})

    async def _publish(self, topic: Topic, joins: Presences, leaves: Presences) -> None:
        diff = Push(TOPIC_PREFIX + topic.name, "presence_diff", {"joins": joins, "leaves": leaves})
        await self._hub.publish(Envelope(topic, Kind.PRESENCE, diff))

    def _reference(self) -> str:
        return base64.urlsafe_b64encode(self._entropy.bytes(12)).decode()
