"""The presence event of one channel: track and untrack, who may, and how often."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from api.realtime.authorization import AuthorizationUnavailable, PolicyError
from api.realtime.broadcast import UnspeakablePayload, payload_size
from api.realtime.errors import ChannelShutdown

if TYPE_CHECKING:
    from api.realtime.channel import Channel

NOT_A_MAP = "Presence track payload must be a map"


class PresenceRefused(Exception):
    """A presence call answered with an error; `response` is the reply's."""

    def __init__(self, response: dict[str, Any]) -> None:
        super().__init__(response)
        self.response = response


class PresenceCalls:
    """Counts and answers the presence calls of one channel instance."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._calls = 0
        self._window_ends = 0.0

    async def handle(self, payload: Any) -> None:
        """Do what `payload` asks. Raises PresenceRefused and ChannelShutdown."""
        if not isinstance(payload, dict) or "event" not in payload:
            return
        self._count()
        event = payload["event"]
        match event.lower() if isinstance(event, str) else event:
            case "track":
                await self._track(payload.get("payload", {}))
            case "untrack":
                await self._channel.services.presence.untrack(self._channel.topic, self._channel.instance)
            case _:
                raise PresenceRefused({})

    async def _track(self, payload: Any) -> None:
        channel, services = self._channel, self._channel.services
        await self._authorize()
        if not isinstance(payload, dict):
            raise PresenceRefused({"reason": NOT_A_MAP})
        if payload == services.presence.tracked(channel.topic, channel.instance):
            return
        self._require_size(payload)
        if services.limits.presence.exceeded:
            raise ChannelShutdown("Too many presence messages per second")
        services.limits.presence.count()
        await services.presence.track(channel.topic, channel.instance, channel.presence_key, payload)

    async def _authorize(self) -> None:
        """Ask the policies at the first track; whether presence may be read, too, where the join did not."""
        channel = self._channel
        if channel.policies.write_presence is None:
            authorization, question = channel.services.authorization, channel.question()
            try:
                if channel.policies.read_presence is None:
                    channel.policies = await authorization.read(question, channel.policies, with_presence=True)
                channel.policies = await authorization.write(question, channel.policies)
            except (PolicyError, AuthorizationUnavailable) as error:
                raise PresenceRefused({}) from error
        if not channel.policies.write_presence:
            raise PresenceRefused({})

    def _require_size(self, payload: dict[str, Any]) -> None:
        try:
            size = payload_size(payload)
        except UnspeakablePayload as error:
            raise PresenceRefused({}) from error
        if size > self._channel.services.settings.max_payload_bytes:
            raise ChannelShutdown("Track message size exceeded")

    def _count(self) -> None:
        settings, now = self._channel.services.settings, self._channel.services.clock.monotonic()
        if now > self._window_ends:
            self._calls, self._window_ends = 0, now + settings.client_presence_window
        if 0 < settings.max_client_presence_events <= self._calls:
            raise ChannelShutdown("Client presence rate limit exceeded")
        self._calls += 1
