"""Reading columns, rows and counts."""

from __future__ import annotations

import httpx
import pytest


async def test_a_table_is_read_as_an_array_of_its_rows(anon: httpx.AsyncClient) -> None:
    answer = await anon.get("/teams")
    assert answer.status_code == 200
    assert answer.json() == [{"id": 1, "title": "A"}, {"id": 2, "title": "B"}]
    assert answer.headers["content-type"] == "application/json; charset=utf-8"
    assert answer.headers["content-range"] == "0-1/*"
    assert answer.headers["content-location"] == "/teams"


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("select=id,called:name&id=eq.1", {"id": 1, "called": "Aiko"}),
        ("select=age::text&id=eq.1", {"age": "41"}),
        ("select=title&id=eq.1", {"title": "Dear Aiko"}),
        ("select= id , name &id=eq.1", {"id": 1, "name": "Aiko"}),
    ],
)
async def test_select_chooses_renames_and_casts_columns(anon: httpx.AsyncClient, query: str, expected: object) -> None:
    assert (await anon.get(f"/people?{query}")).json() == [expected]


@pytest.mark.parametrize(
    ("select", "expected"),
    [
        ("address->city", {"city": "Kobe"}),
        ("address->>city", {"city": "Kobe"}),
        ("address->zip->a", {"a": 1}),
        ("town:address->>city", {"town": "Kobe"}),
        ("tags->0", {"tags": "water"}),
        ("address->zip->a::text", {"a": "1"}),
    ],
)
async def test_json_paths_reach_into_json_arrays_and_are_named_by_their_last_key(
    anon: httpx.AsyncClient, select: str, expected: object
) -> None:
    assert (await anon.get(f"/clubs?select={select}&id=eq.1")).json() == [expected]


async def test_names_that_need_quotes_work_in_the_path_the_select_and_the_filter(anon: httpx.AsyncClient) -> None:
    answer = await anon.get('/Odd "Name', params={"select": '"sel,ect"', "a b": "eq.1"})
    assert answer.json() == [{"sel,ect": "one"}]


@pytest.mark.parametrize(
    ("prefer", "query", "status", "shown"),
    [
        ("count=exact", "", 200, "0-3/4"),
        ("count=exact", "?limit=2", 206, "0-1/4"),
        ("count=exact", "?limit=2&offset=1", 206, "1-2/4"),
        ("count=exact", "?id=eq.99", 200, "*/0"),
        ("count=exact", "?limit=0", 206, "*/4"),
        ("count=estimated", "?limit=2", 206, "0-1/4"),
    ],
)
async def test_counts_tell_the_total_in_content_range(
    anon: httpx.AsyncClient, prefer: str, query: str, status: int, shown: str
) -> None:
    answer = await anon.get(f"/people{query}", headers={"prefer": prefer})
    assert (answer.status_code, answer.headers["content-range"]) == (status, shown)
    assert answer.headers["preference-applied"] == prefer


# rest: RNG-3
async def test_a_planned_count_is_a_number_of_the_planner(anon: httpx.AsyncClient) -> None:
    answer = await anon.get("/people", headers={"prefer": "count=planned"})
    assert answer.headers["content-range"].split("/")[1].isdigit()


async def test_head_answers_with_the_headers_of_get_and_no_body(anon: httpx.AsyncClient) -> None:
    answer = await anon.head("/people", headers={"prefer": "count=exact"})
    assert answer.content == b""
    assert answer.headers["content-range"].endswith("/4")


@pytest.mark.parametrize(("header", "ids"), [("0-1", [1, 2]), ("2-", [3, 4]), ("1-1", [2])])
async def test_the_range_header_is_a_window(anon: httpx.AsyncClient, header: str, ids: list[int]) -> None:
    answer = await anon.get("/people?order=id", headers={"range": header, "range-unit": "items"})
    assert [row["id"] for row in answer.json()] == ids


