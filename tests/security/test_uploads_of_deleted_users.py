"""A token outlives its user by up to an hour, the right to leave files does not."""

from __future__ import annotations

from collections.abc import AsyncIterator
from uuid import uuid4

import pytest

from tests.integration.storage.conftest import Storage
from tests.support.server import Minato
from tests.support.ways_in import WAYS, meant

GONE = "User from sub claim in JWT does not exist"


@pytest.fixture
async def storage(minato: Minato) -> AsyncIterator[Storage]:
    """With everybody allowed to do everything but to what is another's."""
    await minato.db.execute('create policy "open" on storage.objects to authenticated using (true) with check (true)')
    yield Storage(minato)
    await minato.db.execute('drop policy "open" on storage.objects')


async def member(storage: Storage) -> tuple[str, str]:
    """The id and the access token of somebody who has just signed in."""
    minato, email, password = storage.minato, f"{uuid4()}@example.com", "a good long password"
    async with minato.client(minato.service_role_key) as service:
        person = {"email": email, "password": password, "email_confirm": True}
        created = await service.post("/auth/v1/admin/users", json=person)
        assert created.status_code == 200, created.text
        session = await service.post("/auth/v1/token?grant_type=password", json={"email": email, "password": password})
    return created.json()["id"], session.json()["access_token"]


async def remove(storage: Storage, user: str, soft: bool) -> None:
    minato = storage.minato
    async with minato.client(minato.service_role_key) as service:
        gone = await service.request("DELETE", f"/auth/v1/admin/users/{user}", json={"should_soft_delete": soft})
    assert gone.status_code == 200, gone.text


@pytest.mark.parametrize("way", WAYS)
async def test_a_deleted_users_token_puts_nothing_into_a_bucket(storage: Storage, way: str) -> None:
    bucket = await storage.bucket()
    user, token = await member(storage)
    assert await WAYS[way](storage, token, bucket, "before", b"x", "text/plain") == 200
    await remove(storage, user, soft=False)
    assert await WAYS[way](storage, token, bucket, "after", b"x", "text/plain") == 403
    names = "select array_agg(name) from storage.objects where bucket_id = $1"
    assert await storage.minato.db.fetchval(names, bucket) == ["before"]


async def test_the_refusal_says_why_also_to_one_deleted_softly(storage: Storage) -> None:
    bucket = await storage.bucket()
    user, token = await member(storage)
    await remove(storage, user, soft=True)
    async with storage.client(token) as client:
        answer = await client.post(f"/object/{bucket}/a", content=b"x")
    assert (answer.status_code, answer.json()["message"]) == (400, GONE)


async def test_a_url_that_a_deleted_user_signed_is_void(storage: Storage) -> None:
    bucket = await storage.bucket()
    user, token = await member(storage)
    async with storage.client(token) as client:
        url = (await client.post(f"/object/upload/sign/{bucket}/a", json={})).json()["url"]
        await remove(storage, user, soft=False)
        assert meant(await client.put(url, content=b"x")) == 403


async def test_users_of_another_issuer_are_not_looked_for(storage: Storage) -> None:
    bucket, token = await storage.bucket(), storage.minato.token(str(uuid4()))
    assert await WAYS["upload"](storage, token, bucket, "a", b"x", "text/plain") == 200
