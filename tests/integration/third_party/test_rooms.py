"""Users of another issuer read, write, store, listen and call, under the policies of the project."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import httpx
import pytest

from tests.integration.realtime.phoenix import Phoenix, phoenix
from tests.integration.third_party.conftest import SUBJECT, Abroad

ROWS = "/rest/v1/moorings"


async def clear(abroad: Abroad) -> None:
    await abroad.minato.db.execute("delete from public.moorings")


def refusal(answer: httpx.Response) -> tuple[int, Any]:
    return answer.status_code, answer.json().get("code")


async def test_a_user_sees_and_writes_the_rows_that_the_policy_gives_their_subject(abroad: Abroad) -> None:
    await clear(abroad)
    await abroad.minato.db.execute("insert into public.moorings values (1, 'user_other', 'A1')")
    async with abroad.client() as client:
        made = await client.post(ROWS, json={"id": 2, "berth": "B2"}, headers={"prefer": "return=representation"})
        seen = await client.get(ROWS)
        stolen = await client.post(ROWS, json={"id": 3, "sailor": "user_other"})
    assert (made.status_code, made.json()) == (201, [{"id": 2, "sailor": SUBJECT, "berth": "B2"}])
    assert [row["id"] for row in seen.json()] == [2]
    assert refusal(stolen) == (403, "42501")
    async with abroad.client(abroad.token("user_other")) as other:
        assert [row["id"] for row in (await other.get(ROWS)).json()] == [1]


async def test_a_token_that_names_no_role_is_of_nobody(abroad: Abroad) -> None:
    await clear(abroad)
    await abroad.minato.db.execute("insert into public.moorings values (1, $1, 'A1')", SUBJECT)
    async with abroad.client(abroad.token(role=None)) as client:
        answer = await client.get(ROWS)
    assert (answer.status_code, answer.json()) == (200, [])


async def test_a_policy_that_wants_a_uuid_of_another_subject_answers_400(abroad: Abroad) -> None:
    async with abroad.client() as client:
        assert refusal(await client.get("/rest/v1/numbered")) == (400, "22P02")


async def test_a_token_counts_between_its_times_and_no_longer(abroad: Abroad) -> None:
    now = int(abroad.minato.backend.clock.timestamp())
    for claims, message in (
        ({"exp": now - 60}, "JWT expired"),
        ({"nbf": now + 60}, "JWT not yet valid"),
        ({"exp": None}, "A token of another issuer needs exp"),
    ):
        async with abroad.client(abroad.token(**claims)) as client:
            answer = await client.get(ROWS)
            stored = await client.post("/storage/v1/object/logs/late.txt", content=b"x")
        assert (answer.status_code, answer.json()["code"], answer.json()["message"]) == (401, "PGRST303", message)
        assert stored.json()["statusCode"] == "403"


async def test_a_token_that_was_remembered_ends_when_it_expires(abroad: Abroad) -> None:
    async with abroad.client() as client:
        assert (await client.get(ROWS)).status_code == 200
        assert (await client.get(ROWS)).status_code == 200
        clock = abroad.minato.backend.clock
        clock.advance(timedelta(seconds=700))
        try:
            assert refusal(await client.get(ROWS)) == (401, "PGRST303")
        finally:
            clock.advance(timedelta(seconds=-700))


async def test_an_object_has_the_subject_for_its_owner_and_no_uuid(abroad: Abroad) -> None:
    async with abroad.client() as client:
        stored = await client.post("/storage/v1/object/logs/own/log.txt", content=b"fair winds")
        read = await client.get("/storage/v1/object/authenticated/logs/own/log.txt")
        told = await client.get("/storage/v1/object/info/logs/own/log.txt")
        signed = await client.post("/storage/v1/object/sign/logs/own/log.txt", json={"expiresIn": 60})
        listed = await client.post("/storage/v1/object/list/logs", json={"prefix": "own"})
        by_address = await client.get(f"/storage/v1{signed.json()['signedURL']}")
    assert stored.status_code == 200, stored.text
    assert (read.content, by_address.content) == (b"fair winds", b"fair winds")
    assert told.status_code == 200, told.text
    assert [one["name"] for one in listed.json()] == ["log.txt"]
    row = await abroad.minato.db.fetchrow("select owner, owner_id from storage.objects where name = 'own/log.txt'")
    assert row is not None
    assert (row["owner"], row["owner_id"]) == (None, SUBJECT)
    async with abroad.client(abroad.token("user_other")) as other:
        denied = await other.get("/storage/v1/object/authenticated/logs/own/log.txt")
        assert denied.json()["statusCode"] == "404"


async def test_an_upload_in_pieces_and_one_by_a_signed_address_are_the_subjects(abroad: Abroad) -> None:
    named = ",".join(
        f"{name} {b64encode(value.encode()).decode()}"
        for name, value in (("bucketName", "logs"), ("objectName", "tus"))
    )
    # A session of the issuer's, which is none of ours, keeps nobody from either.
    token = abroad.token(session_id="7f2a8b7e-9c1d-4a53-8a63-0d9f4d1e2c3b")
    async with abroad.client(token) as client:
        head = {"tus-resumable": "1.0.0", "upload-length": "4", "upload-metadata": named}
        begun = await client.post("/storage/v1/upload/resumable", headers=head)
        assert begun.status_code == 201, begun.text
        body = {"tus-resumable": "1.0.0", "upload-offset": "0", "content-type": "application/offset+octet-stream"}
        ended = await client.patch(begun.headers["location"], headers=body, content=b"knot")
        assert ended.status_code == 204, ended.text
        signed = await client.post("/storage/v1/object/upload/sign/logs/signed.txt")
        assert signed.status_code == 200, signed.text
        stored = await client.put(f"/storage/v1{signed.json()['url']}", content=b"x")
        assert stored.status_code == 200, stored.text
    rows = await abroad.minato.db.fetch(
        "select owner, owner_id from storage.objects where name in ('tus', 'signed.txt') order by name"
    )
    assert [tuple(row) for row in rows] == [(None, SUBJECT), (None, SUBJECT)]


async def test_a_policy_of_storage_that_wants_a_uuid_is_no_fault_of_the_server(abroad: Abroad) -> None:
    await abroad.minato.db.execute(
        """insert into storage.buckets (id, name) values ('numbered', 'numbered');
        create policy "numbered" on storage.objects as restrictive for insert to authenticated
            with check (bucket_id <> 'numbered' or owner = auth.uid())"""
    )
    try:
        async with abroad.client() as client:
            stored = await client.post("/storage/v1/object/numbered/x.txt", content=b"x")
        assert (stored.status_code, stored.json()["code"]) == (400, "InvalidParameter")
    finally:
        await abroad.minato.db.execute('drop policy "numbered" on storage.objects')


@pytest.fixture
async def socket(abroad: Abroad) -> AsyncIterator[Phoenix]:
    async with phoenix(abroad.minato) as client:
        yield client


DECK = f"deck-{SUBJECT}"
PRIVATE = {"private": True, "broadcast": {"self": True}}


async def test_a_private_channel_opens_for_whom_its_policy_names(abroad: Abroad, socket: Phoenix) -> None:
    joined = await socket.join(DECK, PRIVATE, access_token=abroad.token())
    assert joined.payload["status"] == "ok", joined
    refused = await socket.join("deck-user_other", PRIVATE, access_token=abroad.token())
    assert refused.payload["status"] == "error"
    tracked = await socket.call(
        f"realtime:{DECK}", "presence", {"type": "presence", "event": "track", "payload": {"at": "bow"}}, joined.ref
    )
    assert tracked.payload["status"] == "ok"
    message = {"topic": DECK, "event": "bell", "payload": {"rings": 2}, "private": True}
    async with abroad.client() as client:
        sent = await client.post("/realtime/v1/api/broadcast", json={"messages": [message]})
    assert sent.status_code == 202, sent.text
    heard = await socket.event("broadcast", DECK)
    assert heard.payload["payload"] == {"rings": 2}


async def test_row_changes_come_to_whose_rows_they_are_also_after_the_token_was_renewed(
    abroad: Abroad, socket: Phoenix
) -> None:
    await clear(abroad)
    entry = {"event": "INSERT", "schema": "public", "table": "moorings"}
    await socket.follow("rows", entry, access_token=abroad.token())
    await abroad.minato.db.execute("insert into public.moorings values (1, 'user_other', 'A1'), (2, $1, 'B2')", SUBJECT)
    assert (await socket.change())["record"]["id"] == 2
    await socket.send("realtime:rows", "access_token", {"access_token": abroad.token("user_other")}, None, "1")
    assert (await socket.system("rows"))["message"] == "Subscribed to PostgreSQL"
    await abroad.minato.db.execute("insert into public.moorings values (3, $1, 'B3'), (4, 'user_other', 'A4')", SUBJECT)
    assert (await socket.change())["record"]["id"] == 4


async def test_row_changes_under_a_policy_that_wants_a_uuid_leave_the_channel_open(
    abroad: Abroad, socket: Phoenix
) -> None:
    entry = {"event": "*", "schema": "public", "table": "numbered"}
    await socket.follow("numbers", entry, access_token=abroad.token())
    await abroad.minato.db.execute("update public.numbered set owner = gen_random_uuid()")
    assert (await socket.call("phoenix", "heartbeat", {})).payload["status"] == "ok"


async def test_a_function_that_wants_a_token_takes_theirs(abroad: Abroad) -> None:
    async with abroad.client() as client:
        called = await client.post("/functions/v1/quay")
    assert (called.status_code, called.json()) == (200, {"called": True})
    for bad in (abroad.token(exp=1), abroad.token(role="service_role"), abroad.token(iss="http://127.0.0.1:9")):
        async with abroad.client(bad) as client:
            refused = await client.post("/functions/v1/quay")
        assert (refused.status_code, refused.json()) == (401, {"msg": "Invalid JWT"})


async def test_the_journal_knows_who_asked(abroad: Abroad) -> None:
    async with abroad.client() as client:
        answer = await client.get(ROWS)
    event = abroad.minato.backend.journal.request(answer.headers["x-request-id"])
    assert event is not None
    assert event.recorded().role == "authenticated"
    assert event.recorded().claims["sub"] == SUBJECT
