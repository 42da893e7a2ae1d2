"""`/_dev/v1/users`: a session of anybody's without a password, and what tests of sessions need beside it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from tests.support.accounts import opened_account, post
from tests.support.hosted import Hosted
from tests.support.server import Minato

SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"


@pytest.fixture
async def people(minato: Minato) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=f"{minato.url}/_dev/v1/users", timeout=30) as client:
        yield client


async def sign_in(people: httpx.AsyncClient, user: str, **more: Any) -> dict[str, Any]:
    answer = await people.post("/sign-in", json={"user": user, **more})
    assert answer.status_code == 200, answer.text
    session: dict[str, Any] = answer.json()
    return session


async def with_app(minato: Minato, **fields: Any) -> dict[str, Any]:
    """An account with a proven authenticator app."""
    account = await opened_account(minato, **fields)
    await minato.db.execute(
        "insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret, created_at, updated_at)"
        " values (gen_random_uuid(), $1::text::uuid, 'app', 'totp', 'verified', $2, now(), now())",
        account["id"],
        SECRET,
    )
    return account


async def refreshed(minato: Minato, session: dict[str, Any]) -> httpx.Response:
    async with minato.client() as client:
        return await post(client, "/token?grant_type=refresh_token", {"refresh_token": session["refresh_token"]})


async def test_a_session_without_a_password_opens_every_room(minato: Minato, people: httpx.AsyncClient) -> None:
    account = await opened_account(minato)
    session = await sign_in(people, account["email"].upper())
    assert (session["user"]["id"], session["token_type"]) == (account["id"], "bearer")
    async with minato.client(session["access_token"]) as client:
        assert (await client.get("/auth/v1/user")).json()["email"] == account["email"]
        assert (await client.get("/rest/v1/")).status_code == 200
        assert (await client.get("/storage/v1/bucket")).status_code == 200
        assert (await client.post("/auth/v1/logout")).status_code == 204
        assert (await client.get("/auth/v1/user")).status_code == 403


async def test_the_session_is_refreshed_like_any_other(minato: Minato, people: httpx.AsyncClient) -> None:
    account = await opened_account(minato)
    again = await refreshed(minato, await sign_in(people, account["id"]))
    assert again.status_code == 200, again.text
    claims = minato.backend.keys.verify(again.json()["access_token"])
    assert (claims["aal"], claims["amr"][0]["method"]) == ("aal1", "password")


async def test_a_number_names_its_account(minato: Minato, people: httpx.AsyncClient) -> None:
    account = await opened_account(minato, phone="+44 7700 900123", phone_confirm=True)
    assert (await sign_in(people, "+447700900123"))["user"]["id"] == account["id"]


async def test_a_session_of_the_second_level_stands_for_the_factor(minato: Minato, people: httpx.AsyncClient) -> None:
    account = await with_app(minato)
    weak = await sign_in(people, account["id"])
    strong = await sign_in(people, account["id"], aal="aal2")
    claims = minato.backend.keys.verify(strong["access_token"])
    assert claims["aal"] == "aal2"
    assert {used["method"] for used in claims["amr"]} == {"password", "totp"}
    again = (await refreshed(minato, strong)).json()
    assert minato.backend.keys.verify(again["access_token"])["aal"] == "aal2"
    assert (await refreshed(minato, weak)).status_code == 200


async def test_the_access_token_lasts_as_long_as_asked(minato: Minato, people: httpx.AsyncClient) -> None:
    account = await opened_account(minato)
    session = await sign_in(people, account["id"], expires_in="5m")
    claims = minato.backend.keys.verify(session["access_token"])
    assert (session["expires_in"], claims["exp"] - claims["iat"]) == (300, 300)


async def test_the_link_signs_a_browser_in_where_it_is_to_begin(minato: Minato, people: httpx.AsyncClient) -> None:
    account = await opened_account(minato)
    session = await sign_in(people, account["id"], redirect_to="http://localhost:5173/cart?step=2#top")
    link = urlsplit(session["link"])
    told = parse_qs(link.fragment)
    assert link.geturl().startswith("http://localhost:5173/cart?step=2#")
    assert told["access_token"] == [session["access_token"]]
    assert told["refresh_token"] == [session["refresh_token"]]
    assert (await sign_in(people, account["id"]))["link"].startswith(f"{minato.url}#")


async def test_who_is_unknown_is_refused_with_who_is_known(minato: Minato, people: httpx.AsyncClient) -> None:
    await opened_account(minato)
    for user in ("nobody@example.com", "nobody", "+1999", "00000000-0000-0000-0000-00000000000a", "", "a\0b", "'"):
        answer = await people.post("/sign-in", json={"user": user})
        assert (answer.status_code, answer.json()["code"]) == (404, "user_not_found"), user
        assert answer.json()["hint"].startswith("Known: ")


async def test_whom_no_sign_in_would_let_in_is_refused(minato: Minato, people: httpx.AsyncClient) -> None:
    banned = await opened_account(minato, ban_duration="24h")
    unconfirmed = await opened_account(minato, email_confirm=False)
    for account, asked in ((banned, {}), (unconfirmed, {}), (await opened_account(minato), {"aal": "aal2"})):
        answer = await people.post("/sign-in", json={"user": account["id"], **asked})
        assert (answer.status_code, answer.json()["code"]) == (400, "bad_caller"), answer.text


@pytest.mark.parametrize(
    "body",
    [
        b"", b"[]", b"{", b"\xff", b"{}", b'{"user": 7}', b'{"user": "a", "all": "aal2"}', b'{"user": "a", "aal": 2}',
        b'{"user": "a", "expires_in": -1}', b'{"user": "a", "expires_in": "soon"}',
        b'{"user": "a", "redirect_to": "cart"}', b'{"user": "a", "redirect_to": "http://a b"}',
    ],
)  # fmt: skip
async def test_what_the_call_does_not_take_is_named(people: httpx.AsyncClient, body: bytes) -> None:
    answer = await people.post("/sign-in", content=body)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_request")


async def test_a_path_that_is_none_says_so(people: httpx.AsyncClient) -> None:
    answer = await people.post("/any/fly")
    assert (answer.status_code, answer.json()["code"]) == (404, "no_such_endpoint")


async def test_the_authenticator_s_code_proves_the_factor_and_the_next_one_is_another(
    minato: Minato, people: httpx.AsyncClient
) -> None:
    account = await with_app(minato)
    session = await sign_in(people, account["id"])
    codes = []
    async with minato.client(session["access_token"]) as client:
        for _ in range(2):
            told = (await people.get(f"/{account['email']}/totp")).json()
            codes.append(told["code"])
            asked = (await post(client, f"/factors/{told['factor_id']}/challenge")).json()
            proof = {"challenge_id": asked["id"], "code": told["code"]}
            proven = await post(client, f"/factors/{told['factor_id']}/verify", proof)
            assert proven.status_code == 200, proven.text
    assert codes[0] != codes[1]


async def test_who_has_no_authenticator_is_told_so(minato: Minato, people: httpx.AsyncClient) -> None:
    account = await opened_account(minato)
    answer = await people.get(f"/{account['id']}/totp")
    assert (answer.status_code, answer.json()["code"]) == (404, "user_not_found")


async def test_an_expired_session_is_not_refreshed(minato: Minato, people: httpx.AsyncClient) -> None:
    account = await opened_account(minato)
    session = await sign_in(people, account["id"])
    assert (await people.post(f"/{account['id']}/expire-session")).json() == {"sessions": 1}
    assert (await refreshed(minato, session)).json()["code"] == "session_expired"


async def test_a_stolen_refresh_token_is_noticed(minato: Minato, people: httpx.AsyncClient) -> None:
    account = await opened_account(minato)
    session = await sign_in(people, account["id"])
    assert (await people.post(f"/{account['id']}/reuse-refresh-token")).json() == {"sessions": 1}
    assert (await refreshed(minato, session)).json()["code"] == "refresh_token_already_used"


async def test_a_sign_out_ends_every_session(minato: Minato, people: httpx.AsyncClient) -> None:
    account = await opened_account(minato)
    session = await sign_in(people, account["id"])
    assert (await people.post(f"/{account['id']}/sign-out")).json() == {"sessions": 1}
    assert (await refreshed(minato, session)).json()["code"] == "refresh_token_not_found"


async def test_a_session_of_a_branch_is_the_branch_s_and_has_its_time(hosted: Hosted) -> None:
    branch = await hosted.branch()
    async with branch.client() as admin:
        body = {"email": "anna@example.com", "email_confirm": True}
        await admin.post("/auth/v1/admin/users", json=body)
        await admin.put("/_dev/v1/clock", json={"freeze": "2030-01-01T00:00:00Z"})
        asked = {"user": "anna@example.com"}
        session = (await admin.post("/_dev/v1/users/sign-in", json=asked)).json()
        assert (await hosted.control.post("/_dev/v1/users/sign-in", json=asked)).status_code == 404
    assert session["expires_at"] == 1893456000 + 3600
    async with branch.client(session["access_token"]) as client:
        assert (await client.get("/auth/v1/user")).status_code == 200
    async with hosted.main.client(session["access_token"]) as client:
        assert (await client.get("/auth/v1/user")).status_code >= 400


async def test_where_every_code_of_now_was_used_time_has_to_pass(minato: Minato, people: httpx.AsyncClient) -> None:
    account = await with_app(minato)
    factor = (await people.get(f"/{account['id']}/totp")).json()["factor_id"]
    step = int(minato.backend.clock.timestamp() // 30) + 2
    await minato.db.execute("insert into minato.totp_steps values ($1::text::uuid, $2)", factor, step)
    answer = await people.get(f"/{account['id']}/totp")
    assert (answer.status_code, answer.json()["code"]) == (409, "codes_used")
