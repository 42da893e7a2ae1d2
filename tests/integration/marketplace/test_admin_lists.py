"""The lists of the back office: any column orders all rows, pages lose and repeat nothing, one row can be asked for."""

from __future__ import annotations

from typing import Any

import pytest

from tests.integration.marketplace.cast import IDS, Stage, sql

MORE_IMPORTERS = """
insert into auth.users (id, aud, role, email, email_confirmed_at, raw_user_meta_data, raw_app_meta_data)
select gen_random_uuid(), 'authenticated', 'authenticated', 'more' || n || '@minato.example', now(),
    jsonb_build_object('full_name', 'Importer ' || chr(65 + n % 7), 'country', 'JP', 'role', 'importer'), '{}'
from generate_series(1, 40) n
"""
ORDERS = {
    "admin_agents": ["agent", "place", "submitted", "payment", "rating", "joined", "status"],
    "admin_importers": ["importer", "place", "account", "requests", "success", "spent", "joined", "status"],
    "admin_requests": ["car", "importer", "posted", "budget", "agent", "priority", "progress", "status"],
    "admin_tickets": ["subject", "from", "category", "priority", "opened", "status"],
    "admin_conversations": ["participants", "messages", "unread", "last", "report"],
}


async def page(stage: Stage, arguments: str, name: str = "admin_importers") -> dict[str, Any]:
    answer: dict[str, Any] = await stage.value("admin", f"select {name}({arguments})")
    return answer


async def all_names(stage: Stage, arguments: str, size: int = 7) -> list[str]:
    names: list[str] = []
    after = "null"
    while True:
        answer = await page(stage, f"{arguments}, p_limit => {size}, p_after => {after}")
        names += [row["full_name"] for row in answer["rows"]]
        if answer["next"] is None:
            return names
        assert len(answer["rows"]) == size
        after = "'" + answer["next"] + "'"


@pytest.mark.parametrize("descending", ["false", "true"])
@pytest.mark.parametrize(("name", "order"), [(name, order) for name, orders in ORDERS.items() for order in orders])
async def test_every_column_orders_the_list(stage: Stage, name: str, order: str, descending: str) -> None:
    answer = await page(stage, f"p_order => '{order}', p_descending => {descending}", name)
    assert len(answer["rows"]) == answer["total"] > 0
    assert answer["next"] is None


@pytest.mark.parametrize("name", ORDERS)
async def test_a_column_the_list_does_not_have_is_refused(stage: Stage, name: str) -> None:
    assert await stage.outcome("admin", f"select {name}(p_order => 'shoe_size')") == "22023"


async def test_the_order_is_that_of_all_rows_and_not_of_the_page(stage: Stage) -> None:
    await stage.db.execute(MORE_IMPORTERS)
    names = await all_names(stage, "p_order => 'importer'")
    assert len(names) == 43
    assert names == sorted(names, key=str.lower)
    down = await all_names(stage, "p_order => 'importer', p_descending => true")
    assert down == sorted(names, key=str.lower, reverse=True)
    assert (await page(stage, "p_order => 'importer', p_limit => 1"))["rows"][0]["full_name"] == "closed_importer"


async def test_case_and_accents_do_not_part_names(stage: Stage) -> None:
    for person, name in [("importer", "émile"), ("other_importer", "Zoe"), ("closed_importer", "Eva")]:
        await stage.db.execute(sql(f"update profiles set full_name = '{name}' where user_id = {{{person}}}"))
    assert (await all_names(stage, "p_order => 'importer'"))[-1] == "Zoe"


@pytest.mark.parametrize("descending", ["false", "true"])
async def test_rows_without_the_column_stand_last_in_both_directions(stage: Stage, descending: str) -> None:
    answer = await page(stage, f"p_order => 'rating', p_descending => {descending}", "admin_agents")
    assert answer["rows"][0]["full_name"] == "agent"
    assert [row["reviews_count"] for row in answer["rows"]] == [1, 0, 0]


async def test_a_page_goes_on_where_the_last_one_ended_although_a_row_came_before_it(stage: Stage) -> None:
    first = await page(stage, "p_order => 'importer', p_limit => 2")
    await stage.db.execute(MORE_IMPORTERS.replace("'Importer ' || chr(65 + n % 7)", "'Aaron ' || n"))
    second = await page(stage, f"p_order => 'importer', p_limit => 2, p_after => '{first['next']}'")
    assert [row["full_name"] for row in first["rows"]] == ["closed_importer", "importer"]
    assert [row["full_name"] for row in second["rows"]] == ["other_importer"]
    assert second["total"] == 43


@pytest.mark.parametrize(
    ("name", "identity"),
    [
        ("admin_agents", IDS["agent"]),
        ("admin_importers", IDS["importer"]),
        ("admin_requests", IDS["request"]),
        ("admin_tickets", IDS["ticket"]),
        ("admin_conversations", ",".join(sorted((IDS["agent"], IDS["importer"])))),
    ],
)
async def test_one_row_is_found_in_whatever_tab_it_is(stage: Stage, name: str, identity: str) -> None:
    found = await page(stage, f"p_id => '{identity}', p_status => 'none of these', p_search => 'nobody'", name)
    assert [identity in (row.get("user_id"), row.get("id")) for row in found["rows"]] == [True]
    assert found["rows"][0] in (await page(stage, "p_limit => 1000", name))["rows"]
    assert "counts" not in found, "one entry tells nothing of the others"
    for nobody in ("unknown", "00000000-0000-0000-0000-000000000000", ""):
        assert (await page(stage, f"p_id => '{nobody}'", name))["rows"] == []


async def test_reported_conversations_have_a_tab(stage: Stage) -> None:
    answer = await page(stage, "p_status => 'reported'", "admin_conversations")
    assert answer["counts"] == {"all": 1, "reported": 1}
    assert [row["report_reason"] for row in answer["rows"]] == ["Rude"]
    await stage.db.execute("update conversation_reports set status = 'closed'")
    assert (await page(stage, "p_status => 'reported'", "admin_conversations"))["rows"] == []


@pytest.mark.parametrize("who", ["agent", "importer", "anon"])
async def test_who_may_not_read_the_lists_can_not_order_them_either(stage: Stage, who: str) -> None:
    for name in ORDERS:
        assert await stage.outcome(who, f"select {name}(p_id => '{IDS['agent']}', p_order => 'status')") == "42501"
