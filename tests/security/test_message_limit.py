"""Thirty messages a minute are thirty, in however many requests they come at the same moment."""

from __future__ import annotations

import asyncio

import pytest

from tests.integration.marketplace.cast import IDS, set_the_scene
from tests.support.server import Minato

SENT = "select count(*) from messages where sender_id = $1::uuid and created_at > now() - interval '1 minute'"


@pytest.mark.parametrize(("writers", "size"), [(40, 1), (8, 10), (8, 30)])
async def test_messages_sent_at_once_are_no_more_than_thirty(own_minato: Minato, writers: int, size: int) -> None:
    await set_the_scene(own_minato.db)
    await own_minato.db.execute("delete from messages")
    sender = IDS["importer"]
    receivers = [IDS[name] for name in ("agent", "other_agent")]
    async with own_minato.client(own_minato.token(sender)) as client:
        bodies = [
            [{"sender_id": sender, "receiver_id": receivers[number % 2], "content": "Hi"}] * size
            for number in range(writers)
        ]
        answers = await asyncio.gather(*(client.post("/rest/v1/messages", json=body) for body in bodies))
    assert [answer.status_code for answer in answers].count(201) == 30 // size
    assert {answer.json()["code"] for answer in answers if not answer.is_success} == {"P0001"}
    assert await own_minato.db.fetchval(SENT, sender) == 30
