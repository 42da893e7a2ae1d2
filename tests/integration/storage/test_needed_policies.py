"""Exactly the policies each endpoint needs: with them it works, without any one of them it does not."""

from __future__ import annotations

import base64
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.integration.storage.conftest import Storage
from tests.integration.storage.s3_client import call, refusal, s3_client
from tests.integration.storage.test_images import picture
from tests.integration.storage.test_policies import POLICIES

# Action → what it needs, in order: supabase/storage asks for these by doing the statement as the caller.
NEEDS = {
    "upload": ("insert",),
    "sign upload": ("insert",),
    "resumable": ("insert",),
    "upload over": ("insert", "select", "update"),
    "put over": ("insert", "select", "update"),
    "sign upload over": ("insert", "select", "update"),
    "resumable over": ("insert", "select", "update"),
    "get": ("select",),
    "get authenticated": ("select",),
    "head": ("select",),
    "info": ("select",),
    "info authenticated": ("select",),
    "sign": ("select",),
    "render": ("select",),
    "copy": ("select", "insert"),
    "copy over": ("select", "insert", "update"),
    "move": ("select", "update"),
    "delete": ("delete", "select"),
    "delete many": ("delete", "select"),
    "list": ("select",),
    "list v2": ("select",),
}
CASES = [
    (action, granted, granted == needed)
    for action, needed in NEEDS.items()
    for granted in (needed, *(tuple(name for name in needed if name != missing) for missing in needed))
]


async def attempt(client: httpx.AsyncClient, bucket: str, folder: str, action: str) -> bool:
    """Whether the action did what it is for."""
    old, new, over = f"{folder}/old.png", f"{folder}/new.png", {"x-upsert": "true"}
    pair = {"bucketId": bucket, "sourceKey": old}
    requests: dict[str, tuple[str, str, dict[str, Any]]] = {
        "upload": ("POST", f"/object/{bucket}/{new}", {"content": b"x"}),
        "upload over": ("POST", f"/object/{bucket}/{old}", {"content": b"x", "headers": over}),
        "put over": ("PUT", f"/object/{bucket}/{old}", {"content": b"x", "headers": {"content-type": "a/b"}}),
        "sign upload": ("POST", f"/object/upload/sign/{bucket}/{new}", {"json": {}}),
        "sign upload over": ("POST", f"/object/upload/sign/{bucket}/{old}", {"json": {}, "headers": over}),
        "resumable": ("POST", "/upload/resumable", {"headers": tus(bucket, new)}),
        "resumable over": ("POST", "/upload/resumable", {"headers": {**tus(bucket, old), **over}}),
        "get": ("GET", f"/object/{bucket}/{old}", {}),
        "get authenticated": ("GET", f"/object/authenticated/{bucket}/{old}", {}),
        "head": ("HEAD", f"/object/{bucket}/{old}", {}),
        "info": ("GET", f"/object/info/{bucket}/{old}", {}),
        "info authenticated": ("GET", f"/object/info/authenticated/{bucket}/{old}", {}),
        "sign": ("POST", f"/object/sign/{bucket}/{old}", {"json": {"expiresIn": 60}}),
        "render": ("GET", f"/render/image/authenticated/{bucket}/{old}?width=5", {}),
        "copy": ("POST", "/object/copy", {"json": {**pair, "destinationKey": new}}),
        "copy over": ("POST", "/object/copy", {"json": {**pair, "destinationKey": old}, "headers": over}),
        "move": ("POST", "/object/move", {"json": {**pair, "destinationKey": new}}),
        "delete": ("DELETE", f"/object/{bucket}/{old}", {}),
        "delete many": ("DELETE", f"/object/{bucket}", {"json": {"prefixes": [old]}}),
        "list": ("POST", f"/object/list/{bucket}", {"json": {"prefix": folder}}),
        "list v2": ("POST", f"/object/list-v2/{bucket}", {"json": {"prefix": folder}}),
    }
    method, path, arguments = requests[action]
    answer = await client.request(method, path, **arguments)
    if action in ("delete many", "list", "list v2"):
        return b"old.png" in answer.content
    return answer.is_success


def tus(bucket: str, key: str) -> dict[str, str]:
    names = {"bucketName": bucket, "objectName": key}
    pairs = (f"{name} {base64.b64encode(value.encode()).decode()}" for name, value in names.items())
    return {"tus-resumable": "1.0.0", "upload-length": "1", "upload-metadata": ",".join(pairs)}


@pytest.mark.parametrize(("action", "granted", "works"), CASES)
async def test_an_endpoint_works_with_its_policies_and_no_fewer(
    storage: Storage, action: str, granted: tuple[str, ...], works: bool
) -> None:
    bucket, folder, minato = await storage.bucket(public=False), str(uuid4()), storage.minato
    await storage.put(bucket, f"{folder}/old.png", picture(10, 10), "image/jpeg")
    await minato.db.execute("update storage.objects set owner_id = $1 where bucket_id = $2", folder, bucket)
    for name in granted:
        rule = POLICIES[name].format(bucket=bucket)
        await minato.db.execute(f'create policy "{name} {bucket}" on storage.objects {rule}')
    try:
        async with storage.client(minato.token(folder)) as client:
            assert await attempt(client, bucket, folder, action) is works
    finally:
        for name in granted:
            await minato.db.execute(f'drop policy "{name} {bucket}" on storage.objects')


BUCKET_NEEDS = {
    "get": ("select",),
    "list": ("select",),
    "create": ("insert",),
    "update": ("select", "update"),
    "delete": ("select", "delete"),
    "empty": ("select",),
    "s3 head": ("select",),
    "s3 create": ("insert",),
}
BUCKET_CASES = [
    (action, granted, granted == needed)
    for action, needed in BUCKET_NEEDS.items()
    for granted in (needed, *(tuple(name for name in needed if name != missing) for missing in needed))
]


@pytest.mark.parametrize(("action", "granted", "works"), BUCKET_CASES)
async def test_buckets_are_under_policies_of_their_own(
    storage: Storage, action: str, granted: tuple[str, ...], works: bool
) -> None:
    minato = storage.minato
    bucket, created, caller = await storage.bucket(), f"new-{uuid4()}", minato.token(str(uuid4()))
    for name in granted:
        rule = f"id in ('{bucket}', '{created}')"
        check = {"insert": f"with check ({rule})", "update": f"using ({rule}) with check ({rule})"}
        clause = check.get(name, f"using ({rule})")
        await minato.db.execute(f'create policy "{name} {bucket}" on storage.buckets for {name} {clause}')
    try:
        if action.startswith("s3"):
            s3 = s3_client(storage, caller)
            function, name = (s3.head_bucket, bucket) if action == "s3 head" else (s3.create_bucket, created)
            if works:
                await call(function, Bucket=name)
            else:
                assert (await refusal(function, Bucket=name))[0] in (403, 404)
            return
        requests: dict[str, tuple[str, str, Any]] = {
            "get": ("GET", f"/bucket/{bucket}", None),
            "list": ("GET", "/bucket", None),
            "create": ("POST", "/bucket", {"name": created}),
            "update": ("PUT", f"/bucket/{bucket}", {"public": True}),
            "delete": ("DELETE", f"/bucket/{bucket}", {}),
            "empty": ("POST", f"/bucket/{bucket}/empty", {}),
        }
        method, path, body = requests[action]
        async with storage.client(caller) as client:
            answer = await client.request(method, path, json=body)
        assert (bucket in answer.text if action == "list" else answer.is_success) is works, answer.text
    finally:
        for name in granted:
            await minato.db.execute(f'drop policy "{name} {bucket}" on storage.buckets')
