"""The presence event of one channel: track and untrack, who may, and how often."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from minato.realtime.broadcast import UnspeakablePayload, payload_size
from minato.realtime.errors import ChannelShutdown
from minato.realtime.fanout.base import Topic
from minato.realtime.services import Services

NOT_A_MAP = "Presence track payload must be a map"


class PresenceRefused(Exception):
    """A presence call answered with an error; `response` is the reply's."""

    def __init__(self, response: dict[str, object]) -> None:
        super().__init__(response)
        self.response = response


class PresenceCalls:
    """Counts and answers the presence calls of one channel `instance`; `may_track` asks its policies."""

    def __init__(
        self, services: Services, topic: Topic, instance: str, key: str, may_track: Callable[[], Awaitable[bool]]
    ) -> None:
        self._services = services
        self._topic = topic
        self._instance = instance
        self._key = key
        self._may_track = may_track
        self._calls = 0
        self._window_ends = 0.0

    async def handle(self, payload: object) -> None:
        """Do what `payload` asks. Raises PresenceRefused and ChannelShutdown."""
        if not isinstance(payload, dict) or "event" not in payload:
            return
        self._count()
        event = payload["event"]
        match event.lower() if isinstance(event, str) else event:
            case "track":
                await self._track(payload.get("payload", {}))
            case "untrack":
                self._services.presence.untrack(self._topic, self._instance)
            case _:
                raise PresenceRefused({})

    async def _track(self, payload: object) -> None:
        presence, limit = self._services.presence, self._services.limits.presence
        if not await self._may_track():
            raise PresenceRefused({})
        if not isinstance(payload, dict):
            raise PresenceRefused({"reason": NOT_A_MAP})
        if payload == presence.tracked(self._topic, self._instance):
            return
        self._require_size(payload)
        if limit.exceeded:
            raise ChannelShutdown("Too many presence messages per second")
        limit.count()
        presence.track(self._topic, self._instance, self._key, payload)

    def _require_size(self, payload: dict[str, object]) -> None:
        try:
            size = payload_size(payload)
        except UnspeakablePayload as error:
            raise PresenceRefused({}) from error
        if size > self._services.settings.max_payload_bytes:
            raise ChannelShutdown("Track message size exceeded")

    def _count(self) -> None:
        settings, now = self._services.settings, self._services.clock.monotonic()
        if now > self._window_ends:
            self._calls, self._window_ends = 0, now + settings.client_presence_window
        if 0 < settings.max_client_presence_events <= self._calls:
            raise ChannelShutdown("Client presence rate limit exceeded")
        self._calls += 1
