"""Tokens, roles, and that nothing of one caller is left for the next."""

from __future__ import annotations

import asyncio

import httpx
import pytest

from tests.support.server import Minato


# rest: AUTH-1
async def test_an_anonymous_caller_without_the_right_is_told_to_sign_in(anon: httpx.AsyncClient) -> None:
    answer = await anon.get("/secrets")
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"
    assert answer.json() == {
        "code": "42501",
        "message": "permission denied for table secrets",
        "details": None,
        "hint": answer.json()["hint"],
    }


async def test_a_user_with_the_right_reads(user: httpx.AsyncClient) -> None:
    assert (await user.get("/secrets")).json() == [{"id": 1, "word": "xyzzy"}]


async def test_a_policy_decides_which_rows_a_caller_sees(anon: httpx.AsyncClient, user: httpx.AsyncClient) -> None:
    assert [row["id"] for row in (await anon.get("/owned")).json()] == [1]
    assert [row["id"] for row in (await user.get("/owned")).json()] == [2]


async def test_the_service_role_sees_every_row(club: Minato) -> None:
    async with club.client(club.service_role_key) as service:
        assert len((await service.get("/rest/v1/owned")).json()) == 2


# rest: INS-9
async def test_a_row_that_a_policy_forbids_is_not_written(anon: httpx.AsyncClient, user: httpx.AsyncClient) -> None:
    row = {"id": 7, "owner_role": "service_role"}
    as_anon = await anon.post("/owned", json=row)
    assert (as_anon.status_code, as_anon.json()["code"]) == (401, "42501")
    as_user = await user.post("/owned", json=row)
    assert (as_user.status_code, as_user.json()["code"]) == (403, "42501")


# rest: AUTH-4, RPC-11
async def test_sql_sees_the_claims_and_the_request(club: Minato, user: httpx.AsyncClient) -> None:
    headers = {"user-agent": "spec", "cookie": "a=b; c=d"}
    seen = (await user.post("/rpc/whoami", headers=headers)).json()
    assert seen["role"] == "authenticated"
    assert seen["claims"]["sub"] == "11111111-1111-1111-1111-111111111111"
    assert (seen["method"], seen["path"], seen["agent"]) == ("POST", "/rpc/whoami", "spec")
    assert seen["cookies"] == {"a": "b", "c": "d"}


# rest: AUTH-7, AUTH-11, AUTH-12
@pytest.mark.parametrize(
    ("claims", "message"),
    [
        ({"exp": 1}, "JWT expired"),
        ({"nbf": 99999999999}, "JWT not yet valid"),
        ({"iat": 99999999999}, "JWT issued at future"),
        ({"exp": "soon"}, "The JWT 'exp' claim must be a number"),
        ({"aud": 5}, "The JWT 'aud' claim must be a string or an array of strings"),
    ],
)
async def test_claims_that_do_not_hold_are_401(club: Minato, claims: dict[str, object], message: str) -> None:
    async with club.client(club.token(**claims)) as client:  # type: ignore[arg-type]
        answer = await client.get("/rest/v1/teams")
    assert answer.status_code == 401
    assert answer.json() == {"code": "PGRST303", "message": message, "details": None, "hint": None}
    assert answer.headers["www-authenticate"] == f'Bearer error="invalid_token", error_description="{message}"'


# rest: AUTH-6, AUTH-8, ERR-3
@pytest.mark.parametrize(
    ("token", "message", "details"),
    [
        ("x", "Expected 3 parts in JWT; got 1", None),
        ("a.b.c.d", "Expected 3 parts in JWT; got 4", None),
        ("!!.b.c", "JWT cryptographic operation failed", None),
        (
            "eyJhbGciOiJIUzI1NiJ9.e30.AAAA",
            "No suitable key or wrong key type",
            "None of the keys was able to decode the JWT",
        ),
        (
            "eyJhbGciOiJub25lIn0.e30.",
            "Wrong or unsupported encoding algorithm",
            "JWT is unsecured but expected 'alg' was not 'none'",
        ),
    ],
)
async def test_a_token_that_cannot_be_trusted_is_401(
    club: Minato, token: str, message: str, details: str | None
) -> None:
    headers = {"apikey": club.anon_key, "authorization": f"bearer {token}"}
    async with httpx.AsyncClient(base_url=club.url) as client:
        answer = await client.get("/rest/v1/teams", headers=headers)
    assert answer.status_code == 401
    assert answer.json() == {"code": "PGRST301", "message": message, "details": details, "hint": None}


# rest: ERR-3
async def test_a_role_that_does_not_exist_is_401(club: Minato) -> None:
    async with club.client(club.token(role="nobody_knows")) as client:
        answer = await client.get("/rest/v1/teams")
    assert (answer.status_code, answer.json()["code"]) == (401, "22023")
    assert answer.headers["www-authenticate"] == "Bearer"


async def test_a_role_the_login_may_not_become_is_403(club: Minato) -> None:
    async with club.client(club.token(role="supabase_admin")) as client:
        answer = await client.get("/rest/v1/teams")
    assert (answer.status_code, answer.json()["code"]) == (403, "42501")


async def test_role_and_claims_never_mix_between_concurrent_callers(
    anon: httpx.AsyncClient, user: httpx.AsyncClient
) -> None:
    clients = [anon, user] * 30
    answers = await asyncio.gather(*(client.get("/owned") for client in clients))
    seen = [[row["owner_role"] for row in answer.json()] for answer in answers]
    assert seen == [["anon"], ["authenticated"]] * 30


async def test_a_setting_a_function_made_for_its_session_is_gone_for_the_next_request(
    anon: httpx.AsyncClient,
) -> None:
    for _ in range(20):
        await anon.post("/rpc/leak", json={"value": "secret"}, headers={"prefer": "tx=commit"})
        assert (await anon.get("/rpc/leaked")).json() in (None, "")


# rest: AUTH-10
async def test_a_connection_serves_the_next_caller_after_errors(anon: httpx.AsyncClient) -> None:
    for _ in range(15):
        await anon.get("/people?id=eq.x")
        await anon.post("/rpc/slow")
    assert (await anon.get("/teams")).status_code == 200
