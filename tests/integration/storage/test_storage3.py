"""The unchanged Python client on a whole journey."""

from __future__ import annotations

import httpx
from storage3 import AsyncStorageClient

from tests.integration.storage.conftest import Storage


async def test_the_python_client_is_satisfied(storage: Storage) -> None:
    minato = storage.minato
    headers = {"apikey": minato.service_role_key, "authorization": f"Bearer {minato.service_role_key}"}
    bucket = f"py-{minato.backend.entropy.uuid4()}"
    async with AsyncStorageClient(f"{minato.url}/storage/v1/", headers) as client:
        await client.create_bucket(bucket, options={"public": True, "file_size_limit": 1_000_000})
        assert (await client.get_bucket(bucket)).public
        files = client.from_(bucket)
        await files.upload("cars/a.txt", b"hello", {"content-type": "text/plain", "cache-control": "60"})
        assert await files.download("cars/a.txt") == b"hello"
        assert (await files.info("cars/a.txt"))["size"] == 5
        assert await files.exists("cars/a.txt")
        await files.move("cars/a.txt", "cars/b.txt")
        await files.copy("cars/b.txt", "cars/c.txt")
        assert [item["name"] for item in await files.list("cars")] == ["b.txt", "c.txt"]
        signed = await files.create_signed_url("cars/b.txt", 60)
        async with httpx.AsyncClient() as anybody:
            assert (await anybody.get(str(signed["signedURL"]))).content == b"hello"
            assert (await anybody.get(await files.get_public_url("cars/b.txt"))).content == b"hello"
        upload = await files.create_signed_upload_url("cars/d.txt")
        await files.upload_to_signed_url("cars/d.txt", upload["token"], b"signed")
        assert len(await files.remove(["cars/b.txt", "cars/c.txt", "cars/d.txt"])) == 3
        await client.empty_bucket(bucket)
        await client.delete_bucket(bucket)
