"""Transformed pictures are made once, shown to those alone who may see the original, and forgotten on demand."""

from __future__ import annotations

from uuid import uuid4

import pytest
from minato.storage.imaging.cache import PictureCache, PictureKey
from minato.storage.imaging.picture import Rendered
from minato.storage.imaging.transformation import Transformation

from tests.integration.storage.conftest import Storage
from tests.integration.storage.test_images import opened, picture


async def remove_files(storage: Storage) -> None:
    """Whatever is shown afterwards came from memory."""
    files = storage.room.services.files
    async for batch in files.list():
        await files.delete([file.path for file in batch])


async def test_a_picture_is_made_once_and_shown_only_to_who_may_see_it(storage: Storage) -> None:
    bucket = await storage.bucket(public=False)
    await storage.put(bucket, "k.jpg", picture(200, 100), "image/jpeg")
    path = f"/render/image/authenticated/{bucket}/k.jpg"
    stranger_token = storage.minato.token(str(uuid4()))
    async with storage.service() as service, storage.client(stranger_token) as stranger:
        first = await service.get(f"{path}?width=50")
        await remove_files(storage)
        again = await service.get(f"{path}?width=50")
        assert (again.content, again.headers["etag"]) == (first.content, first.headers["etag"])
        assert (await stranger.get(f"{path}?width=50")).json()["code"] == "NoSuchKey"
        for other in (f"{path}?width=51", f"{path}?width=50&quality=30", f"{path}?width=50&format=webp"):
            assert (await service.get(other)).json()["code"] == "NoSuchKey", "made of another measure"
        await storage.put(bucket, "k.jpg", picture(100, 100), "image/jpeg")
        assert opened(await service.get(f"{path}?width=50")).size == (50, 50)


async def test_purging_forgets_the_pictures_of_an_object_or_a_bucket(storage: Storage) -> None:
    bucket = await storage.bucket(public=True)
    for name in ("a/a.jpg", "b.jpg"):
        await storage.put(bucket, name, picture(20, 10), "image/jpeg")
    base = f"/render/image/public/{bucket}"
    async with storage.service() as service, storage.client(storage.minato.token(str(uuid4()))) as stranger:
        for name in ("a/a.jpg", "b.jpg"):
            assert (await service.get(f"{base}/{name}?width=5")).status_code == 200
        await remove_files(storage)
        refused = await stranger.delete(f"/cdn/{bucket}/a/a.jpg")
        assert (refused.status_code, refused.json()["message"]) == (403, "Access denied: Invalid role")
        assert (await service.get(f"{base}/a/a.jpg?width=5")).status_code == 200
        purged = await service.delete(f"/cdn/{bucket}/a/a.jpg?transformations=true")
        assert (purged.status_code, purged.json()) == (200, {"message": "success"})
        assert [(await service.get(f"{base}/{name}?width=5")).status_code for name in ("a/a.jpg", "b.jpg")] == [
            400,
            200,
        ]
        assert (await service.delete(f"/cdn/{bucket}")).json() == {"message": "success"}
        assert (await service.get(f"{base}/b.jpg?width=5")).status_code == 400


@pytest.mark.parametrize(("limit", "kept"), [(0, []), (10, []), (40, [1, 2, 3]), (80, [0, 1, 2, 3])])
def test_the_cache_never_grows_over_its_limit(limit: int, kept: list[int]) -> None:
    cache = PictureCache(limit)
    keys = [PictureKey("b", "k", str(number), Transformation(), "") for number in range(4)]
    for key in keys:
        cache.keep(key, Rendered(b"x" * 10, "image/png"))
    if limit == 40:
        cache.find(keys[1])
        cache.keep(PictureKey("b", "k", "more", Transformation(), ""), Rendered(b"y" * 10, "image/png"))
    assert [number for number, key in enumerate(keys) if cache.find(key) is not None] == kept
