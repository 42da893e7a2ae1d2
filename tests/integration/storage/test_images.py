"""Transformed pictures: three ways to them, the sizes and formats that come out, and what is refused."""

from __future__ import annotations

import io
import struct
import zlib

import httpx
import pytest
from PIL import Image

from tests.integration.storage.conftest import Storage


def picture(width: int, height: int, kind: str = "JPEG") -> bytes:
    buffer = io.BytesIO()
    Image.linear_gradient("L").resize((width, height)).convert("RGB").save(buffer, kind)
    return buffer.getvalue()


def opened(answer: httpx.Response) -> Image.Image:
    assert answer.status_code == 200, answer.text
    return Image.open(io.BytesIO(answer.content))


async def pictured(storage: Storage, public: bool = True) -> str:
    bucket = await storage.bucket(public=public)
    await storage.put(bucket, "wide.jpg", picture(400, 200), "image/jpeg")
    return bucket


@pytest.mark.parametrize(
    ("query", "size", "header"),
    [
        ("width=100&height=100", (100, 100), "height:100,width:100,resizing_type:fill"),
        ("width=100&height=100&resize=contain", (100, 50), "height:100,width:100,resizing_type:fit"),
        ("width=100&height=100&resize=fill", (100, 100), "height:100,width:100,resizing_type:force"),
        ("width=100&quality=60", (100, 50), "width:100,resizing_type:fill,quality:60"),
        ("height=50", (100, 50), "height:50,resizing_type:fill"),
        ("width=4000", (400, 200), "width:2000,resizing_type:fill"),
        ("width=0", (400, 200), ""),
        ("", (400, 200), ""),
    ],
)
async def test_a_public_picture_comes_in_the_size_asked_but_never_larger(
    storage: Storage, query: str, size: tuple[int, int], header: str
) -> None:
    bucket = await pictured(storage)
    async with httpx.AsyncClient(base_url=f"{storage.minato.url}/storage/v1") as anybody:
        answer = await anybody.get(f"/render/image/public/{bucket}/wide.jpg?{query}")
        original = await anybody.get(f"/object/public/{bucket}/wide.jpg")
    assert opened(answer).size == size
    assert answer.headers["x-transformations"] == header
    assert answer.headers["etag"] == original.headers["etag"]
    assert answer.headers["content-type"] == "image/jpeg"


@pytest.mark.parametrize(
    ("accept", "query", "kind"),
    [
        ("image/avif,image/webp,*/*", "", "WEBP"),
        ("image/avif", "", "AVIF"),
        ("image/webp", "&format=origin", "JPEG"),
        ("*/*", "&format=avif", "AVIF"),
        ("*/*", "", "JPEG"),
    ],
)
async def test_the_format_is_the_one_asked_or_the_best_the_client_takes(
    storage: Storage, accept: str, query: str, kind: str
) -> None:
    bucket = await pictured(storage)
    async with httpx.AsyncClient(base_url=f"{storage.minato.url}/storage/v1") as anybody:
        url = f"/render/image/public/{bucket}/wide.jpg?width=50{query}"
        answer = await anybody.get(url, headers={"accept": accept})
    assert opened(answer).format == kind
    assert answer.headers["content-type"] == f"image/{kind.lower()}"
    assert "Accept" in answer.headers["vary"]


async def test_a_private_picture_is_rendered_only_for_those_who_may_see_it(storage: Storage) -> None:
    bucket = await pictured(storage, public=False)
    url = f"/render/image/authenticated/{bucket}/wide.jpg?width=50"
    async with storage.service() as service, storage.client() as anon:
        assert opened(await service.get(url)).width == 50
        assert (await anon.get(url)).json()["code"] == "NoSuchKey"
        hidden = await anon.get(f"/render/image/public/{bucket}/wide.jpg?width=50")
        assert hidden.json()["code"] == "NoSuchBucket"
    async with httpx.AsyncClient(base_url=f"{storage.minato.url}/storage/v1") as stranger:
        assert (await stranger.get(url)).status_code == 400


