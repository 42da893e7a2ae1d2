"""Clients that leave in the middle, and whatever bytes somebody sends: no 500, no file without a row."""

from __future__ import annotations

import asyncio
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.integration.storage.conftest import Storage, holds_files
from tests.support.examples import of_hundred
from tests.support.processes import wait_until

FUZZ = settings(max_examples=of_hundred(60), deadline=None, suppress_health_check=list(HealthCheck))
SENT = 3_000_000


async def until(storage: Storage, bucket: str, there: bool) -> None:
    """Wait until the bucket's folder holds files, partial ones among them, or none."""
    folder = await storage.folder(bucket)
    await asyncio.to_thread(wait_until, lambda: holds_files(folder) is there, f"files in the folder: {there}")


@pytest.mark.parametrize("form", ["raw", "multipart"])
async def test_a_client_that_leaves_half_way_leaves_nothing_behind(storage: Storage, form: str) -> None:
    bucket = await storage.bucket()
    host, _, port = storage.minato.url.removeprefix("http://").partition(":")
    kind = "text/plain" if form == "raw" else "multipart/form-data; boundary=x"
    head = "" if form == "raw" else '--x\r\ncontent-disposition: form-data; name=""; filename="a"\r\n\r\n'
    _, writer = await asyncio.open_connection(host, int(port))
    writer.write(
        f"POST /storage/v1/object/{bucket}/k HTTP/1.1\r\nhost: x\r\ncontent-length: {SENT * 4}\r\n"
        f"authorization: Bearer {storage.minato.service_role_key}\r\ncontent-type: {kind}\r\n\r\n{head}".encode()
    )
    writer.write(b"x" * SENT)
    await writer.drain()
    await until(storage, bucket, there=True)
    writer.close()
    await until(storage, bucket, there=False)
    async with storage.service() as service:
        assert (await service.get(f"/object/{bucket}/k")).json()["code"] == "NoSuchKey"


@FUZZ
@given(
    key=st.text(st.characters(codec="utf-8"), max_size=12),
    header=st.sampled_from(["content-type", "cache-control", "x-metadata", "x-upsert", "x-robots-tag", "range"]),
    value=st.text(st.characters(min_codepoint=32, max_codepoint=255), max_size=30),
    method=st.sampled_from(["POST", "PUT", "GET", "HEAD", "DELETE"]),
)
async def test_any_name_and_header_gets_an_answer(
    storage: Storage, key: str, header: str, value: str, method: str
) -> None:
    bucket = "fuzzed"
    async with storage.service() as service:
        await service.post("/bucket", json={"name": bucket})
        url = f"/object/{bucket}/{quote(key)}"
        headers = {header.encode(): value.strip().encode("latin-1")}
        content = b"bytes" if method in ("POST", "PUT") else None
        answer = await service.request(method, url, content=content, headers=headers)
    assert answer.status_code < 500, answer.text
    assert await storage.orphans() == 0


@FUZZ
@given(
    pieces=st.lists(
        st.one_of(
            st.sampled_from(
                [
                    b"--x\r\n",
                    b"--x--\r\n",
                    b"\r\n",
                    b'content-disposition: form-data; name="metadata"\r\n\r\n{"a": 1}\r\n',
                    b'content-disposition: form-data; name="cacheControl"\r\n\r\n\xff\r\n',
                    b'content-disposition: form-data; name=""; filename="a"\r\n\r\nbytes\r\n',
                    b"content-type: image/png\r\n",
                ]
            ),
            st.binary(max_size=20),
        ),
        max_size=8,
    ),
    boundary=st.sampled_from(["; boundary=x", "", '; boundary="', "; boundary=" + "x" * 300]),
)
async def test_any_form_gets_an_answer(storage: Storage, pieces: list[bytes], boundary: str) -> None:
    async with storage.service() as service:
        await service.post("/bucket", json={"name": "fuzzed"})
        headers = {"content-type": f"multipart/form-data{boundary}", "x-upsert": "true"}
        answer = await service.post("/object/fuzzed/form", content=b"".join(pieces), headers=headers)
    assert answer.status_code < 500, answer.text
    assert await storage.orphans() == 0
