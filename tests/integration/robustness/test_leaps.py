"""A clock that leaps ends sessions and codes; it ends no server."""

from __future__ import annotations

from datetime import timedelta

from tests.support.accounts import member, opened_account, sign_in
from tests.support.server import Minato

LEAPS = [timedelta(hours=2), timedelta(hours=-4), timedelta(days=-1), timedelta(days=1000), timedelta(days=-999)]


async def test_a_server_whose_clock_leaps_goes_on(own_minato: Minato) -> None:
    clock = own_minato.backend.clock
    account = await opened_account(own_minato)
    async with own_minato.client() as client:
        for leap in LEAPS:
            clock.put(clock.now() + leap)
            assert (await client.get("/readyz")).text == "ok", leap
            bearer = {"authorization": f"Bearer {own_minato.token()}"}
            assert (await client.get("/rest/v1/reviews", headers=bearer)).status_code == 200, leap
            assert (await sign_in(client, account["email"])).status_code == 200, leap
            await member(own_minato, client)
