"""Every bucket by uploading, reading, listing and deleting by every kind of caller, over the storage service.

matrix/storage.txt: the status of an answer, or how many objects were listed or deleted. "own" is the caller's folder,
"other" that of somebody else; visitors and the service have a folder nobody owns.
"""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx
import pytest

from tests.support.marketplace import ALL_IDS, Market, opened
from tests.support.matrix import Deed, compare, names
from tests.support.postgres import Cluster

FILES = {
    "profiles": "avatar.png",
    "car-images": "car.png",
    "verification-documents": "identity.png",
    "dispute-evidence": "evidence.png",
}
OTHER = ALL_IDS["closed_importer"]
# one transparent dot
PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000a49444154789c6300010000050001"
    "0d0a2db40000000049454e44ae426082"
)
SENT = {"content-type": "image/png"}


@pytest.fixture(scope="module")
async def market(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Market]:
    async with opened(cluster, tmp_path_factory.mktemp("storage")) as market:
        yield market


def folder(who: str) -> str:
    return ALL_IDS.get(who, ALL_IDS["nobody"])


async def put(market: Market, bucket: str, owner: str) -> None:
    """The object of a folder is there, whoever removed it before."""
    async with market.as_("service_role", "/storage/v1") as service:
        answer = await service.put(f"/object/{bucket}/{owner}/{FILES[bucket]}", content=PNG, headers=SENT)
        assert answer.status_code == 200, answer.text


async def gone(market: Market, bucket: str, owner: str) -> None:
    async with market.as_("service_role", "/storage/v1") as service:
        await service.request("DELETE", f"/object/{bucket}", json={"prefixes": [f"{owner}/{FILES[bucket]}"]})


def deeds_of(market: Market, bucket: str) -> dict[str, Deed]:
    """What is tried with a bucket; every deed finds the object there, and a first upload finds none."""

    def client(who: str) -> httpx.AsyncClient:
        return market.as_(who, "/storage/v1")

    async def upload(who: str, owner: str) -> object:
        await gone(market, bucket, owner)
        async with client(who) as caller:
            path = f"/object/{bucket}/{owner}/{FILES[bucket]}"
            return (await caller.post(path, content=PNG, headers=SENT)).status_code

    async def replace(who: str, owner: str) -> object:
        await put(market, bucket, owner)
        async with client(who) as caller:
            path = f"/object/{bucket}/{owner}/{FILES[bucket]}"
            return (await caller.put(path, content=PNG, headers=SENT)).status_code

    async def read(who: str, owner: str, door: str) -> object:
        await put(market, bucket, owner)
        async with client(who) as caller:
            return (await caller.get(f"/object/{door}/{bucket}/{owner}/{FILES[bucket]}")).status_code

    async def listed(who: str, owner: str) -> object:
        await put(market, bucket, owner)
        async with client(who) as caller:
            answer = await caller.post(f"/object/list/{bucket}", json={"prefix": owner})
            return len(answer.json()) if answer.is_success else answer.status_code

    async def deleted(who: str, owner: str) -> object:
        await put(market, bucket, owner)
        async with client(who) as caller:
            body = {"prefixes": [f"{owner}/{FILES[bucket]}"]}
            answer = await caller.request("DELETE", f"/object/{bucket}", json=body)
            return len(answer.json()) if answer.is_success else answer.status_code

    return {
        f"{bucket} upload own": lambda who: upload(who, folder(who)),
        f"{bucket} upload other": lambda who: upload(who, OTHER),
        f"{bucket} replace own": lambda who: replace(who, folder(who)),
        f"{bucket} replace other": lambda who: replace(who, OTHER),
        f"{bucket} read own": lambda who: read(who, folder(who), "authenticated"),
        f"{bucket} read other": lambda who: read(who, OTHER, "authenticated"),
        f"{bucket} read public": lambda who: read(who, OTHER, "public"),
        f"{bucket} list own": lambda who: listed(who, folder(who)),
        f"{bucket} list other": lambda who: listed(who, OTHER),
        f"{bucket} delete own": lambda who: deleted(who, folder(who)),
        f"{bucket} delete other": lambda who: deleted(who, OTHER),
    }


@pytest.mark.parametrize("bucket", FILES)
async def test_every_caller_gets_from_a_bucket_what_the_matrix_says(market: Market, bucket: str) -> None:
    await compare("storage", deeds_of(market, bucket))


async def test_every_caller_does_with_buckets_what_the_matrix_says(market: Market) -> None:
    async def asked(who: str, method: str, path: str, body: object = None) -> object:
        async with market.as_(who, "/storage/v1") as caller:
            answer = await caller.request(method, path, json=body)
        if method == "GET" and answer.is_success:
            return len(answer.json())
        return answer.status_code

    deeds: dict[str, Deed] = {
        "buckets list": lambda who: asked(who, "GET", "/bucket"),
        "buckets create": lambda who: asked(who, "POST", "/bucket", {"name": f"of-{who.replace('_', '-')}"}),
        "buckets open up": lambda who: asked(who, "PUT", "/bucket/verification-documents", {"public": False}),
        "buckets empty": lambda who: asked(who, "POST", "/bucket/verification-documents/empty"),
        "buckets delete": lambda who: asked(who, "DELETE", "/bucket/of-service-role"),
    }
    await compare("storage", deeds)


async def test_the_matrix_knows_every_bucket(market: Market) -> None:
    made = "select id from storage.buckets where id not like 'of-%'"
    assert {row[0] for row in await market.db.fetch(made)} == set(FILES)
    assert {name.partition(" ")[0] for name in names("storage")} == {*FILES, "buckets"}
