"""A channel's token: refreshed, refused, expired."""

from __future__ import annotations

from uuid import uuid4

import pytest

from tests.integration.realtime.conftest import Table, both_feeds
from tests.integration.realtime.phoenix import Phoenix, phoenix
from tests.support.server import Minato

pytestmark = both_feeds


async def refresh(client: Phoenix, token: object, name: str = "room") -> None:
    await client.send(f"realtime:{name}", "access_token", {"access_token": token}, None)


async def test_a_new_token_changes_what_is_seen(minato: Minato, notes: Table) -> None:
    owner = str(uuid4())
    async with phoenix(minato) as client, phoenix(minato, minato.service_role_key) as witness:
        await witness.follow("room", notes.entry("INSERT"))
        await client.follow("room", notes.entry("INSERT"))
        await refresh(client, minato.token(owner))
        assert (await client.system("room"))["message"] == "Subscribed to PostgreSQL"
        await notes.run("insert into {t} (id, owner) values (1, $1)", owner)
        assert (await client.change())["record"]["id"] == 1
        await refresh(client, minato.token(str(uuid4())))
        await client.system("room")
        await notes.run("insert into {t} (id, owner) values (2, $1)", owner)
        assert [(await witness.change())["record"]["id"] for _ in range(2)] == [1, 2]
        await refresh(client, minato.token(owner, again=True))
        await client.system("room")
        await notes.run("insert into {t} (id, owner) values (3, $1)", owner)
        assert (await client.change())["record"]["id"] == 3


@pytest.mark.parametrize("token", [None, 5, "sb_publishable_x"])
async def test_what_is_no_new_token_is_ignored(minato: Minato, token: object) -> None:
    async with phoenix(minato) as client:
        await client.join("room")
        await refresh(client, token)
        await refresh(client, minato.anon_key)
        assert await client.settle() == []


@pytest.mark.parametrize(
    ("token", "message"),
    [("", "The token provided is not a valid JWT"), ("a.b.c", "The token provided is not a valid JWT")],
)
async def test_a_bad_token_shuts_the_channel_down(minato: Minato, token: str, message: str) -> None:
    async with phoenix(minato) as client:
        joined = await client.join("room")
        await refresh(client, token)
        told = await client.system("room")
        assert told == {"extension": "system", "status": "error", "message": message, "channel": "room"}
        assert (await client.event("phx_close", "room")).join_ref == joined.ref


async def test_a_token_of_another_secret_shuts_the_channel_down(minato: Minato) -> None:
    header, payload, _ = minato.token().split(".")
    async with phoenix(minato) as client:
        await client.join("room")
        await refresh(client, f"{header}.{payload}.{'A' * 43}")
        assert (await client.system("room"))["message"] == ":signature_error"


async def test_a_token_that_expires_ends_its_channel_and_no_other(minato: Minato) -> None:
    soon = minato.token(exp=int(minato.backend.clock.timestamp()) + 2)
    async with phoenix(minato) as client:
        await client.join("lasting")
        await client.join("short", access_token=soon)
        told = await client.system("short")
        assert told["status"] == "error"
        assert told["message"].startswith("Token has expired ")
        await client.event("phx_close", "short")
        await client.join("lasting", {"broadcast": {"ack": True}})
        await client.event("phx_close", "lasting")
        assert (await client.call("realtime:lasting", "broadcast", {"event": "e"})).payload["status"] == "ok"


async def test_losing_the_right_to_read_ends_a_private_channel(minato: Minato) -> None:
    member, stranger = str(uuid4()), str(uuid4())
    await minato.db.execute(
        f"""
        create policy "revoking" on realtime.messages for select to authenticated using (
            realtime.topic() = 'revoking' and (auth.uid() = '{member}' or extension = 'presence'))
        """
    )
    try:
        async with phoenix(minato) as client:
            config = {"private": True, "presence": {"enabled": True}}
            await client.join("revoking", config, access_token=minato.token(member))
            await refresh(client, minato.token(member, again=True), "revoking")
            await client.event("presence_state")
            assert await client.settle() == []
            await refresh(client, minato.token(stranger), "revoking")
            assert (await client.system("revoking"))["message"] == (
                "You no longer have permission to read from this Channel topic: revoking"
            )
            await client.event("phx_close", "revoking")
            await client.join("revoking", {"private": True}, access_token=minato.token(member))
            await refresh(client, minato.token(stranger), "revoking")
            assert (await client.system("revoking"))["message"] == (
                "You do not have permissions to read from this Channel topic: revoking"
            )
    finally:
        await minato.db.execute('drop policy "revoking" on realtime.messages')
