"""What a member may do once, or so often, is that also where it comes in many requests at the same moment."""

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


async def test_an_invitation_accepted_by_eight_requests_opens_one_deal_that_is_told_once(own_minato: Minato) -> None:
    await set_the_scene(own_minato.db)
    await own_minato.db.execute("delete from notification_outbox")
    path = f"/rest/v1/invitations?id=eq.{IDS['invitation']}"
    async with own_minato.client(own_minato.token(IDS["importer"])) as client:
        await asyncio.gather(*(client.patch(path, json={"status": "accepted"}) for _ in range(8)))
    deals = "select count(*) from deals where invitation_id = $1::uuid"
    told = "select count(*) from notification_outbox where user_id = $1::uuid and kind = 'invitation_accepted'"
    assert await own_minato.db.fetchval(deals, IDS["invitation"]) == 1
    assert await own_minato.db.fetchval(told, IDS["agent"]) == 1


async def test_of_eight_invitations_and_reviews_of_one_member_at_once_one_is_written(own_minato: Minato) -> None:
    await set_the_scene(own_minato.db)
    await own_minato.db.execute("delete from invitations where status = 'sent'; delete from reviews")
    agent, importer = IDS["agent"], IDS["other_importer"]
    rows = {
        "invitations": (agent, {"agent_id": agent, "importer_id": IDS["importer"], "message": "Hello"}),
        "reviews": (importer, {"reviewer_id": importer, "reviewed_id": agent, "rating": 1}),
    }
    for table, (who, row) in rows.items():
        async with own_minato.client(own_minato.token(who)) as client:
            requests = [client.post(f"/rest/v1/{table}", json=row) for _ in range(8)]
            answers = await asyncio.gather(*requests)
        assert sorted(answer.status_code for answer in answers) == [201, *[409] * 7], (table, answers[0].text)
