"""Photos that no offer shows any more are deleted, file and row; a photo that may still be wanted stays."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass

import asyncpg
import pytest
from minato.storage.app import StorageRoom

from tests.integration.marketplace.cast import IDS, set_the_scene, sql
from tests.integration.storage.test_images import picture
from tests.support.server import Minato
from tests.support.waiting import until_somebody_is_locked_out

PHOTO = picture(2, 2, "PNG")
BUCKET = "car-images"
FOLDER = IDS["agent"]


@dataclass
class Garage:
    """An agent's photos on a running server."""

    minato: Minato

    @property
    def db(self) -> asyncpg.Connection:
        return self.minato.db

    async def upload(self, *names: str, days: int = 40) -> None:
        """Photos that were uploaded some days ago."""
        async with self.minato.client(self.minato.service_role_key) as client:
            for name in names:
                answer = await client.post(
                    f"/storage/v1/object/{BUCKET}/{name}", content=PHOTO, headers={"content-type": "image/png"}
                )
                assert answer.status_code == 200, answer.text
        age = "created_at = now() - $1 * interval '1 day', updated_at = now() - $1 * interval '1 day'"
        await self.db.execute("alter table storage.objects disable trigger update_objects_updated_at")
        await self.db.execute(f"update storage.objects set {age} where name = any ($2)", days, list(names))
        await self.db.execute("alter table storage.objects enable trigger update_objects_updated_at")

    async def clear(self) -> int:
        room = self.minato.application.rooms["/storage/v1"]
        assert isinstance(room, StorageRoom)
        return await room.house.clear_unused()

    async def names(self) -> set[str]:
        """What is left: the rows, each of which still has its file."""
        rows = await self.db.fetch("select name from storage.objects where bucket_id = $1", BUCKET)
        async with self.minato.client() as client:
            for row in rows:
                answer = await client.get(f"/storage/v1/object/public/{BUCKET}/{row['name']}")
                assert answer.status_code == 200, row["name"]
        return {row["name"].removeprefix(f"{FOLDER}/") for row in rows}

    async def files(self) -> int:
        """How many files lie in the bucket."""
        room = self.minato.application.rooms["/storage/v1"]
        assert isinstance(room, StorageRoom)
        return sum([len([f for f in batch if f"{BUCKET}/" in f.path]) async for batch in room.services.files.list()])


@pytest.fixture
async def garage(own_minato: Minato) -> Garage:
    await own_minato.application.jobs.stop()
    await set_the_scene(own_minato.db)
    garage = Garage(own_minato)
    await garage.db.execute("set storage.allow_delete_query = 'true'; delete from storage.objects")
    return garage


def url(name: str, host: str = "") -> str:
    return f"{host}/storage/v1/object/public/{BUCKET}/{FOLDER}/{name}"


OFFER = "insert into agent_posts (agent_id, car_name, model, image_url, image_urls) values ({agent}, 'T', 'A', $1, $2)"


async def offer(db: asyncpg.Connection, *photos: str) -> None:
    await db.execute(sql(OFFER), photos[0], list(photos))


async def test_an_upload_that_was_never_posted_goes_with_its_file(garage: Garage) -> None:
    await garage.upload(f"{FOLDER}/old.png", f"{FOLDER}/used.png")
    await offer(garage.db, url("used.png"))
    assert await garage.files() == 2
    assert await garage.clear() == 1
    assert await garage.names() == {"used.png"}
    assert await garage.files() == 1
    assert await garage.clear() == 0


async def test_a_photo_of_two_offers_stays_until_the_second_is_gone(garage: Garage) -> None:
    await garage.upload(f"{FOLDER}/both.png", f"{FOLDER}/first.png")
    await offer(garage.db, url("first.png"), url("both.png"))
    await offer(garage.db, url("both.png", "https://cars.example"))
    await garage.db.execute("delete from agent_posts where image_url like '%first.png'")
    assert await garage.clear() == 1
    assert await garage.names() == {"both.png"}
    await garage.db.execute("delete from agent_posts")
    assert await garage.clear() == 1
    assert await garage.names() == set()


