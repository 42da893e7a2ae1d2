"""A URL for an upload is good as long as its signer may upload, and says nothing about the signer."""

from __future__ import annotations

import base64
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from uuid import uuid4

import httpx
import pytest
from minato.config.storage import StorageSettings
from minato.database.address import DatabaseAddress

from tests.integration.marketplace.cast import IDS, set_the_scene
from tests.integration.storage.conftest import Storage
from tests.integration.storage.test_images import picture
from tests.support.server import Minato, running
from tests.support.server import settings_for as settings_with
from tests.support.ways_in import meant, tus_headers

SUSPEND = "update profiles set status = 'suspended' where user_id = $1::uuid"


@pytest.fixture
def storage(minato: Minato) -> Storage:
    return Storage(minato)


@asynccontextmanager
async def allowing(storage: Storage, bucket: str, rule: str) -> AsyncIterator[None]:
    """A policy under which callers may upload to the bucket."""
    check = f"with check (bucket_id = '{bucket}' and {rule})"
    await storage.minato.db.execute(f'create policy "{bucket}" on storage.objects for insert {check}')
    try:
        yield
    finally:
        await storage.minato.db.execute(f'drop policy "{bucket}" on storage.objects')


async def sign(storage: Storage, token: str, place: str) -> dict[str, str]:
    async with storage.client(token) as client:
        answer = await client.post(f"/object/upload/sign/{place}", json={})
    assert answer.status_code == 200, answer.text
    signed: dict[str, str] = answer.json()
    return signed


def anybody(storage: Storage) -> httpx.AsyncClient:
    return httpx.AsyncClient(base_url=f"{storage.minato.url}/storage/v1")


async def test_a_signed_upload_ends_with_the_signers_right_to_it(own_minato: Minato) -> None:
    await set_the_scene(own_minato.db)
    storage, agent, photo = Storage(own_minato), own_minato.token(IDS["agent"]), picture(9, 9, "PNG")
    place = ("car-images", f"{IDS['agent']}/a.png")
    signed = await sign(storage, agent, "/".join(place))
    await own_minato.db.execute(SUSPEND, IDS["agent"])
    async with anybody(storage) as client:
        put = await client.put(signed["url"], content=photo, headers={"content-type": "image/png"})
        headers = {"x-signature": signed["token"], **tus_headers(*place, len(photo), "image/png")}
        resumed = await client.post("/upload/resumable/sign", content=photo, headers=headers)
    assert (meant(put), meant(resumed)) == (403, 403)
    assert not await own_minato.db.fetchval("select count(*) from storage.objects where name = $1", place[1])


async def test_a_resumable_upload_ends_with_the_right_to_it(own_minato: Minato) -> None:
    await set_the_scene(own_minato.db)
    storage, photo = Storage(own_minato), picture(9, 9, "PNG")
    place = ("car-images", f"{IDS['agent']}/a.png")
    signed = await sign(storage, own_minato.token(IDS["agent"]), "/".join(place))
    async with anybody(storage) as client:
        headers = {"x-signature": signed["token"], **tus_headers(*place, len(photo), "image/png")}
        begun = await client.post("/upload/resumable/sign", content=photo[:9], headers=headers)
        assert begun.status_code == 201, begun.text
        await own_minato.db.execute(SUSPEND, IDS["agent"])
        rest = {**headers, "upload-offset": "9"}
        assert (await client.patch(begun.headers["location"], content=photo[9:], headers=rest)).status_code == 403


async def test_the_signers_claims_are_asked_again_and_told_to_nobody(storage: Storage) -> None:
    bucket, minato = await storage.bucket(), storage.minato
    token = minato.token(str(uuid4()), app_metadata={"team": "secret team"})
    rule = "auth.jwt() -> 'app_metadata' ->> 'team' = 'secret team' and metadata ->> 'mimetype' <> 'text/xsl'"
    async with allowing(storage, bucket, rule), anybody(storage) as client:
        signed = await sign(storage, token, f"{bucket}/a")
        refused = await client.put(signed["url"], content=b"x", headers={"content-type": "text/xsl"})
        put = await client.put(signed["url"], content=b"x", headers={"content-type": "text/plain"})
    assert (meant(refused), meant(put)) == (403, 200)
    claims = base64.urlsafe_b64decode(signed["token"].split(".")[1] + "==")
    assert b"team" not in claims
    assert b"app_metadata" not in claims


async def test_the_token_of_a_signed_upload_is_no_access_token(storage: Storage) -> None:
    bucket = await storage.bucket(public=False)
    signed = await sign(storage, storage.minato.service_role_key, f"{bucket}/a")
    async with storage.client(signed["token"]) as client:
        assert bucket not in (await client.get("/bucket")).text
        assert meant(await client.post(f"/object/{bucket}/b", content=b"x")) == 403


async def test_a_url_of_the_reference_is_asked_as_its_owner(storage: Storage) -> None:
    bucket, minato, owner = await storage.bucket(), storage.minato, str(uuid4())
    claims = {"owner": owner, "url": f"{bucket}/a", "upsert": False, "exp": int(minato.backend.clock.timestamp()) + 60}
    url = f"/object/upload/sign/{bucket}/a?token={minato.backend.keys.sign(claims)}"
    async with anybody(storage) as client:
        assert meant(await client.put(url, content=b"x")) == 403
        async with allowing(storage, bucket, f"auth.uid() = '{owner}'"):
            assert meant(await client.put(url, content=b"x")) == 200


async def test_a_setting_lets_the_url_alone_decide(address: DatabaseAddress, tmp_path: Path) -> None:
    lenient = StorageSettings(check_every_way_in=False)
    async with running(address, settings_with(tmp_path, storage=lenient)) as server:
        storage, owner = Storage(server), str(uuid4())
        bucket = await storage.bucket()
        async with allowing(storage, bucket, "true"):
            signed = await sign(storage, server.token(owner), f"{bucket}/a")
        async with anybody(storage) as client:
            assert meant(await client.put(signed["url"], content=b"x")) == 200
        assert await server.db.fetchval("select owner_id from storage.objects where bucket_id = $1", bucket) == owner
