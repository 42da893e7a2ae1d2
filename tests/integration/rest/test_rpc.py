"""Calling functions."""

from __future__ import annotations

from typing import Any

import httpx
import pytest


@pytest.mark.parametrize(
    ("path", "body", "expected"),
    [
        ("add_them", {"a": 1, "b": 2}, 3),
        ("greet", {}, "Hello world"),
        ("greet", {"name": "you"}, "Hello you"),
        ("greet", None, "Hello world"),
        ("overloaded", {"a": 1}, "int"),
        ("overloaded", {"a": 1, "b": 1}, "two"),
        ("numbers", {"upto": 3}, [1, 2, 3]),
        ("pairs", {}, [{"x": 1, "y": "a"}, {"x": 2, "y": "b"}]),
        ("with_out", {"n": 4}, {"double": 8, "half": 2}),
        ("sum_all", {"numbers": [1, 2, 3]}, 6),
        ("a_json", {}, {"a": [1, 2]}),
        ("whole_json", {"x": 1}, {"x": 1}),
        ("one_person?select=name", {"person": 1}, {"name": "Aiko"}),
        ("adults?select=name&order=name.desc&limit=1", {}, [{"name": "Chiyo"}]),
        ("adults?select=name,clubs(name)&id=eq.1", {}, [{"name": "Aiko", "clubs": {"name": "Rowing"}}]),
        ("adults?select=id,title&name=like.A*", {}, [{"id": 1, "title": "Dear Aiko"}]),
        ("pairs?select=y&x=gt.1", {}, [{"y": "b"}]),
    ],
)
async def test_a_posted_call_answers_with_what_the_function_returns(
    anon: httpx.AsyncClient, path: str, body: Any, expected: object
) -> None:
    answer = await anon.post(f"/rpc/{path}", json=body) if body is not None else await anon.post(f"/rpc/{path}")
    assert (answer.status_code, answer.json()) == (200, expected)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("add_them?a=1&b=2", 3),
        ("greet?name=eq. you", None),
        ("sum_all?numbers=1&numbers=2", 3),
        ("numbers?upto=2", [1, 2]),
        ("adults?id=eq.3&select=id", [{"id": 3}]),
    ],
)
async def test_a_get_takes_arguments_and_filters_from_the_query(
    anon: httpx.AsyncClient, path: str, expected: object
) -> None:
    answer = await anon.get(f"/rpc/{path}")
    assert expected is None or answer.json() == expected
    assert expected is not None or answer.status_code == 400


async def test_a_void_function_answers_204(anon: httpx.AsyncClient) -> None:
    answer = await anon.post("/rpc/nothing")
    assert (answer.status_code, answer.content) == (204, b"")


async def test_a_text_body_goes_to_the_one_unnamed_parameter(anon: httpx.AsyncClient) -> None:
    answer = await anon.post("/rpc/whole_text", content="shout", headers={"content-type": "text/plain"})
    assert answer.json() == "SHOUT"


async def test_a_set_is_counted_and_ranged(anon: httpx.AsyncClient) -> None:
    answer = await anon.get("/rpc/adults?select=id&order=id&limit=1", headers={"prefer": "count=exact"})
    assert (answer.status_code, answer.headers["content-range"], answer.json()) == (206, "0-0/2", [{"id": 1}])


async def test_get_runs_read_only(anon: httpx.AsyncClient) -> None:
    answer = await anon.get("/rpc/write_log?message=x")
    assert (answer.status_code, answer.json()["code"]) == (405, "25006")
    assert (await anon.post("/rpc/write_log", json={"message": "x"})).json() == 1


async def test_a_function_nobody_has_is_told_with_a_suggestion(anon: httpx.AsyncClient) -> None:
    answer = await anon.post("/rpc/add_the", json={"a": 1})
    assert (answer.status_code, answer.json()) == (
        404,
        {
            "code": "PGRST202",
            "message": "Could not find the function public.add_the(a) in the schema cache",
            "details": "Searched for the function public.add_the with parameter a or with a single unnamed json/jsonb "
            "parameter, but no matches were found in the schema cache.",
            "hint": "Perhaps you meant to call the function public.add_them",
        },
    )
    answer = await anon.get("/rpc/add_them?a=1")
    assert answer.json() == {
        "code": "PGRST202",
        "message": "Could not find the function public.add_them(a) in the schema cache",
        "details": "Searched for the function public.add_them with parameter a, but no matches were found in the "
        "schema cache.",
        "hint": "Perhaps you meant to call the function public.add_them(a, b)",
    }


async def test_overloads_that_differ_only_in_types_are_ambiguous(anon: httpx.AsyncClient) -> None:
    answer = await anon.post("/rpc/ambiguous", json={"a": 1})
    assert answer.status_code == 300
    assert answer.json()["code"] == "PGRST203"
    assert answer.json()["message"] == (
        "Could not choose the best candidate function between: public.ambiguous(a => integer), "
        "public.ambiguous(a => text)"
    )


