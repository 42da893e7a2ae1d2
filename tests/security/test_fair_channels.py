"""One user's channels leave room for everybody else's."""

from __future__ import annotations

from pathlib import Path
from uuid import uuid4

from minato.config.realtime import RealtimeSettings
from minato.database.address import DatabaseAddress

from tests.integration.realtime.phoenix import phoenix
from tests.support.server import running, settings_for


async def test_one_user_joins_only_so_many_topics_on_all_sockets(address: DatabaseAddress, tmp_path: Path) -> None:
    settings = settings_for(tmp_path, realtime=RealtimeSettings(max_channels_per_user=2))
    async with running(address, settings) as server, phoenix(server) as one, phoenix(server) as two:
        member, other = server.token(str(uuid4())), server.token(str(uuid4()))
        await one.join("a", access_token=member)
        await two.join("b", access_token=member)
        refused = await two.join("c", access_token=member)
        assert refused.payload["response"]["reason"] == "ChannelRateLimitReached: Too many channels"
        assert (await two.join("d", access_token=other)).payload["status"] == "ok"
        await one.call("realtime:a", "phx_leave", {})
        assert (await two.join("c", access_token=member)).payload["status"] == "ok"