async def test_a_photo_that_was_removed_from_an_offer_goes(garage: Garage) -> None:
    await garage.upload(f"{FOLDER}/a.png", f"{FOLDER}/b.png")
    await offer(garage.db, url("a.png"), url("b.png"))
    await garage.db.execute("update agent_posts set image_urls = null where image_url like '%a.png'")
    assert await garage.clear() == 1
    assert await garage.names() == {"a.png"}


async def test_a_photo_of_a_draft_in_the_browser_stays_as_long_as_the_draft(garage: Garage) -> None:
    await garage.upload(f"{FOLDER}/draft.png", days=30)
    await garage.upload(f"{FOLDER}/new.png", days=0)
    assert await garage.clear() == 0
    assert await garage.names() == {"draft.png", "new.png"}


async def test_a_photo_is_known_however_its_address_is_written(garage: Garage) -> None:
    await garage.upload(f"{FOLDER}/a b.png", f"{FOLDER}/c.png", f"{FOLDER}/d(1).png")
    await offer(garage.db, url("a%20b.png?v=1"), url("c.png").replace("object", "render/image"), url("d%281%29.png#x"))
    assert await garage.clear() == 0


async def test_samples_and_other_buckets_are_left_alone(garage: Garage) -> None:
    await garage.upload("samples/sedan.png")
    await garage.db.execute(
        "insert into storage.objects (bucket_id, name, created_at, updated_at)"
        f" values ('profiles', '{FOLDER}/avatar.png', '2020-01-01', '2020-01-01')"
    )
    assert await garage.clear() == 0


async def as_agent(garage: Garage) -> asyncpg.Connection:
    db = await asyncpg.connect(garage.minato.backend.database.address.admin)
    claims = json.dumps({"sub": IDS["agent"], "role": "authenticated"})
    await db.execute("select set_config('request.jwt.claims', $1, false)", claims)
    await db.execute("set role authenticated")
    return db


async def test_an_offer_under_way_keeps_its_photos(garage: Garage) -> None:
    await garage.upload(f"{FOLDER}/late.png")
    agent = await as_agent(garage)
    publishing = agent.transaction()
    await publishing.start()
    await offer(agent, url("late.png"))
    assert await garage.clear() == 0, "the offer is not there yet, and holds the photo"
    await publishing.commit()
    assert await garage.clear() == 0
    assert await garage.names() == {"late.png"}
    await agent.close()


async def test_an_offer_that_comes_too_late_is_told_that_its_photo_is_gone(garage: Garage) -> None:
    await garage.upload(f"{FOLDER}/late.png")
    agent = await as_agent(garage)
    clearing = garage.db.transaction()
    await clearing.start()
    assert len(await garage.db.fetch("select * from private.take_unused_objects(10)")) == 1
    publishing = asyncio.create_task(offer(agent, url("late.png")))
    await until_somebody_is_locked_out(garage.db)
    await clearing.commit()
    with pytest.raises(asyncpg.RaiseError, match="A photo of this offer is not there any more"):
        await publishing
    await agent.close()


async def test_other_columns_of_an_offer_change_although_a_photo_is_gone(garage: Garage) -> None:
    await offer(garage.db, url("gone.png"))
    agent = await as_agent(garage)
    assert await agent.execute("update agent_posts set cnf_price = 1 where image_url like '%gone.png'") == "UPDATE 1"
    with pytest.raises(asyncpg.RaiseError):
        await agent.execute("update agent_posts set image_url = $1", url("never.png"))
    await agent.close()


@pytest.mark.parametrize("role", ["anon", "authenticated"])
async def test_members_take_nothing_away(garage: Garage, role: str) -> None:
    await garage.db.execute(f"set role {role}")
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await garage.db.execute("select private.take_unused_objects(1)")
    await garage.db.execute("reset role")
