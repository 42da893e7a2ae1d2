"""The papers of an agent's verification are nobody else's, whichever way somebody asks for them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.integration.storage.conftest import Storage
from tests.integration.storage.s3_client import call, refusal, s3_client
from tests.integration.storage.test_images import picture
from tests.support.marketplace import ALL_IDS, Market, opened
from tests.support.postgres import Cluster
from tests.support.ways_in import meant, tus_headers

BUCKET, OWNER = "verification-documents", ALL_IDS["agent"]
NAME, PAPER = f"{OWNER}/passport.png", picture(9, 9, "PNG")
STRANGERS = ["anon", "anonymous", "unconfirmed_importer", "importer", "other_agent", "suspended", "deleted"]
# What the owner may do and nobody else, and what not even the owner may.
READS = [
    "GET /object",
    "GET /object/authenticated",
    "HEAD /object",
    "GET /object/info",
    "GET /object/info/authenticated",
]
CLOSED = ["GET /object/public", "HEAD /object/public", "GET /object/info/public", "GET /render/image/public"]
Answered = dict[str, int]


@pytest.fixture(scope="module")
async def market(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Market]:
    async with opened(cluster, tmp_path_factory.mktemp("papers")) as market:
        async with market.as_("service_role", "/storage/v1") as service:
            put = await service.post(f"/object/{BUCKET}/{NAME}", content=PAPER, headers={"content-type": "image/png"})
            assert put.is_success, put.text
        yield market


async def asked(market: Market, who: str, own: str) -> Answered:
    """What every way to the paper answers, as the status that is meant; `own` is a place of the caller's."""
    found: Answered = {}
    place, elsewhere = f"{BUCKET}/{NAME}", {"destinationBucket": "profiles", "destinationKey": own}
    pair = {"bucketId": BUCKET, "sourceKey": NAME}
    bodies = {
        f"/object/sign/{place}": {"expiresIn": 60},
        f"/object/upload/sign/{place}": {},
        "/object/copy": {**pair, **elsewhere},
        "/object/move": {**pair, **elsewhere},
        "/object/copy over": {
            "bucketId": "profiles",
            "sourceKey": own,
            "destinationBucket": BUCKET,
            "destinationKey": NAME,
        },
    }
    async with market.as_(who, "/storage/v1", **{"x-upsert": "true"}) as client:
        for way in (*READS, *CLOSED):
            method, path = way.split(" ")
            found[way] = (await client.request(method, f"{path}/{place}")).status_code
        found["picture"] = meant(await client.get(f"/render/image/authenticated/{place}?width=5"))
        found["unsigned"] = meant(await client.get(f"/object/sign/{place}?token={market.token(who)}"))
        for path, body in bodies.items():
            found[path] = meant(await client.post(path.split(" ")[0], json=body))
        sent = {"content-type": "image/png"}
        found["put"] = meant(await client.put(f"/object/{place}", content=PAPER, headers=sent))
        found["resumable"] = meant(
            await client.post("/upload/resumable", content=b"x", headers=tus_headers(BUCKET, NAME, 1, "image/png"))
        )
        found["delete"] = meant(await client.delete(f"/object/{place}"))
    return found


@pytest.mark.parametrize("who", STRANGERS)
async def test_no_stranger_reads_replaces_or_removes_a_paper(market: Market, who: str) -> None:
    found = await asked(market, who, f"{ALL_IDS.get(who, ALL_IDS['nobody'])}/avatar.png")
    assert {way: status for way, status in found.items() if status < 400} == {}
    await require_kept(market)


@pytest.mark.parametrize("who", STRANGERS)
async def test_no_stranger_finds_it_in_a_list(market: Market, who: str) -> None:
    async with market.as_(who, "/storage/v1") as client:
        prefixes = ("", OWNER, f"{OWNER}/", f"{OWNER}/pass", OWNER[:8])
        lists = [await client.post(f"/object/list/{BUCKET}", json={"prefix": prefix}) for prefix in prefixes]
        lists += [await client.post(f"/object/list-v2/{BUCKET}", json={"prefix": prefix}) for prefix in prefixes]
        lists.append(await client.post(f"/object/list/{BUCKET}", json={"prefix": "", "search": "passport"}))
        lists.append(await client.request("DELETE", f"/object/{BUCKET}", json={"prefixes": [NAME]}))
    assert [answer.text for answer in lists if OWNER in answer.text or "passport" in answer.text] == []
    await require_kept(market)


@pytest.mark.parametrize("who", ["importer", "other_agent", "suspended"])
async def test_no_member_gets_at_it_over_s3(market: Market, who: str) -> None:
    s3 = s3_client(Storage(market.server), market.token(who))
    place: dict[str, Any] = {"Bucket": BUCKET, "Key": NAME}
    own = {"Bucket": "profiles", "Key": f"{ALL_IDS[who]}/avatar.png"}
    for function in (s3.get_object, s3.head_object):
        assert (await refusal(function, **place))[0] == 404
    for function in (s3.put_object, s3.create_multipart_upload):
        assert (await refusal(function, **place, ContentType="image/png"))[0] == 403
    assert (await refusal(s3.copy_object, **own, CopySource=place))[0] in (403, 404)
    typed = {"MetadataDirective": "REPLACE", "ContentType": "image/png"}
    assert (await refusal(s3.copy_object, **place, CopySource=own, **typed))[0] in (403, 404)
    assert "Contents" not in await call(s3.list_objects_v2, Bucket=BUCKET, Prefix=OWNER)
    await require_kept(market)


async def test_its_owner_and_the_administrator_read_it(market: Market) -> None:
    """What is refused above is there, and refused for who asks."""
    for who in ("agent", "admin"):
        found = await asked(market, who, f"{ALL_IDS['nobody']}/avatar.png")
        read = [*READS, "picture", f"/object/sign/{BUCKET}/{NAME}"]
        assert {way: found[way] for way in read} == dict.fromkeys(read, 200)
        assert [way for way, status in found.items() if status < 400 and way not in read] == []
    await require_kept(market)


async def require_kept(market: Market) -> None:
    async with market.as_("service_role", "/storage/v1") as service:
        assert (await service.get(f"/object/{BUCKET}/{NAME}")).content == PAPER