# rest: RPC-10, ERR-1
@pytest.mark.parametrize(
    ("state", "status"),
    [("P0001", 400), ("PT402", 402), ("PTXYZ", 500), ("23505", 409), ("42501", 401), ("53400", 500), ("57014", 500)],
)
async def test_errors_raised_in_sql_choose_the_status(anon: httpx.AsyncClient, state: str, status: int) -> None:
    answer = await anon.post("/rpc/raise_it", json={"state": state, "message": "so it is"})
    assert answer.status_code == status
    assert answer.json() == {"code": state, "message": "so it is", "details": "the detail", "hint": "the hint"}
    assert ("www-authenticate" in answer.headers) == (status == 401)


async def test_a_raised_pgrst_error_controls_the_whole_answer(anon: httpx.AsyncClient) -> None:
    answer = await anon.post("/rpc/raise_pgrst")
    assert answer.status_code == 332
    assert answer.json() == {"code": "123", "message": "ABC", "details": "DEF", "hint": "XYZ"}
    assert answer.headers["x-header"] == "str"
    assert answer.headers["proxy-status"] == "PostgREST; error=123"


# rest: RPC-12
async def test_sql_sets_status_and_headers(anon: httpx.AsyncClient) -> None:
    body = {"status": "418", "headers": '[{"X-One":"1"},{"Content-Range":"mine"}]'}
    answer = await anon.post("/rpc/set_response", json=body)
    assert (answer.status_code, answer.headers["x-one"], answer.headers["content-range"]) == (418, "1", "mine")


# rest: RPC-12
@pytest.mark.parametrize(
    ("status", "headers", "code"),
    [("200", "{}", "PGRST111"), ("200", '[{"a":"b\\r\\nc: d"}]', "PGRST111"), ("nope", "[]", "PGRST112")],
)
async def test_malformed_response_settings_are_500(
    anon: httpx.AsyncClient, status: str, headers: str, code: str
) -> None:
    answer = await anon.post("/rpc/set_response", json={"status": status, "headers": headers})
    assert (answer.status_code, answer.json()["code"]) == (500, code)


# rest: RPC-10
async def test_a_functions_own_timeout_holds(anon: httpx.AsyncClient) -> None:
    answer = await anon.post("/rpc/slow")
    assert (answer.status_code, answer.json()["code"]) == (500, "57014")


@pytest.mark.parametrize(("method", "code"), [("PATCH", "PGRST101"), ("DELETE", "PGRST101"), ("PUT", "PGRST101")])
async def test_functions_are_only_called_by_get_and_post(anon: httpx.AsyncClient, method: str, code: str) -> None:
    answer = await anon.request(method, "/rpc/greet")
    assert (answer.status_code, answer.json()["code"]) == (405, code)


async def test_options_tells_how_a_function_is_called(anon: httpx.AsyncClient) -> None:
    assert (await anon.options("/rpc/greet")).headers["allow"] == "OPTIONS,GET,HEAD,POST"
    assert (await anon.options("/rpc/write_log?message=x")).headers["allow"] == "OPTIONS,POST"


async def test_an_unnamed_parameter_takes_the_body_that_names_nothing(anon: httpx.AsyncClient) -> None:
    answer = await anon.post("/rpc/whole_text", json={"": "a"})
    assert (answer.status_code, answer.json()) == (200, '{"":"A"}')


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("adults?select=id,initial&order=id", [{"id": 1, "initial": "A"}, {"id": 3, "initial": "C"}]),
        ("adults?select=initial&initial=eq.C", [{"initial": "C"}]),
        ("adults?select=id&order=initial.desc", [{"id": 3}, {"id": 1}]),
        ("adults?select=id,or:initial::text&or=(initial.eq.A,title.eq.x)", [{"id": 1, "or": "A"}]),
        ("adults?select=n:count(),initial&order=initial", [{"n": 1, "initial": "A"}, {"n": 1, "initial": "C"}]),
        ("adults?select=id,clubs(initial)&id=eq.3", [{"id": 3, "clubs": {"initial": "C."}}]),
        ("one_club?club=2&select=initial,people(initial)", {"initial": "C.", "people": [{"initial": "C"}]}),
    ],
)
async def test_a_computed_column_is_that_of_the_rows_a_function_returns(
    anon: httpx.AsyncClient, query: str, expected: object
) -> None:
    assert (await anon.get(f"/rpc/{query}")).json() == expected
    whole = await anon.get("/rpc/one_club?club=2&select=*,initial")
    assert list(whole.json()) == ["id", "name", "founded", "address", "tags", "budget", "initial"]
