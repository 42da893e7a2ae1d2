"""Insert, upsert, update, delete, PUT. Nothing stays: the clients prefer tx=rollback."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from tests.support.server import Minato

ROLLBACK = "tx=rollback"
REPRESENT = "tx=rollback, return=representation"


async def test_an_insert_answers_201_with_no_body(anon: httpx.AsyncClient) -> None:
    answer = await anon.post("/teams", json={"id": 9, "title": "Z"})
    assert (answer.status_code, answer.content) == (201, b"")
    assert answer.headers["content-range"] == "*/*"
    assert answer.headers["content-length"] == "0"
    assert answer.headers["preference-applied"] == ROLLBACK
    assert "content-type" not in answer.headers


async def test_return_headers_only_tells_the_location(anon: httpx.AsyncClient) -> None:
    answer = await anon.post(
        "/measures", json={"a": 7, "b": 8, "mood": "ok"}, headers={"prefer": "tx=rollback, return=headers-only"}
    )
    assert answer.headers["location"] == "/measures?a=eq.7&b=eq.8"


async def test_a_representation_is_selected_and_embedded_like_a_read(anon: httpx.AsyncClient) -> None:
    answer = await anon.post(
        "/people?select=name,notes,clubs(name)", json={"name": "Emi", "club_id": 2}, headers={"prefer": REPRESENT}
    )
    assert answer.status_code == 201
    assert answer.json() == [{"name": "Emi", "notes": "none", "clubs": {"name": "Chess"}}]
    assert answer.headers["preference-applied"] == "return=representation, tx=rollback"


@pytest.mark.parametrize(
    ("query", "prefer", "body", "expected"),
    [
        ("?select=name,age", "", [{"name": "a", "age": 1}, {"name": "b", "age": 2}], [("a", 1), ("b", 2)]),
        ("?select=name,notes&columns=name,notes", "", [{"name": "a", "x": 1}], [("a", None)]),
        ("?select=name,notes&columns=name,notes", "missing=default", [{"name": "a"}], [("a", "none")]),
        ("?select=name,notes&columns=name,notes", "missing=default", {"name": "a"}, [("a", "none")]),
        ("?select=name,notes", "", {"name": "a", "notes": None}, [("a", None)]),
    ],
)
async def test_bulk_inserts_columns_and_defaults(
    anon: httpx.AsyncClient, query: str, prefer: str, body: Any, expected: list[tuple[Any, ...]]
) -> None:
    headers = {"prefer": f"{REPRESENT}, {prefer}".rstrip(", ")}
    answer = await anon.post(f"/people{query}", json=body, headers=headers)
    assert [tuple(row.values()) for row in answer.json()] == expected, answer.text


@pytest.mark.parametrize(("body", "rows"), [("[]", 0), ("[{},{}]", 2), ("{}", 1)])
async def test_empty_bodies_insert_that_many_rows_of_defaults(anon: httpx.AsyncClient, body: str, rows: int) -> None:
    headers = {"prefer": REPRESENT, "content-type": "application/json"}
    answer = await anon.post("/logs", content=body, headers=headers)
    assert answer.status_code == 201
    assert answer.json() == [{"message": None}] * rows


async def test_csv_and_forms_are_bodies_too(anon: httpx.AsyncClient) -> None:
    headers = {"prefer": REPRESENT, "content-type": "text/csv"}
    answer = await anon.post("/teams", content='id,title\n7,"a, b"\n8,c', headers=headers)
    assert answer.json() == [{"id": 7, "title": "a, b"}, {"id": 8, "title": "c"}]
    answer = await anon.post("/teams", data={"id": "7", "title": "x y"}, headers={"prefer": REPRESENT})
    assert answer.json() == [{"id": 7, "title": "x y"}]


@pytest.mark.parametrize(
    ("path", "body", "headers", "status", "code", "message"),
    [
        ("/teams", "{", {}, 400, "PGRST102", "Empty or invalid json"),
        ("/teams", "", {}, 400, "PGRST102", "Empty or invalid json"),
        ("/teams", '[{"id":1},{"title":"x"}]', {}, 400, "PGRST102", "All object keys must match"),
        ("/teams", "[1]", {}, 400, "PGRST102", "All object keys must match"),
        (
            "/teams",
            "id\n1,2",
            {"content-type": "text/csv"},
            400,
            "PGRST102",
            "All lines must have same number of fields",
        ),
        ("/teams", "x", {"content-type": "image/png"}, 400, "PGRST102", "Content-Type not acceptable: image/png"),
        (
            "/teams",
            '{"nope":1}',
            {},
            400,
            "PGRST204",
            "Could not find the 'nope' column of 'teams' in the schema cache",
        ),
        (
            "/teams?columns=nope",
            '{"nope":1}',
            {},
            400,
            "PGRST204",
            "Could not find the 'nope' column of 'teams' in the schema cache",
        ),
        (
            "/teams",
            '{"id":5}',
            {},
            400,
            "23502",
            'null value in column "title" of relation "teams" violates not-null constraint',
        ),
        (
            "/teams",
            '{"id":1,"title":"x"}',
            {},
            409,
            "23505",
            'duplicate key value violates unique constraint "teams_pkey"',
        ),
        (
            "/people",
            '{"name":"x","club_id":99}',
            {},
            409,
            "23503",
            'insert or update on table "people" violates foreign key constraint "people_club_id_fkey"',
        ),
        ("/teams", '{"id":"x","title":"x"}', {}, 400, "22P02", 'invalid input syntax for type integer: "x"'),
        (
            "/boxes",
            '{"id":5,"size":-1}',
            {},
            400,
            "23514",
            'value for domain positive violates check constraint "positive_check"',
        ),
        ("/boxes", '{"id":5,"label":"too long"}', {}, 400, "22001", "value too long for type character varying(5)"),
        ("/secrets", '{"id":2}', {}, 401, "42501", "permission denied for table secrets"),
    ],
)
async def test_a_bad_insert_gets_the_references_error_and_leaves_nothing(
    anon: httpx.AsyncClient, path: str, body: str, headers: dict[str, str], status: int, code: str, message: str
) -> None:
    sent = {"content-type": "application/json", "prefer": "tx=commit", **headers}
    answer = await anon.post(path, content=body, headers=sent)
    assert (answer.status_code, answer.json()["code"], answer.json()["message"]) == (status, code, message)


@pytest.mark.parametrize(
    ("prefer", "body", "status", "expected"),
    [
        ("resolution=merge-duplicates", {"id": 1, "title": "new"}, 200, [{"id": 1, "title": "new"}]),
        ("resolution=merge-duplicates", {"id": 9, "title": "new"}, 201, [{"id": 9, "title": "new"}]),
        (
            "resolution=merge-duplicates",
            [{"id": 1, "title": "x"}, {"id": 9, "title": "y"}],
            201,
            [{"id": 1, "title": "x"}, {"id": 9, "title": "y"}],
        ),
        (
            "resolution=ignore-duplicates",
            [{"id": 1, "title": "x"}, {"id": 9, "title": "y"}],
            201,
            [{"id": 9, "title": "y"}],
        ),
        ("resolution=merge-duplicates", [], 200, []),
    ],
)
async def test_upserts_merge_or_ignore_duplicates(
    anon: httpx.AsyncClient, prefer: str, body: Any, status: int, expected: object
) -> None:
    answer = await anon.post("/teams", json=body, headers={"prefer": f"{REPRESENT}, {prefer}"})
    assert (answer.status_code, answer.json()) == (status, expected)
    assert answer.headers["preference-applied"] == f"{prefer}, return=representation, tx=rollback"


async def test_on_conflict_names_other_unique_columns(anon: httpx.AsyncClient) -> None:
    headers = {"prefer": f"{REPRESENT}, resolution=merge-duplicates"}
    answer = await anon.post(
        "/clubs?on_conflict=name&select=id,budget", json={"name": "Chess", "budget": 9}, headers=headers
    )
    assert (answer.status_code, answer.json()) == (200, [{"id": 2, "budget": 9.00}])


async def test_an_update_answers_204_or_the_rows(anon: httpx.AsyncClient) -> None:
    quiet = await anon.patch("/people?id=lt.3", json={"notes": "x"})
    assert (quiet.status_code, quiet.content, quiet.headers["content-range"]) == (204, b"", "0-1/*")
    answer = await anon.patch(
        "/people?id=lt.3&select=id,notes,clubs(name)&order=id.desc", json={"notes": "x"}, headers={"prefer": REPRESENT}
    )
    assert answer.status_code == 200
    assert answer.json() == [
        {"id": 2, "notes": "x", "clubs": {"name": "Rowing"}},
        {"id": 1, "notes": "x", "clubs": {"name": "Rowing"}},
    ]


async def test_a_limit_never_hides_written_rows(anon: httpx.AsyncClient) -> None:
    answer = await anon.patch("/teams?select=id&limit=1", json={"title": "x"}, headers={"prefer": REPRESENT})
    assert sorted(row["id"] for row in answer.json()) == [1, 2]


@pytest.mark.parametrize("body", ["{}", "[]", "[{}]"])
async def test_an_empty_update_changes_nothing(anon: httpx.AsyncClient, body: str) -> None:
    headers = {"content-type": "application/json", "prefer": REPRESENT}
    answer = await anon.patch("/people?select=id,clubs(id)", content=body, headers=headers)
    assert (answer.status_code, answer.json(), answer.headers["content-range"]) == (200, [], "*/*")


async def test_an_update_finds_its_rows_by_or_and_by_computed_columns(anon: httpx.AsyncClient) -> None:
    answer = await anon.patch(
        "/people?or=(title.eq.Dear Ben,id.eq.1)&select=id,title&order=id",
        json={"age": 5},
        headers={"prefer": REPRESENT},
    )
    assert answer.json() == [{"id": 1, "title": "Dear Aiko"}, {"id": 2, "title": "Dear Ben"}]


async def test_a_delete_answers_204_or_the_rows(anon: httpx.AsyncClient) -> None:
    quiet = await anon.delete("/letters?id=eq.1")
    assert (quiet.status_code, quiet.headers["content-range"]) == (204, "*/*")
    answer = await anon.delete(
        "/letters?id=gt.1&select=id,sender:people!sender_id(name)&order=id",
        headers={"prefer": f"{REPRESENT}, count=exact"},
    )
    assert answer.json() == [{"id": 2, "sender": {"name": "Ben"}}, {"id": 3, "sender": {"name": "Chiyo"}}]
    assert answer.headers["content-range"] == "*/2"


async def test_writes_of_more_rows_than_allowed_are_refused(anon: httpx.AsyncClient) -> None:
    headers = {"prefer": "handling=strict, max-affected=1, tx=commit"}
    answer = await anon.delete("/letters", headers=headers)
    assert answer.status_code == 400
    assert answer.json()["code"] == "PGRST124"
    assert answer.json()["details"] == "The query affects 3 rows"
    assert len((await anon.get("/letters")).json()) == 3


async def test_a_write_that_is_no_single_object_is_rolled_back(anon: httpx.AsyncClient) -> None:
    headers = {"prefer": "tx=commit, return=representation", "accept": "application/vnd.pgrst.object+json"}
    answer = await anon.patch("/letters", json={"body": "gone"}, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (406, "PGRST116")
    assert [row["body"] for row in (await anon.get("/letters?order=id")).json()] == ["hi", "hello", None]


async def test_a_put_inserts_or_replaces_one_row(anon: httpx.AsyncClient) -> None:
    new = await anon.put("/teams?id=eq.9", json={"id": 9, "title": "n"}, headers={"prefer": REPRESENT})
    assert (new.status_code, new.json()) == (201, [{"id": 9, "title": "n"}])
    old = await anon.put("/teams?id=eq.1", json={"id": 1, "title": "o"}, headers={"prefer": REPRESENT})
    assert (old.status_code, old.json()) == (200, [{"id": 1, "title": "o"}])
    assert (await anon.put("/teams?id=eq.1", json={"id": 1, "title": "o"})).status_code == 204


@pytest.mark.parametrize(
    ("query", "body", "status", "code"),
    [
        ("title=eq.x", {"id": 1}, 405, "PGRST105"),
        ("id=gt.1", {"id": 1}, 405, "PGRST105"),
        ("id=eq.1&limit=1", {"id": 1}, 400, "PGRST114"),
        ("id=eq.1", {"id": 2, "title": "x"}, 400, "PGRST115"),
    ],
)
async def test_a_put_names_exactly_its_row(
    anon: httpx.AsyncClient, query: str, body: object, status: int, code: str
) -> None:
    answer = await anon.put(f"/teams?{query}", json=body)
    assert (answer.status_code, answer.json()["code"]) == (status, code)


async def test_unknown_preferences_matter_only_when_handling_is_strict(anon: httpx.AsyncClient) -> None:
    strict = await anon.get("/teams", headers={"prefer": "handling=strict, anything, at-all"})
    assert strict.status_code == 400
    assert strict.json() == {
        "code": "PGRST122",
        "message": "Invalid preferences given with handling=strict",
        "details": "Invalid preferences: anything, at-all",
        "hint": None,
    }
    assert (await anon.get("/teams", headers={"prefer": "handling=lenient, anything"})).status_code == 200


async def test_a_preferred_time_zone_holds_for_the_request(anon: httpx.AsyncClient) -> None:
    answer = await anon.get("/people?select=joined&id=eq.1", headers={"prefer": "timezone=Asia/Tokyo"})
    assert answer.json() == [{"joined": "2026-01-02T12:04:05+09:00"}]
    assert answer.headers["preference-applied"] == "timezone=Asia/Tokyo"
    wrong = await anon.get("/people", headers={"prefer": "timezone=Nowhere"})
    assert (wrong.status_code, wrong.json()["code"]) == (400, "22023")


async def test_a_committed_write_is_there_for_everybody(club: Minato, anon: httpx.AsyncClient) -> None:
    await anon.post("/logs", json={"message": "kept"}, headers={"prefer": "tx=commit"})
    assert await club.db.fetchval("select count(*) from logs where message = 'kept'") == 1


@pytest.mark.parametrize("query", ["select=*,initial", "select=*,initial&order=initial", "select=*&order=initial"])
async def test_a_computed_column_beside_all_columns_is_given_back_once(anon: httpx.AsyncClient, query: str) -> None:
    prefer = {"prefer": "return=representation, tx=rollback"}
    answer = await anon.patch(f"/clubs?id=eq.2&{query}", json={"budget": 8}, headers=prefer)
    keys = [key for key, _ in json.loads(answer.text, object_pairs_hook=list)[0]]
    computed = ["initial"] if "initial" in query.partition("&")[0] else []
    assert keys == ["id", "name", "founded", "address", "tags", "budget", *computed]
