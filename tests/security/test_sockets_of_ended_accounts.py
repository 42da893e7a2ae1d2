"""An account that is deleted or banned hears nothing more, although its token has time left."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from uuid import uuid4

import httpx
import pytest
from minato.config.realtime import RealtimeSettings
from minato.config.server import ServerSettings
from minato.database.address import DatabaseAddress
from websockets.exceptions import InvalidStatus

from tests.integration.realtime.phoenix import phoenix
from tests.support.server import Minato, running, settings_for

ENDED = "The account of this token has ended"


@pytest.fixture
async def server(address: DatabaseAddress, tmp_path: Path) -> AsyncIterator[Minato]:
    """One that looks often."""
    settings = settings_for(tmp_path, realtime=RealtimeSettings(account_check_interval=0.05))
    async with running(address, settings) as server:
        yield server


async def signed_in(server: Minato) -> tuple[str, str]:
    """A new account's id and access token."""
    email, password = f"{uuid4().hex}@example.com", "a long enough password"
    async with server.client(server.service_role_key) as admin:
        made = await admin.post(
            "/auth/v1/admin/users", json={"email": email, "password": password, "email_confirm": True}
        )
        answer = await admin.post("/auth/v1/token?grant_type=password", json={"email": email, "password": password})
    return made.json()["id"], answer.json()["access_token"]


async def end(server: Minato, account: str, way: str) -> httpx.Response:
    async with server.client(server.service_role_key) as admin:
        path = f"/auth/v1/admin/users/{account}"
        if way == "banned":
            return await admin.put(path, json={"ban_duration": "1h"})
        return await admin.request("DELETE", path, json={"should_soft_delete": way == "softly"})


@pytest.mark.parametrize("way", ["for good", "softly", "banned"])
async def test_the_channels_of_an_ended_account_are_closed(server: Minato, way: str) -> None:
    account, token = await signed_in(server)
    _, other = await signed_in(server)
    async with phoenix(server) as client, phoenix(server) as witness:
        await client.join("room", access_token=token)
        await witness.join("room", access_token=other)
        assert (await end(server, account, way)).status_code == 200
        assert (await client.system("room"))["message"] == ENDED
        await client.event("phx_close", "room")
        assert (await client.join("room", access_token=token)).payload["response"] == {
            "reason": f"Unauthorized: {ENDED}"
        }
        assert await witness.settle() == []


async def test_the_channels_of_another_issuers_account_stay(server: Minato) -> None:
    stranger, (account, token) = server.token(str(uuid4())), await signed_in(server)
    async with phoenix(server) as client, phoenix(server) as witness:
        await client.join("room", access_token=stranger)
        await witness.join("room", access_token=token)
        await end(server, account, "for good")
        await witness.event("phx_close", "room")
        assert await client.settle() == []


async def test_a_lifted_ban_lets_join_again(server: Minato) -> None:
    account, token = await signed_in(server)
    async with phoenix(server) as client:
        await client.join("room", access_token=token)
        await end(server, account, "banned")
        await client.event("phx_close", "room")
        async with server.client(server.service_role_key) as admin:
            await admin.put(f"/auth/v1/admin/users/{account}", json={"ban_duration": "none"})
        await server.application.rooms["/realtime/v1"].services.accounts.look()  # type: ignore[attr-defined]
        assert (await client.join("room", access_token=token)).payload["status"] == "ok"


async def test_one_address_has_only_so_many_sockets(address: DatabaseAddress, tmp_path: Path) -> None:
    settings = settings_for(tmp_path, realtime=RealtimeSettings(max_sockets_per_address=2))
    async with running(address, settings) as server, phoenix(server), phoenix(server) as second:
        async with server.client(connection="Upgrade", upgrade="websocket") as client:
            handshake = {"sec-websocket-version": "13", "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ=="}
            url = f"/realtime/v1/websocket?vsn=1.0.0&apikey={server.anon_key}"
            assert (await client.get(url, headers=handshake)).status_code == 429
        assert (await second.join("room")).payload["status"] == "ok"


async def test_the_addresses_of_one_subscriber_have_only_so_many_sockets(
    address: DatabaseAddress, tmp_path: Path
) -> None:
    proxied = ServerSettings(data_dir=tmp_path, web_root=None, trusted_proxies=["127.0.0.1"])
    settings = settings_for(tmp_path, server=proxied, realtime=RealtimeSettings(max_sockets_per_address=1))
    async with running(address, settings) as server, phoenix(server, **{"x-forwarded-for": "2001:db8::1"}):
        with pytest.raises(InvalidStatus, match="429"):
            async with phoenix(server, **{"x-forwarded-for": "2001:db8::2"}):
                """Never open."""
        async with phoenix(server, **{"x-forwarded-for": "2001:db8:1::1"}) as elsewhere:
            assert (await elsewhere.join("room")).payload["status"] == "ok"
