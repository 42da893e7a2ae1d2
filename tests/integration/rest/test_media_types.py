"""Domains named like a media type: functions that return one, and aggregates that make one of rows."""

from __future__ import annotations

import httpx
import pytest

JSON = "application/json; charset=utf-8"
HTML, TSV, TITLES = "text/html", "text/tab-separated-values", "application/vnd.titles"
OBJECT = "application/vnd.pgrst.object"
BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/png,*/*;q=0.8"


# rest: MEDIA-1..MEDIA-3
@pytest.mark.parametrize(
    ("path", "accept", "body", "content_type"),
    [
        ("/rpc/picture", "image/png", b"\x89PNG", "image/png"),
        ("/rpc/picture", "image/png, */*", b"\x89PNG", "image/png"),
        ("/rpc/picture", BROWSER, b"\x89PNG", "image/png"),
        ("/rpc/page?title=H%C3%A9", HTML, "<h1>Hé</h1>".encode(), HTML),
        ("/rpc/no_page", HTML, b"", HTML),
        # A value is written as its type writes it, which a cast to text need not do.
        ("/rpc/padded", "text/padded", b"ab  ", "text/padded"),
        ("/rpc/anything", "*/*", b"any", "application/octet-stream"),
        ("/rpc/anything", "app/bingo", b"any", "application/octet-stream"),
        ("/rpc/what_is_asked", "app/chico", b"app/chico", "app/chico"),
        ("/teams?order=id", TSV, b"1\tA\n2\tB\n", TSV),
        ("/teams?select=title&order=id", TSV, b"A\nB\n", TSV),
        ("/teams?select=title,id&order=id", TSV, b"A\t1\nB\t2\n", TSV),
        ("/grown_ups?select=full_name&order=id", TSV, b"Aiko\nChiyo\n", TSV),
        ("/teams?order=id", TITLES, b"A\x00B\x00", TITLES),
        ("/teams?id=eq.2", TITLES, b"B\x00", TITLES),
        ("/teams?id=eq.99", TITLES, b"", TITLES),
        ("/rpc/all_teams", TITLES, b"A\x00B\x00", TITLES),
        ("/rpc/all_teams", TSV, b"1\tA\n2\tB\n", TSV),
        ("/overridden", "application/json", b'{"by": "us"}', JSON),
        ("/overridden", "text/csv", b"csv of ours", "text/csv; charset=utf-8"),
        ("/overridden", "application/vnd.pgrst.array+json", b'{"by": "us"}', JSON),
        ("/overridden?select=id", "text/csv", b"id\n1", "text/csv; charset=utf-8"),
        ("/overridden", OBJECT, b'{"id":1}', f"{OBJECT}+json; charset=utf-8"),
        ("/teams?id=eq.1", "text/plain, application/json", b'[{"id":1,"title":"A"}]', JSON),
        ("/teams?id=eq.1", BROWSER, b'[{"id":1,"title":"A"}]', JSON),
    ],
)  # fmt: skip
async def test_the_handler_of_the_accepted_type_makes_the_body(
    anon: httpx.AsyncClient, path: str, accept: str, body: bytes, content_type: str
) -> None:
    answer = await anon.get(path, headers={"accept": accept})
    assert (answer.status_code, answer.content, answer.headers["content-type"]) == (200, body, content_type)


# rest: MEDIA-2, MEDIA-3
@pytest.mark.parametrize(
    ("path", "accept"),
    [
        ("/people", TITLES),
        ("/teams?select=id", TITLES),
        ("/teams?select=id,title", TITLES),
        ("/teams?select=*,team_members(*)", TITLES),
        ("/teams", "text/plain"),
        ("/teams", "undefined"),
        ("/rpc/pages", HTML),
        ("/rpc/greet", "text/xml"),
        ("/rpc/all_teams", "application/octet-stream"),
    ],
)
async def test_a_type_without_handler_is_not_acceptable(anon: httpx.AsyncClient, path: str, accept: str) -> None:
    answer = await anon.get(path, headers={"accept": accept})
    assert (answer.status_code, answer.json()["code"]) == (406, "PGRST107")
    assert answer.json()["message"] == f"None of these media types are available: {accept}"


async def test_a_function_of_any_type_may_refuse_what_was_asked(anon: httpx.AsyncClient) -> None:
    answer = await anon.get("/rpc/what_is_asked", headers={"accept": "image/png"})
    assert (answer.status_code, answer.json()["message"]) == (406, "Not Acceptable")


async def test_a_handler_sets_headers(anon: httpx.AsyncClient) -> None:
    answer = await anon.get("/overridden", headers={"accept": "text/csv"})
    assert answer.headers["content-disposition"] == "attachment"


async def test_a_function_with_a_media_type_still_speaks_json(anon: httpx.AsyncClient) -> None:
    answer = await anon.get("/rpc/picture", headers={"accept": "application/json"})
    assert (answer.json(), answer.headers["content-type"]) == ("\\x89504e47", JSON)


async def test_handlers_make_representations_of_writes(anon: httpx.AsyncClient) -> None:
    prefer = "return=representation, tx=rollback"
    answer = await anon.post("/teams", json={"id": 9, "title": "Z"}, headers={"accept": TSV, "prefer": prefer})
    assert (answer.status_code, answer.text, answer.headers["content-type"]) == (201, "9\tZ\n", TSV)


async def test_plans_are_told_for_handlers(anon: httpx.AsyncClient) -> None:
    accept = f'application/vnd.pgrst.plan+text; for="{TITLES}"'
    answer = await anon.get("/teams", headers={"accept": accept})
    assert answer.headers["content-type"] == f'application/vnd.pgrst.plan+text; for="{TITLES}"; charset=utf-8'
    assert "Aggregate" in answer.text


@pytest.mark.parametrize(
    ("accept", "told"),
    [
        ("text/odd;x=1", "text/odd;x=1"),
        ("application/vnd.pgrst.plan", 'application/vnd.pgrst.plan+text; for="application/json"'),
        (
            'application/vnd.pgrst.plan+json; for="text/csv"; options=wal|analyze',
            'application/vnd.pgrst.plan+json; for="text/csv"; options=analyze|wal',
        ),
    ],
)
async def test_the_refusal_names_types_as_the_reference_does(anon: httpx.AsyncClient, accept: str, told: str) -> None:
    answer = await anon.get("/", headers={"accept": accept})
    assert (answer.status_code, answer.json()["message"]) == (406, f"None of these media types are available: {told}")