async def test_a_signed_picture_is_transformed_as_its_token_says_whatever_the_url_adds(storage: Storage) -> None:
    bucket = await pictured(storage, public=False)
    transform = {"width": 80, "height": 80, "quality": 60}
    async with storage.service() as service:
        signed = await service.post(f"/object/sign/{bucket}/wide.jpg", json={"expiresIn": 60, "transform": transform})
        plain = await service.post(f"/object/sign/{bucket}/wide.jpg", json={"expiresIn": 60, "transform": {}})
    url = signed.json()["signedURL"]
    assert url.startswith(f"/render/image/sign/{bucket}/wide.jpg?token=")
    assert plain.json()["signedURL"].startswith("/object/sign/")
    async with httpx.AsyncClient(base_url=f"{storage.minato.url}/storage/v1") as anybody:
        answer = await anybody.get(f"{url}&width=300")
        forged = await anybody.get(url.replace("wide", "other"))
    assert opened(answer).size == (80, 80)
    assert answer.headers["x-transformations"] == "height:80,width:80,resizing_type:fill,quality:60"
    assert "cache-control" not in answer.headers
    assert forged.json()["code"] == "InvalidSignature"


async def test_a_picture_the_client_has_is_not_made_again(storage: Storage) -> None:
    bucket = await pictured(storage)
    async with storage.client() as client:
        url = f"/render/image/public/{bucket}/wide.jpg?width=50"
        tag = (await client.get(url)).headers["etag"]
        assert (await client.get(url, headers={"if-none-match": tag})).status_code == 304


def bomb() -> bytes:
    """A PNG of a hundred bytes that claims 100,000 by 100,000 pixels."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    header = struct.pack(">IIBBBBB", 100_000, 100_000, 8, 2, 0, 0, 0)
    image = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\0" * 64)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + image


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (bomb(), "The source image resolution is too large to process"),
        (picture(300, 300)[:400], "The source image is invalid or unsupported for rendering"),
        (b"", "The source image is invalid or unsupported for rendering"),
    ],
)
async def test_what_is_no_picture_or_a_bomb_is_refused(storage: Storage, content: bytes, message: str) -> None:
    bucket = await storage.bucket(public=True)
    await storage.put(bucket, "bad.png", content, "image/png")
    async with storage.client() as client:
        answer = await client.get(f"/render/image/public/{bucket}/bad.png?width=10")
    assert (answer.status_code, answer.json()["message"]) == (400, message)


async def test_a_drawing_without_pixels_stays_as_it_is_and_may_run_nothing(storage: Storage) -> None:
    bucket = await storage.bucket(public=True)
    drawing = b"<?xml version='1.0'?><svg xmlns='http://www.w3.org/2000/svg'/>"
    await storage.put(bucket, "a.svg", drawing, "image/svg+xml")
    async with storage.client() as client:
        answer = await client.get(f"/render/image/public/{bucket}/a.svg?width=10")
        raster = await client.get(f"/render/image/public/{bucket}/a.svg?width=10&format=webp")
    assert answer.content == drawing
    assert answer.headers["content-type"] == "image/svg+xml"
    assert "sandbox" in answer.headers["content-security-policy"]
    assert raster.json()["message"] == "The source image is invalid or unsupported for rendering"


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("quality=10", "querystring/quality must be >= 20"),
        ("quality=101", "querystring/quality must be <= 100"),
        ("width=-1", "querystring/width must be >= 0"),
        ("width=wide", "querystring/width must be integer"),
        ("resize=melt", "querystring/resize must be equal to one of the allowed values"),
    ],
)
async def test_an_option_out_of_bounds_is_named(storage: Storage, query: str, message: str) -> None:
    bucket = await pictured(storage)
    async with storage.client() as client:
        answer = await client.get(f"/render/image/public/{bucket}/wide.jpg?{query}")
    assert (answer.status_code, answer.json()["message"]) == (400, message)
