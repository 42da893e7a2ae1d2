"""One caller's slow pictures and lists leave room for everybody else's."""

from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from minato.config.storage import StorageSettings
from minato.storage.errors import StorageError
from minato.storage.imaging.pool import WAITING_FOR_EACH, ImagePool
from minato.storage.imaging.transformation import Transformation
from PIL import Image

from tests.support.server import Minato
from tests.support.slow_client import until

MEMBER, OTHER = "8c4b3a10-0000-4000-8000-000000000001", "8c4b3a10-0000-4000-8000-000000000002"
LOCK = 4712
SLOW_LISTS = f"""
create function public.wait_for_the_test() returns bool language plpgsql volatile as $$
begin
  if auth.uid() = '{MEMBER}' then perform pg_advisory_xact_lock_shared({LOCK}); end if;
  return true;
end $$;
insert into storage.buckets (id, name, public) values ('slow', 'slow', false);
insert into storage.objects (bucket_id, name) values ('slow', 'a.txt');
create policy "Everybody lists slow files" on storage.objects for select to authenticated using (bucket_id = 'slow');
create policy "Some wait" on storage.objects as restrictive for select to authenticated
  using (public.wait_for_the_test());
"""


def picture() -> bytes:
    content = io.BytesIO()
    Image.new("RGB", (4, 4)).save(content, "PNG")
    return content.getvalue()


@pytest.fixture
async def images() -> AsyncIterator[ImagePool]:
    with ThreadPoolExecutor(2) as threads:
        yield ImagePool(StorageSettings(image_workers=2), threads)


async def test_one_callers_pictures_leave_a_worker_to_others(images: ImagePool) -> None:
    go, source = asyncio.Event(), picture()

    async def parts() -> AsyncIterator[bytes]:
        yield source

    async def at_once() -> AsyncIterator[bytes]:
        return parts()

    async def when_told() -> AsyncIterator[bytes]:
        await go.wait()
        return parts()

    wanted = Transformation(width=2)
    most = 2 * (1 + WAITING_FOR_EACH) // 2
    slow = [asyncio.create_task(images.render(10, when_told, wanted, "", "member")) for _ in range(most + 1)]
    await until(lambda: images._shares.waiting_for("member") == most)
    with pytest.raises(StorageError, match="Too many requests"):
        await images.render(10, when_told, wanted, "", "member")
    assert (await images.render(10, at_once, wanted, "", "other")).content
    assert not any(task.done() for task in slow)
    go.set()
    assert len(await asyncio.gather(*slow)) == most + 1


@pytest.mark.parametrize(("workers", "at_work"), [(1, 1), (2, 1), (3, 2), (4, 3)])
async def test_one_caller_may_use_every_worker_but_one(workers: int, at_work: int) -> None:
    go, begun, source = asyncio.Event(), 0, picture()

    async def parts() -> AsyncIterator[bytes]:
        yield source

    async def when_told() -> AsyncIterator[bytes]:
        nonlocal begun
        begun += 1
        await go.wait()
        return parts()

    with ThreadPoolExecutor(workers) as threads:
        images = ImagePool(StorageSettings(image_workers=workers), threads)
        wanted = Transformation(width=2)
        asked = [asyncio.create_task(images.render(10, when_told, wanted, "", "member")) for _ in range(6)]
        await until(lambda: begun + images._shares.waiting_for("member") == 6)
        assert begun == at_work
        go.set()
        assert len(await asyncio.gather(*asked)) == 6


async def test_one_callers_lists_leave_connections_to_others(own_minato: Minato) -> None:
    await own_minato.db.execute(SLOW_LISTS)
    await own_minato.db.execute(f"select pg_advisory_lock({LOCK})")
    path, body = "/storage/v1/object/list/slow", {"prefix": ""}
    async with (
        own_minato.client(own_minato.token(MEMBER)) as member,
        own_minato.client(own_minato.token(OTHER)) as other,
    ):
        slow = [asyncio.create_task(member.post(path, json=body)) for _ in range(10)]
        shares = own_minato.application.rooms["/storage/v1"].services.transactions._shares  # type: ignore[attr-defined]
        await until(lambda: shares.waiting >= 7)
        assert [len((await other.post(path, json=body)).json()) for _ in range(3)] == [1, 1, 1]
        await own_minato.db.execute(f"select pg_advisory_unlock({LOCK})")
        assert {(await task).status_code for task in slow} == {200}
