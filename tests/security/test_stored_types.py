"""What a member stores is never a page of this origin: every answer of storage, whatever type the object has."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.integration.storage.conftest import Storage
from tests.integration.storage.s3_client import call, s3_client
from tests.support.server import Minato

ACTIVE = [
    *("text/xsl", "text/xml", "application/xml", "application/xhtml+xml", "image/svg+xml", "audio/x+xml", "text/html"),
    *("text/javascript", "application/javascript", "text/css", "multipart/x-mixed-replace; boundary=a"),
    *(
        "made/up",
        "",
        "image",
        "image/png, text/xml",
        "IMAGE/PNG",
        " image/png",
        "image/png;charset=utf-8",
        "text/\nxsl",
    ),
    *("text/\x7fxsl", "text/\x01html", "text/plain; a=b", "image/*", "*/*", "video/x+xml", None),
]
# All that may go without the sandbox, written down a second time: a type more is a decision.
INERT = [
    *("image/png", "image/jpeg", "image/jpg", "image/gif", "image/webp", "image/avif", "image/bmp", "image/tiff"),
    *("image/heic", "image/heif", "image/vnd.microsoft.icon", "image/x-icon"),
    *("application/pdf", "text/plain"),
    *("audio/aac", "audio/flac", "audio/mp4", "audio/mpeg", "audio/ogg", "audio/wav", "audio/webm", "audio/x-m4a"),
    *("video/mp4", "video/mpeg", "video/ogg", "video/quicktime", "video/webm", "video/x-matroska"),
]


@pytest.fixture
def storage(minato: Minato) -> Storage:
    return Storage(minato)


class Shelf:
    """A public bucket with one object, whose type is written into its row: no way in is asked."""

    def __init__(self, storage: Storage, bucket: str) -> None:
        self.storage, self.bucket = storage, bucket

    async def hold(self, mime_type: str | None) -> None:
        changed = "update storage.objects set metadata = metadata || $1::jsonb where bucket_id = $2"
        await self.storage.minato.db.execute(changed, json.dumps({"mimetype": mime_type}), self.bucket)

    async def answers(self) -> dict[str, httpx.Response]:
        """Every way to the object, by name."""
        place = f"{self.bucket}/thing"
        async with self.storage.service() as service:
            signed = (await service.post(f"/object/sign/{place}", json={"expiresIn": 60})).json()["signedURL"]
            whole = await service.get(f"/object/public/{place}")
            return {
                "public": whole,
                "public head": await service.head(f"/object/public/{place}"),
                "authenticated": await service.get(f"/object/authenticated/{place}"),
                "authenticated head": await service.head(f"/object/authenticated/{place}"),
                "signed": await service.get(signed),
                "signed head": await service.head(signed),
                "range": await service.get(f"/object/public/{place}", headers={"range": "bytes=0-1"}),
                "download": await service.get(f"/object/public/{place}?download=a.html"),
                "not modified": await service.get(
                    f"/object/public/{place}", headers={"if-none-match": whole.headers["etag"]}
                ),
            }

    async def refusals(self) -> dict[str, httpx.Response]:
        """Answers that are no object."""
        place = f"{self.bucket}/thing"
        async with self.storage.service() as service:
            return {
                "info": await service.get(f"/object/info/{place}"),
                "public info": await service.get(f"/object/info/public/{place}"),
                "missing": await service.get(f"/object/public/{place}s"),
                "bad range": await service.get(f"/object/public/{place}", headers={"range": "bytes=9-"}),
                "unsigned": await service.get(f"/object/sign/{place}?token=<script>"),
                "unknown": await service.get("/<script>"),
                "s3": await service.get("/s3/<script>"),
                "no picture": await service.get(f"/render/image/public/{place}?width=1"),
                "resumable": await service.head("/upload/resumable/x", headers={"tus-resumable": "1.0.0"}),
            }


@pytest.fixture
async def shelf(storage: Storage) -> Shelf:
    bucket = await storage.bucket(public=True)
    await storage.put(bucket, "thing", b"<x/>")
    return Shelf(storage, bucket)


def policy(answer: httpx.Response) -> str:
    assert answer.headers.get("x-content-type-options") == "nosniff"
    return str(answer.headers.get("content-security-policy", ""))


@pytest.mark.parametrize("mime_type", ACTIVE)
async def test_an_object_that_a_browser_may_run_is_served_under_the_sandbox(
    shelf: Shelf, mime_type: str | None
) -> None:
    await shelf.hold(mime_type)
    for name, answer in (await shelf.answers()).items():
        assert policy(answer).endswith("; sandbox"), name
        assert "text/html" not in answer.headers.get("content-type", ""), name


@pytest.mark.parametrize("mime_type", INERT)
async def test_what_a_browser_only_shows_or_plays_is_served_without(shelf: Shelf, mime_type: str) -> None:
    await shelf.hold(mime_type)
    for name, answer in (await shelf.answers()).items():
        assert policy(answer) == "", name


async def test_a_refusal_or_a_description_is_no_page_either(shelf: Shelf) -> None:
    await shelf.hold("text/xsl")
    for name, answer in (await shelf.refusals()).items():
        assert policy(answer).endswith("; sandbox"), name


async def test_an_object_over_s3_carries_its_policy_whatever_headers_the_reader_asks_for(shelf: Shelf) -> None:
    await shelf.hold("text/xsl")
    found: dict[str, Any] = await call(
        s3_client(shelf.storage).get_object,
        Bucket=shelf.bucket,
        Key="thing",
        ResponseContentType="text/html",
        ResponseContentDisposition="inline",
    )
    sent = found["ResponseMetadata"]["HTTPHeaders"]
    assert sent["content-security-policy"].endswith("; sandbox")
    assert sent["content-type"] == "text/xsl"


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    mime_type=st.one_of(
        st.sampled_from([str(known) for known in (*ACTIVE, *INERT)]),
        st.text(st.characters(min_codepoint=33, max_codepoint=0x2FF), max_size=20),
        st.builds("{}{}".format, st.sampled_from(INERT), st.sampled_from(["", ";", ",", "+xml", "€"])),
    )
)
async def test_whatever_type_is_stored_its_answer_is_inert_or_under_the_sandbox(shelf: Shelf, mime_type: str) -> None:
    await shelf.hold(mime_type)
    async with shelf.storage.service() as service:
        answer = await service.get(f"/object/public/{shelf.bucket}/thing")
    said = answer.headers.get("content-type", "")
    assert policy(answer).endswith("; sandbox") or (said == mime_type and said in INERT)
