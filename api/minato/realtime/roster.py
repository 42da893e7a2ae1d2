"""Who is present where: the presences of every process, by topic and by the process that owns them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from minato.realtime.fanout.base import Topic

Meta = dict[str, object]
Presences = dict[str, dict[str, list[Meta]]]
"""Key → `{"metas": [oldest first]}`, as clients see it."""


@dataclass(frozen=True)
class Presence:
    """What one channel instance tracks: `meta` is what clients see of it, `node` the process it is connected to."""

    node: str
    key: str
    meta: Meta


class Roster:
    """Topic → channel instance → presence."""

    def __init__(self) -> None:
        self._topics: dict[Topic, dict[str, Presence]] = {}

    def get(self, topic: Topic, instance: str) -> Presence | None:
        """What `instance` tracks."""
        return self._topics.get(topic, {}).get(instance)

    def put(self, topic: Topic, instance: str, presence: Presence) -> Presence | None:
        """Let `instance` be present, as the newest; what it tracked before."""
        present = self._topics.setdefault(topic, {})
        before = present.pop(instance, None)
        present[instance] = presence
        return before

    def remove(self, topic: Topic, instance: str) -> Presence | None:
        """End the presence of `instance`; what it tracked."""
        present = self._topics.get(topic, {})
        gone = present.pop(instance, None)
        if not present:
            self._topics.pop(topic, None)
        return gone

    def state(self, topic: Topic) -> Presences:
        """Everyone present on `topic`."""
        state: Presences = {}
        for presence in self._topics.get(topic, {}).values():
            state.setdefault(presence.key, {"metas": []})["metas"].append(presence.meta)
        return state

    def of_node(self, node: str) -> Mapping[tuple[Topic, str], Presence]:
        """All presences of one process."""
        return {
            (topic, instance): presence
            for topic, present in self._topics.items()
            for instance, presence in present.items()
            if presence.node == node
        }
