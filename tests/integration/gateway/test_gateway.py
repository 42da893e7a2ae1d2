"""The gateway: keys, CORS, unknown paths, request ids, limits. Everything over real HTTP."""

from __future__ import annotations

import httpx
import pytest
import websockets

from tests.support.server import Minato
from tests.support.waiting import PATIENCE

PREFLIGHT = {
    "origin": "https://shop.example",
    "access-control-request-method": "POST",
    "access-control-request-headers": "authorization,apikey,x-client-info",
}


@pytest.fixture
async def seen_role(minato: Minato) -> None:
    """A function that says as whom a request runs."""
    await minato.db.execute(
        """create or replace function public.seen_role() returns text language sql stable
        as $$ select current_user::text $$;
        grant execute on function public.seen_role() to anon, authenticated, service_role"""
    )


async def role_seen(minato: Minato, **headers: str) -> str:
    """The database role that a request with these headers runs as."""
    async with httpx.AsyncClient(base_url=minato.url, timeout=PATIENCE) as client:
        answer = await client.get("/rest/v1/rpc/seen_role", headers=headers)
    role: str = answer.json()
    return role


@pytest.mark.usefixtures("seen_role")
async def test_an_opaque_key_is_taken_for_the_role_it_stands_for(minato: Minato) -> None:
    keys = minato.backend.api_keys
    assert await role_seen(minato, apikey=keys.secret) == "service_role"
    assert await role_seen(minato, apikey=keys.secret, authorization=f"Bearer {keys.secret}") == "service_role"
    assert await role_seen(minato, authorization=f"Bearer {keys.secret}") == "service_role"
    assert await role_seen(minato, apikey=keys.service_role) == "service_role"
    assert await role_seen(minato, apikey=keys.publishable) == "anon"
    assert await role_seen(minato, apikey=keys.anon) == "anon"
    assert await role_seen(minato) == "anon"


@pytest.mark.usefixtures("seen_role")
async def test_a_users_own_token_wins_over_the_key(minato: Minato) -> None:
    keys = minato.backend.api_keys
    user = f"Bearer {minato.token('00000000-0000-4000-8000-000000000001')}"
    assert await role_seen(minato, apikey=keys.publishable, authorization=user) == "authenticated"
    assert await role_seen(minato, apikey=keys.secret, authorization=user) == "authenticated"
    assert (
        await role_seen(minato, apikey=keys.publishable, authorization=f"Bearer {keys.service_role}") == "service_role"
    )


async def test_an_opaque_key_that_is_not_ours_is_refused(minato: Minato) -> None:
    async with httpx.AsyncClient(base_url=minato.url, timeout=PATIENCE) as client:
        answer = await client.get("/rest/v1/", headers={"apikey": "sb_secret_guessed"})
    assert answer.status_code == 401
    assert answer.json()["message"] == "Invalid API key"


async def test_the_key_may_stand_in_the_query_and_is_no_filter(minato: Minato) -> None:
    async with httpx.AsyncClient(base_url=minato.url, timeout=PATIENCE) as client:
        answer = await client.get(f"/rest/v1/no_such_table?apikey={minato.anon_key}")
    assert answer.json()["code"] == "PGRST205"


@pytest.mark.parametrize("prefix", ["/rest/v1/cars", "/auth/v1/token", "/storage/v1/object/a/b", "/realtime/v1/api"])
async def test_a_browser_may_ask_before_it_calls(minato: Minato, prefix: str) -> None:
    async with httpx.AsyncClient(base_url=minato.url, timeout=PATIENCE) as client:
        answer = await client.options(prefix, headers=PREFLIGHT)
    assert answer.status_code == 200
    assert answer.headers["access-control-allow-origin"] == "*"
    assert answer.headers["access-control-allow-headers"] == PREFLIGHT["access-control-request-headers"]
    assert "PATCH" in answer.headers["access-control-allow-methods"]


