"""Which fan-out the settings ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from minato.backend import Backend
from minato.realtime.fanout.base import Fanout
from minato.realtime.fanout.in_process import InProcessFanout
from minato.realtime.fanout.postgres import PostgresRelay
from minato.realtime.fanout.shared import SharedFanout

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

            relay: PostgresRelay | RedisRelay = Relay(url, settings.redis_channel)
        case "postgres":
            relay = PostgresRelay(backend.database)
        case _:
            return InProcessFanout()
    return SharedFanout(relay, backend.entropy, settings.fanout_backlog, backend.supervisor, backend.log)
