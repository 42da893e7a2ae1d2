"""Which fan-out the settings ask for, and the one of a single process: straight to its own listeners."""

from __future__ import annotations

from typing import TYPE_CHECKING

from minato.backend import Backend
from minato.machine.exchange import Exchange
from minato.machine.link import Member
from minato.realtime.fanout.base import Deliver, Envelope, Fanout, Hear, Note
from minato.realtime.fanout.machine import SERVICE, MachineRelay, RelayService
from minato.realtime.fanout.postgres import PostgresRelay
from minato.realtime.fanout.shared import SharedFanout


class InProcessFanout:
    """A `Fanout` without any wire."""

    dropped = 0

    def __init__(self) -> None:
        self._deliver: Deliver | None = None

    async def start(self, deliver: Deliver, hear: Hear) -> None:
        """Deliver everything that is published to `deliver`; there is nobody to hear of."""
        self._deliver = deliver

    async def stop(self) -> None:
        """Deliver nothing any more."""
        self._deliver = None

    async def publish(self, envelope: Envelope) -> None:
        """Deliver now."""
        if self._deliver is not None:
            self._deliver(envelope)

    def tell(self, note: Note) -> None:
        """Nobody else is there."""


if TYPE_CHECKING:
    from minato.realtime.fanout.redis import RedisRelay


def create_fanout(backend: Backend) -> Fanout:
    """The fan-out of one backend. Raises ValueError for Redis without an address."""
    settings = backend.settings.realtime
    url = settings.redis_url.get_secret_value() if settings.redis_url else None
    match settings.fanout or ("redis" if url else "process"):
        case "redis":
            if url is None:
                raise ValueError("REALTIME_FANOUT=redis needs a REDIS_URL")
            # The client takes 18 MB; who has no Redis does not pay for it.
            from minato.realtime.fanout.redis import RedisRelay as Relay

            relay: MachineRelay | PostgresRelay | RedisRelay = Relay(url, settings.redis_channel, backend.redis)
        case "postgres":
            relay = PostgresRelay(backend.database)
        case _:
            if isinstance(backend.machine, Exchange):
                backend.machine.offer(SERVICE, RelayService())
            if not isinstance(backend.machine, Member):
                return InProcessFanout()
            relay = MachineRelay(backend.machine)
    return SharedFanout(relay, backend.entropy, settings.fanout_backlog, backend.supervisor, backend.log)