async def test_an_offset_beyond_a_counted_total_is_416(anon: httpx.AsyncClient) -> None:
    answer = await anon.get("/people?offset=100", headers={"prefer": "count=exact"})
    assert answer.status_code == 416
    assert answer.headers["content-range"] == "*/4"
    assert answer.json()["details"] == "An offset of 100 was requested, but there are only 4 rows."


@pytest.mark.parametrize(
    ("path", "headers", "details"),
    [
        ("/people?limit=-1", {}, "Limit should be greater than or equal to zero."),
        (
            "/people",
            {"range": "5-2"},
            "The lower boundary must be lower than or equal to the upper boundary in the Range header.",
        ),
    ],
)
async def test_impossible_ranges_are_416(
    anon: httpx.AsyncClient, path: str, headers: dict[str, str], details: str
) -> None:
    answer = await anon.get(path, headers=headers)
    assert answer.status_code == 416
    assert answer.json() == {
        "code": "PGRST103",
        "message": "Requested range not satisfiable",
        "details": details,
        "hint": None,
    }


@pytest.mark.parametrize(
    ("order", "ids"),
    [
        ("name.desc", [4, 3, 2, 1]),
        ("age.asc.nullsfirst", [4, 2, 3, 1]),
        ("age.desc.nullslast,id", [1, 3, 2, 4]),
        ("age", [2, 3, 1, 4]),
    ],
)
async def test_rows_are_ordered(anon: httpx.AsyncClient, order: str, ids: list[int]) -> None:
    assert [row["id"] for row in (await anon.get(f"/people?order={order}")).json()] == ids


async def test_rows_are_ordered_by_a_json_path(anon: httpx.AsyncClient) -> None:
    answer = await anon.get("/clubs?select=id&order=address->>city.desc.nullslast")
    assert [row["id"] for row in answer.json()] == [2, 1, 3]


async def test_a_single_object_is_one_row_or_an_error(anon: httpx.AsyncClient) -> None:
    accept = {"accept": "application/vnd.pgrst.object+json"}
    one = await anon.get("/teams?id=eq.1", headers=accept)
    assert one.json() == {"id": 1, "title": "A"}
    assert one.headers["content-type"] == "application/vnd.pgrst.object+json; charset=utf-8"
    many = await anon.get("/teams", headers=accept)
    assert many.status_code == 406
    assert many.json() == {
        "code": "PGRST116",
        "message": "Cannot coerce the result to a single JSON object",
        "details": "The result contains 2 rows",
        "hint": None,
    }
    assert many.headers["proxy-status"] == "PostgREST; error=PGRST116"


async def test_nulls_are_stripped_on_request(anon: httpx.AsyncClient) -> None:
    accept = {"accept": "application/vnd.pgrst.array+json;nulls=stripped"}
    assert (await anon.get("/clubs?select=id,budget&id=eq.3", headers=accept)).json() == [{"id": 3}]


async def test_csv_has_a_header_line_and_rows(anon: httpx.AsyncClient) -> None:
    answer = await anon.get("/teams", headers={"accept": "text/csv"})
    assert answer.text == "id,title\n1,A\n2,B"
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"


async def test_a_media_type_nobody_makes_is_406(anon: httpx.AsyncClient) -> None:
    answer = await anon.get("/teams", headers={"accept": "image/webp"})
    assert (answer.status_code, answer.json()["code"]) == (406, "PGRST107")


async def test_aggregates_group_by_the_other_columns(anon: httpx.AsyncClient) -> None:
    answer = await anon.get("/people?select=club_id,count(),oldest:age.max()&order=club_id")
    assert answer.json() == [
        {"club_id": 1, "count": 2, "oldest": 41},
        {"club_id": 2, "count": 1, "oldest": 30},
        {"club_id": None, "count": 1, "oldest": None},
    ]


async def test_options_lists_what_a_relation_permits(anon: httpx.AsyncClient) -> None:
    answer = await anon.options("/people")
    assert answer.headers["allow"] == "OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE"