async def test_a_page_may_read_the_answer_and_the_count(minato: Minato) -> None:
    async with minato.client(origin="https://shop.example") as client:
        answer = await client.get("/rest/v1/no_such_table")
    assert answer.headers.get_list("access-control-allow-origin") == ["*"]
    assert "Content-Range" in answer.headers["access-control-expose-headers"]


@pytest.mark.parametrize("prefix", ["/rest/v1/no_such_table", "/storage/v1/object/public/a/b", "/auth/v1/settings"])
async def test_what_a_picture_was_loaded_from_may_be_read_by_a_script_from_the_browsers_cache(
    minato: Minato, prefix: str
) -> None:
    """A browser asks for a picture without an origin, and a script is given what the browser kept of that."""
    async with minato.client() as client:
        answer = await client.get(prefix)
        asked_by_a_script = await client.get(prefix, headers={"origin": "https://shop.example"})
    for name in ("access-control-allow-origin", "access-control-expose-headers"):
        assert answer.headers.get_list(name) == asked_by_a_script.headers.get_list(name) != []


async def test_every_answer_carries_the_request_id_that_was_given_or_a_new_one(minato: Minato) -> None:
    async with minato.client() as client:
        given = await client.get("/auth/v1/health", headers={"x-request-id": "trace-me"})
        fresh = await client.get("/auth/v1/health", headers={"x-request-id": "a" * 200})
    assert given.headers.get_list("x-request-id") == ["trace-me"]
    assert len(fresh.headers["x-request-id"]) == 36


async def test_a_service_that_is_not_there_says_so(minato: Minato) -> None:
    async with minato.client() as client:
        answer = await client.post("/graphql/v1", json={})
    assert answer.status_code == 501
    assert "docs/compatibility.md" in answer.json()["message"]


async def test_an_unknown_path_below_a_public_prefix_never_answers_html(minato: Minato) -> None:
    below = ["/rest/v1/a/b/c", "/auth/v1/nope", "/storage/v1/nope", "/realtime/v1/nope", "/rest/v2/x", "/nope.txt"]
    async with minato.client() as client:
        for path in below:
            answer = await client.get(path)
            assert answer.status_code == 404, path
            assert "html" not in answer.headers.get("content-type", ""), path


async def test_a_url_beyond_the_limit_is_refused(minato: Minato) -> None:
    async with minato.client() as client:
        answer = await client.get("/rest/v1/cars?id=eq." + "9" * 40_000)
    assert answer.status_code == 414


@pytest.mark.parametrize(
    ("path", "status"),
    [("/graphql/v1", 403), ("/rest/v1/x", 403), ("/realtime/v1/nope", 404), ("/functions/v1/nope", 404)],
)
async def test_a_socket_that_a_service_has_not_is_refused_and_no_fault_is_logged(
    minato: Minato, caplog: pytest.LogCaptureFixture, path: str, status: int
) -> None:
    with pytest.raises(websockets.InvalidStatus) as refused:
        await websockets.connect(minato.url.replace("http", "ws") + path, proxy=None)
    assert refused.value.response.status_code == status
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == []


async def test_a_socket_to_nowhere_is_refused(minato: Minato) -> None:
    with pytest.raises(websockets.exceptions.InvalidStatus) as refused:
        await websockets.connect(minato.url.replace("http", "ws") + "/nowhere")
    assert refused.value.response.status_code == 403


async def test_forwarded_headers_of_strangers_are_dropped(minato: Minato) -> None:
    await minato.db.execute(
        """create or replace function public.seen_headers() returns json language sql stable
        as $$ select current_setting('request.headers', true)::json $$"""
    )
    await minato.db.execute("notify pgrst, 'reload schema'")
    async with minato.client() as client:
        answer = await client.post("/rest/v1/rpc/seen_headers", headers={"x-forwarded-for": "6.6.6.6", "x-mine": "1"})
    assert answer.json()["x-mine"] == "1"
    assert "x-forwarded-for" not in answer.json()
