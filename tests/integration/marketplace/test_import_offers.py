"""`/functions/v1/import-offers`: agents import their stock from a CSV file, as themselves."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from minato.config.server import ServerSettings

from tests.integration.marketplace.cast import Stage
from tests.support.marketplace import ALL_IDS, Market, fill
from tests.support.postgres import MARKETPLACE, Cluster
from tests.support.server import running, settings_for

HEAD = "Stock No,Make,Model,Year,Mileage,Price\n"
LIST = f'{HEAD}A1,Toyota,Aqua,2017,85000,4900\nA2,Mazda,Demio,2016,"62,000 km",$5.300\nA3,Honda,Fit,soon,1,1\n'


@pytest.fixture(scope="module")
async def served(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Market]:
    """The marketplace with its functions, and everybody in it."""
    data = tmp_path_factory.mktemp("served")
    server = ServerSettings(
        data_dir=data, environment="development", web_root=None, explain="off", project=MARKETPLACE.root
    )
    settings = settings_for(data, server=server)
    async with cluster.fresh_database() as address, running(address, settings) as minato:
        await fill(minato.db)
        yield Market(minato)


@pytest.fixture
async def shop(served: Market) -> AsyncIterator[Market]:
    """Offers that a test imports go with it."""
    yield served
    await served.run("delete from agent_posts where stock_no is not null")


async def send(shop: Market, who: str, content: str | bytes, mode: str = "import") -> httpx.Response:
    data = content.encode() if isinstance(content, str) else content
    async with shop.as_(who, "/functions/v1") as client:
        return await client.post(f"/import-offers?mode={mode}", content=data, timeout=90)


async def stock_of(shop: Market, who: str) -> list[tuple[Any, ...]]:
    found = await shop.db.fetch(
        "select stock_no, car_name, mileage_km, cnf_price::float from agent_posts where agent_id = $1"
        " and stock_no is not null order by 1",
        ALL_IDS[who],
    )
    return [tuple(row) for row in found]


def states(answer: httpx.Response) -> list[str]:
    assert answer.status_code == 200, answer.text
    return [row["state"] for row in answer.json()["rows"]]


async def test_a_check_tells_what_would_be_added_and_adds_nothing(shop: Market) -> None:
    answer = await send(shop, "agent", LIST, "check")
    assert states(answer) == ["new", "new", "wrong"]
    told = answer.json()
    assert (told["mode"], told["encoding"], told["reason"]) == ("check", "utf-8", None)
    assert told["rows"][2]["row"] == 4
    assert told["rows"][2]["problems"] == [{"column": "year", "text": "“soon” is not a year. Write it as 2017."}]
    assert await stock_of(shop, "agent") == []


async def test_an_import_adds_the_good_rows_and_the_same_file_again_adds_nothing(shop: Market) -> None:
    assert states(await send(shop, "agent", LIST)) == ["added", "added", "wrong"]
    expected = [("A1", "Toyota", 85_000, 4900.0), ("A2", "Mazda", 62_000, 5300.0)]
    assert await stock_of(shop, "agent") == expected
    assert states(await send(shop, "agent", LIST, "check")) == ["there", "there", "wrong"]
    assert states(await send(shop, "agent", LIST)) == ["there", "there", "wrong"]
    assert await stock_of(shop, "agent") == expected


async def test_a_list_without_stock_numbers_adds_nothing_twice_either(shop: Market) -> None:
    given = "Make;Model;Year\nトヨタ;アクア;2017\nマツダ;デミオ;2016\n".encode("cp932")
    assert states(await send(shop, "agent", given)) == ["added", "added"]
    assert states(await send(shop, "agent", given)) == ["there", "there"]
    assert [car for _, car, _, _ in await stock_of(shop, "agent")] in (["トヨタ", "マツダ"], ["マツダ", "トヨタ"])


async def test_one_file_sent_twice_at_once_adds_every_car_once(shop: Market) -> None:
    both = await asyncio.gather(*(send(shop, "agent", LIST) for _ in range(2)))
    assert sorted(state for answer in both for state in states(answer) if state != "wrong") == [
        "added", "added", "there", "there",
    ]  # fmt: skip
    assert len(await stock_of(shop, "agent")) == 2


async def test_a_whole_list_is_added_batch_by_batch_and_known_again(shop: Market) -> None:
    given = HEAD + "".join(f"S{number},Toyota,Aqua,2017,{number},4900\n" for number in range(5_000))
    answer = await send(shop, "agent", given)
    assert answer.json()["counts"] == {"new": 0, "there": 0, "wrong": 0, "added": 5_000, "failed": 0}
    assert len(await stock_of(shop, "agent")) == 5_000
    assert (await send(shop, "agent", given, "check")).json()["counts"]["there"] == 5_000


async def test_a_batch_the_database_refuses_is_left_out_whole_and_the_others_are_added(shop: Market) -> None:
    """An address of the server's own that is no picture of the agent's: only the database knows."""
    await shop.run(
        "insert into app_settings (key, value) values ('public_url', to_jsonb('https://cars.example'::text))"
    )
    rows = [f"B{number},Toyota,Aqua,\n" for number in range(1_001)]
    rows[3] = "B3,Toyota,Aqua,https://cars.example/elsewhere.jpg\n"
    answer = await send(shop, "agent", "Stock No,Make,Model,Photos\n" + "".join(rows))
    await shop.run("delete from app_settings where key = 'public_url'")
    assert states(answer) == ["failed"] * 500 + ["added"] * 501
    assert "A picture must be one that was uploaded here" in answer.json()["reason"]
    assert len(await stock_of(shop, "agent")) == 501


async def test_two_agents_may_use_the_same_stock_numbers_and_neither_touches_the_other(shop: Market) -> None:
    await send(shop, "agent", LIST)
    before = await stock_of(shop, "agent")
    answer = await send(shop, "other_agent", f"{HEAD}A1,Nissan,Note,2015,1,1\n")
    assert states(answer) == ["added"]
    assert await stock_of(shop, "agent") == before
    assert await stock_of(shop, "other_agent") == [("A1", "Nissan", 1, 1.0)]


@pytest.mark.parametrize(
    ("who", "status", "code"),
    [
        ("anon", 401, "signed_out"),
        ("service_role", 401, "signed_out"),
        ("importer", 403, "not_agent"),
        ("newcomer", 403, "not_agent"),
        ("admin", 403, "not_agent"),
        ("suspended", 403, "suspended"),
    ],
)
async def test_only_agents_who_may_offer_cars_import_them(shop: Market, who: str, status: int, code: str) -> None:
    answer = await send(shop, who, LIST)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert answer.json()["message"].count(" ") > 2
    assert await shop.db.fetchval("select count(*) from agent_posts where stock_no is not null") == 0


async def test_where_agents_need_the_seal_one_without_it_imports_nothing(shop: Market) -> None:
    setting = "update app_settings set value = '%s' where key = 'require_verified_to_post'"
    await shop.run(setting % "true")
    answer = await send(shop, "other_agent", LIST)
    await shop.run(setting % "false")
    assert (answer.status_code, answer.json()["code"]) == (403, "may_not_post")
    assert await stock_of(shop, "other_agent") == []


async def test_whoever_has_no_token_is_stopped_before_the_function(shop: Market) -> None:
    async with httpx.AsyncClient(base_url=shop.server.url) as client:
        answer = await client.post("/functions/v1/import-offers?mode=import", content=LIST)
    assert answer.status_code == 401


@pytest.mark.parametrize(
    ("content", "status", "code"),
    [(b"PK\x03\x04", 415, "not_csv"), (b"", 422, "empty"), (b"a" * 3_000_000, 413, "too_large")],
)
async def test_a_file_that_is_no_list_is_refused(shop: Market, content: bytes, status: int, code: str) -> None:
    answer = await send(shop, "agent", content, "check")
    assert (answer.status_code, answer.json()["code"]) == (status, code)


async def test_an_unknown_mode_is_refused(shop: Market) -> None:
    answer = await send(shop, "agent", LIST, "replace")
    assert (answer.status_code, answer.json()["code"]) == (400, "unknown_mode")


async def test_a_stock_number_is_the_agents_own_once_and_not_blank(stage: Stage) -> None:
    given = "insert into agent_posts (agent_id, car_name, model, stock_no) values ({%s}, 'a', 'b', '%s')"
    assert await stage.outcome("agent", given % ("agent", "A1")) == 1
    assert await stage.outcome("agent", given % ("agent", "A1")) == "23505"
    assert await stage.outcome("agent", given % ("other_agent", "A1")) == "42501"
    assert await stage.outcome("agent", given % ("agent", " ")) == "23514"
    assert await stage.outcome("agent", given % ("agent", "a" * 31)) == "23514"
    change = "update agent_posts set stock_no = 'A2' where id = {post}"
    assert await stage.outcome("other_agent", change) == 0
    assert await stage.outcome("agent", change) == 1
