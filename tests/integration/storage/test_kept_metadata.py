"""What the row of a file says of it, and whose it stays when the service writes over it."""

from __future__ import annotations

import base64
import json

from tests.integration.storage.conftest import Storage
from tests.support.server import Minato


async def test_a_row_keeps_what_was_sent_with_a_file(minato: Minato, storage: Storage) -> None:
    bucket = await storage.bucket()
    async with storage.service() as service:
        sent = await service.post(
            f"/object/{bucket}/a.txt",
            content=b"three",
            headers={"content-type": "text/plain", "cache-control": "max-age=60"},
        )
        listed = await service.post(f"/object/list/{bucket}", json={"prefix": ""})
    assert sent.status_code == 200, sent.text
    (entry,) = listed.json()
    told = {name: value for name, value in entry["metadata"].items() if name not in ("eTag", "lastModified")}
    assert told == {
        "size": 5,
        "mimetype": "text/plain",
        "cacheControl": "max-age=60",
        "contentLength": 5,
        "httpStatusCode": 200,
    }


async def test_a_copy_by_the_service_over_somebodys_file_leaves_it_theirs(minato: Minato, storage: Storage) -> None:
    bucket = await storage.bucket()
    owner = str(minato.backend.entropy.uuid4())
    for name in ("old.txt", "new.txt"):
        await storage.put(bucket, name, name.encode())
    whose = "update storage.objects set owner = $2::text::uuid, owner_id = $2 where bucket_id = $1 and name = 'old.txt'"
    await minato.db.execute(whose, bucket, owner)
    body = {"bucketId": bucket, "sourceKey": "new.txt", "destinationKey": "old.txt"}
    async with storage.service() as service:
        copied = await service.post("/object/copy", json=body, headers={"x-upsert": "true"})
        content = await service.get(f"/object/{bucket}/old.txt")
    assert copied.status_code == 200, copied.text
    assert content.content == b"new.txt"
    found = await minato.db.fetchrow(
        "select owner::text, owner_id from storage.objects where bucket_id = $1 and name = 'old.txt'", bucket
    )
    assert tuple(found) == (owner, owner)


async def test_a_copy_has_the_metadata_of_its_source_unless_it_brings_its_own(storage: Storage) -> None:
    bucket = await storage.bucket()
    headers = {"content-type": "text/plain", "cache-control": "max-age=60", "x-metadata": base64_of({"car": "blue"})}
    copies: dict[str, dict[str, object]] = {
        "silent": {},
        "asked": {"copyMetadata": True},
        "own": {"copyMetadata": False, "metadata": {"cacheControl": "max-age=5"}},
        "none": {"copyMetadata": False},
    }
    told = {}
    async with storage.service() as service:
        sent = await service.post(f"/object/{bucket}/a.txt", content=b"a", headers=headers)
        assert sent.status_code == 200, sent.text
        for name, more in copies.items():
            body = {"bucketId": bucket, "sourceKey": "a.txt", "destinationKey": name, **more}
            own = {"x-metadata": base64_of({"car": "red"})} if name == "own" else {}
            assert (await service.post("/object/copy", json=body, headers=own)).status_code == 200
            info = (await service.get(f"/object/info/{bucket}/{name}")).json()
            told[name] = (info["metadata"], info["cache_control"], info["content_type"])
    assert told == {
        "silent": ({"car": "blue"}, "max-age=60", "text/plain"),
        "asked": ({"car": "blue"}, "max-age=60", "text/plain"),
        "own": ({"car": "red"}, "max-age=5", "text/plain"),
        "none": (None, "max-age=60", "text/plain"),
    }


def base64_of(metadata: dict[str, str]) -> str:
    return base64.b64encode(json.dumps(metadata).encode()).decode()
