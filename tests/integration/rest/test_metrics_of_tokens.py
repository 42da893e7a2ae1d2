"""How often a token was looked up, and found, is counted for the metrics of the data API."""

from __future__ import annotations

import httpx
from minato.rest.admin import DataApiCollector
from minato.rest.app import RestRoom

from tests.support.server import Minato


def counted(server: Minato) -> dict[str, float]:
    room = server.application.rooms["/rest/v1"]
    assert isinstance(room, RestRoom)
    families = DataApiCollector(room).collect()
    return {family.name.partition("jwt_cache_")[2]: family.samples[0].value for family in families if family.samples}


async def test_a_token_is_found_from_its_second_request_on(club: Minato, anon: httpx.AsyncClient) -> None:
    token = {"authorization": f"Bearer {club.token('22222222-2222-2222-2222-222222222222', seen='never before')}"}
    before = counted(club)
    for _ in range(3):
        assert (await anon.get("/clubs", headers=token)).status_code == 200
    after = counted(club)
    assert after["requests"] - before["requests"] == 3
    assert after["hits"] - before["hits"] == 2
