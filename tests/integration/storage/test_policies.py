"""Row-level security is the authorization: every endpoint from both sides, by the policies of its statement."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.integration.storage.conftest import Storage

OWN = "bucket_id = '{bucket}' and owner_id = (select auth.uid()::text)"
POLICIES = {
    "select": f"for select to authenticated using ({OWN})",
    "insert": (
        "for insert to authenticated with check "
        "(bucket_id = '{bucket}' and (storage.foldername(name))[1] = auth.uid()::text)"
    ),
    "update": f"for update to authenticated using ({OWN}) with check ({OWN})",
    "delete": f"for delete to authenticated using ({OWN})",
}


@dataclass
class Case:
    """A private bucket with some policies, and the people at it."""

    storage: Storage
    bucket: str
    owner: str
    stranger: str

    def client(self, who: str) -> httpx.AsyncClient:
        minato = self.storage.minato
        tokens = {
            "anon": minato.anon_key,
            "owner": minato.token(self.owner),
            "stranger": minato.token(self.stranger),
            "service_role": minato.service_role_key,
        }
        return self.storage.client(tokens[who])

    @property
    def key(self) -> str:
        return f"{self.owner}/file.txt"


@pytest.fixture
async def case(storage: Storage, request: pytest.FixtureRequest) -> AsyncIterator[Case]:
    bucket = await storage.bucket(public=False)
    names = []
    for action in getattr(request, "param", POLICIES):
        names.append(f"{action} {bucket}")
        rule = POLICIES[action].format(bucket=bucket)
        await storage.minato.db.execute(f'create policy "{names[-1]}" on storage.objects {rule}')
    yield Case(storage, bucket, str(uuid4()), str(uuid4()))
    for name in names:
        await storage.minato.db.execute(f'drop policy "{name}" on storage.objects')


DENIED = {"anon": False, "stranger": False, "owner": True, "service_role": True}


async def _act(case: Case, client: httpx.AsyncClient, action: str) -> httpx.Response:
    bucket, key = case.bucket, case.key
    paths: dict[str, tuple[str, str, dict[str, Any]]] = {
        "upsert": ("POST", f"/object/{bucket}/{key}", {"content": b"x", "headers": {"x-upsert": "true"}}),
        "put": ("PUT", f"/object/{bucket}/{key}", {"content": b"x"}),
        "get": ("GET", f"/object/{bucket}/{key}", {}),
        "head": ("HEAD", f"/object/{bucket}/{key}", {}),
        "info": ("GET", f"/object/info/{bucket}/{key}", {}),
        "sign": ("POST", f"/object/sign/{bucket}/{key}", {"json": {"expiresIn": 60}}),
        "sign upload": ("POST", f"/object/upload/sign/{bucket}/{key}", {"json": {}, "headers": {"x-upsert": "true"}}),
        "copy": (
            "POST",
            "/object/copy",
            {"json": {"bucketId": bucket, "sourceKey": key, "destinationKey": f"{case.owner}/copy.txt"}},
        ),
        "move": (
            "POST",
            "/object/move",
            {"json": {"bucketId": bucket, "sourceKey": key, "destinationKey": f"{case.owner}/moved.txt"}},
        ),
        "delete": ("DELETE", f"/object/{bucket}/{key}", {}),
    }
    method, path, arguments = paths[action]
    return await client.request(method, path, **arguments)


@pytest.mark.parametrize(
    "action", ["upsert", "put", "get", "head", "info", "sign", "sign upload", "copy", "move", "delete"]
)
@pytest.mark.parametrize("who", ["anon", "stranger", "owner", "service_role"])
async def test_who_may(case: Case, who: str, action: str) -> None:
    async with case.client("owner") as owner:
        created = await owner.post(f"/object/{case.bucket}/{case.key}", content=b"mine")
        assert created.status_code == 200, created.text
    async with case.client(who) as client:
        answer = await _act(case, client, action)
    assert (answer.status_code == 200) is DENIED[who], answer.text
    if not DENIED[who]:
        assert answer.status_code == 400


@pytest.mark.parametrize("case", [["insert"]], indirect=True)
async def test_uploading_needs_no_right_to_see_but_replacing_does(case: Case) -> None:
    async with case.client("owner") as owner:
        assert (await owner.post(f"/object/{case.bucket}/{case.key}", content=b"x")).status_code == 200
        again = await owner.post(f"/object/{case.bucket}/{case.key}", content=b"x")
        assert again.json()["statusCode"] == "409"
        upsert = await owner.put(f"/object/{case.bucket}/{case.key}", content=b"x")
        assert upsert.json() == {
            "statusCode": "403",
            "error": "Unauthorized",
            "message": "new row violates row-level security policy",
            "code": "AccessDenied",
        }


async def test_lists_and_bulk_deletes_leave_out_what_is_not_ones_own(case: Case) -> None:
    async with case.client("owner") as owner, case.client("stranger") as stranger:
        for client, folder in ((owner, case.owner), (stranger, case.stranger)):
            assert (await client.post(f"/object/{case.bucket}/{folder}/file.txt", content=b"x")).status_code == 200
        for path in (f"/object/list/{case.bucket}", f"/object/list-v2/{case.bucket}"):
            seen = (await stranger.post(path, json={"prefix": ""})).text
            assert case.stranger in seen
            assert case.owner not in seen
        both = [f"{case.owner}/file.txt", f"{case.stranger}/file.txt"]
        gone = await stranger.request("DELETE", f"/object/{case.bucket}", json={"prefixes": both})
        assert [row["name"] for row in gone.json()] == [f"{case.stranger}/file.txt"]
        signed = await owner.post(f"/object/sign/{case.bucket}", json={"expiresIn": 60, "paths": both})
        assert [item["error"] is None for item in signed.json()] == [True, False]


@pytest.mark.parametrize("who", ["anon", "owner"])
async def test_buckets_are_hidden_and_closed_without_policies(case: Case, who: str) -> None:
    async with case.client(who) as client:
        assert (await client.get("/bucket")).json() == []
        assert (await client.get(f"/bucket/{case.bucket}")).json()["code"] == "NoSuchBucket"
        assert (await client.post("/bucket", json={"name": "theirs"})).json()["statusCode"] == "403"
        assert (await client.put(f"/bucket/{case.bucket}", json={"public": True})).json()["code"] == "NoSuchBucket"
        assert (await client.delete(f"/bucket/{case.bucket}")).json()["code"] == "NoSuchBucket"
        emptied = await client.post(f"/bucket/{case.bucket}/empty", json={})
        assert emptied.json()["code"] == "NoSuchBucket"
