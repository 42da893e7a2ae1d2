"""Hooks in the database and on the web: what they are told, what they change, and how they refuse."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest
from minato.auth.factors.totp import totp
from minato.config.auth import AuthSettings
from minato.database.address import DatabaseAddress

from tests.integration.auth.test_factors import enroll
from tests.integration.auth.test_journey import NEW, PASSWORD, bearer, sign_in
from tests.integration.auth.test_phone import NUMBER
from tests.support.loopback import Asked, Loopback, Told, loopback
from tests.support.postgres import Cluster
from tests.support.server import Minato, running, settings_for

SECRET = "v1,whsec_" + base64.b64encode(b"a shared secret of 32 bytes long").decode()
SIGNUP, GRANT = "/auth/v1/signup", "/auth/v1/token?grant_type=password"
ANNA = {"email": "anna@example.com", "password": PASSWORD}


@asynccontextmanager
async def hooked(address: DatabaseAddress, folder: Path, uri: str, *names: str, **more: Any) -> AsyncIterator[Minato]:
    """A server whose hooks `names` are all at `uri`; a path of `/hook` becomes the hook's own function or path."""
    settings: dict[str, Any] = {"external_phone_enabled": True, "hook_http_backoff": 0, **more}
    for name in names:
        settings |= {f"hook_{name}_enabled": True, f"hook_{name}_uri": uri}
        settings[f"hook_{name}_secrets"] = SECRET if uri.startswith("http") else ""
    async with running(address, settings_for(folder, auth=AuthSettings(**settings))) as minato:
        yield minato


async def make_hook(minato: Minato, body: str, returns: str = "jsonb", takes: str = "jsonb") -> None:
    await minato.db.execute(
        f"create or replace function public.hook(event {takes}) returns {returns} language plpgsql as $${body}$$"
    )
    await minato.db.execute("grant usage on schema public to supabase_auth_admin")


FUNCTION = "pg-functions://postgres/public/hook"
Asking = tuple[Minato, Loopback]


def somebody() -> dict[str, str]:
    """Nobody else of the server's."""
    return {"email": f"{uuid4().hex}@example.com", "password": PASSWORD}


@pytest.fixture(scope="module")
async def claiming(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Minato]:
    """A server whose function of the claims each test replaces; nobody gets a session."""
    async with cluster.fresh_database() as address:
        async with hooked(address, tmp_path_factory.mktemp("claiming"), FUNCTION, "custom_access_token") as minato:
            yield minato


@pytest.fixture(scope="module")
async def opening(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Asking]:
    """A server that asks before it opens an account, and whom it asks."""
    async with loopback() as hook, cluster.fresh_database() as address:
        folder = tmp_path_factory.mktemp("opening")
        async with hooked(address, folder, hook.url, "before_user_created") as minato:
            yield minato, hook


@pytest.fixture
def asking(opening: Asking) -> Asking:
    """The same, not yet asked; a test says what is answered."""
    opening[1].asked.clear()
    return opening


@pytest.mark.parametrize("kind", ["jsonb", "json"])
async def test_a_function_adds_claims_to_every_token(address: DatabaseAddress, tmp_path: Path, kind: str) -> None:
    async with hooked(address, tmp_path, FUNCTION, "custom_access_token") as minato, minato.client(**NEW) as client:
        body = """begin return jsonb_build_object('claims', (event::jsonb -> 'claims')
            || jsonb_build_object('plan', 'gold', 'how', event ->> 'authentication_method')); end"""
        await make_hook(minato, body, kind, kind)
        session = await sign_in(minato, client)
        claims = minato.backend.keys.verify(session["access_token"])
        assert (claims["plan"], claims["how"], claims["sub"]) == ("gold", "otp", session["user"]["id"])
        assert list(claims) == sorted(claims)
        token = {"refresh_token": session["refresh_token"]}
        again = (await client.post("/auth/v1/token?grant_type=refresh_token", json=token)).json()
        assert minato.backend.keys.verify(again["access_token"])["how"] == "token_refresh"


@pytest.mark.parametrize(
    ("body", "status", "code", "message"),
    [
        ("""return '{"error": {"http_code": 403, "message": "Not today"}}'""", 403, "unknown", "Not today"),
        ("""return '{"error": {"message": "Not today"}}'""", 500, "unexpected_failure", "Not today"),
        ("return '{}'", 500, "unexpected_failure", "output claims field is missing"),
        ("return null", 500, "unexpected_failure", "output claims field is missing"),
        ("raise 'secret detail'", 500, "unexpected_failure", f"Error running hook URI: {FUNCTION}"),
        ("perform pg_sleep(9)", 500, "unexpected_failure", f"Error running hook URI: {FUNCTION}"),
        (
            """return jsonb_build_object('claims', (event -> 'claims') - 'aal')""",
            *(500, "unexpected_failure"),
            "output claims do not conform to the expected schema: \n- (root): aal is required\n",
        ),
    ],
)
async def test_a_function_that_fails_refuses_the_sign_in_and_leaves_no_session(
    claiming: Minato, body: str, status: int, code: str, message: str
) -> None:
    minato, person = claiming, somebody()
    async with minato.client(**NEW) as client:
        await make_hook(minato, f"begin {body}; end")
        await client.post(SIGNUP, json=person)
        mail = minato.backend.outbox.find(person["email"])[0].email
        answer = await client.post("/auth/v1/verify", json={"type": "email", "token_hash": mail.token_hash})
        assert (answer.status_code, answer.json()) == (status, {"code": code, "message": message})
        assert await minato.db.fetchval("select count(*) from auth.sessions") == 0


async def test_a_hook_on_the_web_is_signed_and_told_who_asks(address: DatabaseAddress, tmp_path: Path) -> None:
    async with loopback(lambda _: Told(200, {})) as hook:
        async with hooked(address, tmp_path, hook.url + "/created", "before_user_created") as minato:
            async with minato.client(**NEW) as client:
                body = {**ANNA, "data": {"name": "Anna"}}
                user = (await client.post(SIGNUP, json=body)).json()
    [asked] = hook.asked
    assert asked.path == "/created"
    assert asked.headers["content-type"] == "application/json"
    assert asked.headers["accept-encoding"] == "identity"
    signed = f"{asked.headers['webhook-id']}.{asked.headers['webhook-timestamp']}.".encode() + asked.body
    digest = hmac.new(b"a shared secret of 32 bytes long", signed, hashlib.sha256).digest()
    assert asked.headers["webhook-signature"] == "v1," + base64.b64encode(digest).decode()
    told = asked.json
    assert list(told) == ["metadata", "user"]
    assert (told["metadata"]["name"], told["metadata"]["ip_address"]) == ("before-user-created", "127.0.0.1")
    assert (told["user"]["id"], told["user"]["email"]) == (user["id"], "anna@example.com")
    assert told["user"]["user_metadata"] == {"name": "Anna"}
    assert "password" not in asked.body.decode()


@pytest.mark.parametrize(
    ("body", "told", "status", "message"),
    [
        (ANNA, {"error": {"http_code": 403, "message": "Members only"}}, 403, "Members only"),
        ({"phone": NUMBER, "password": PASSWORD}, {"error": {"message": "No"}}, 500, "No"),
        ({}, {"error": {"http_code": 400, "message": "Name yourself"}}, 400, "Name yourself"),
    ],
)
async def test_an_account_may_be_refused_before_it_is_opened(
    address: DatabaseAddress, tmp_path: Path, body: dict[str, str], told: Any, status: int, message: str
) -> None:
    async with loopback(lambda _: Told(200, told)) as hook:
        on = {"external_anonymous_users_enabled": True}
        async with hooked(address, tmp_path, hook.url, "before_user_created", **on) as minato:
            async with minato.client(**NEW) as client:
                answer = await client.post(SIGNUP, json=body)
            assert (answer.status_code, answer.json()["message"]) == (status, message)
            assert await minato.db.fetchval("select count(*) from auth.users") == 0
            assert minato.backend.outbox.find() == []


TYPE = "hook_payload_invalid_content_type"
ODD = "Unexpected status code returned from hook"
BROKEN = "Service currently unavailable due to hook"


@pytest.mark.parametrize(
    ("told", "status", "code", "message"),
    [
        (Told(204, b""), 200, "", ""),
        (Told(202, {}), 200, "", ""),
        (Told(200, {}, None), 400, TYPE, "Invalid Content-Type: Missing Content-Type header"),
        (Told(200, {}, "text/html"), 400, TYPE, "Invalid JSON response. Received content-type: text/html"),
        (Told(200, {}, "; x=1"), 400, TYPE, "Invalid Content-Type header: mime: no media type"),
        (Told(200, {}, "application/json; charset=utf-8"), 200, "", ""),
        (Told(200, b"{"), 500, "unexpected_failure", "Error unmarshaling JSON output."),
        (
            Told(200, b" " * (200 * 1024 + 1)),
            *(422, "hook_payload_over_size_limit", "Payload size exceeded size limit of 204800 bytes"),
        ),
        (Told(400), 500, "unexpected_failure", "Invalid payload sent to hook"),
        (Told(401), 500, "unexpected_failure", "Hook requires authorization token"),
        (Told(429), 500, "unexpected_failure", BROKEN),
        (Told(503), 500, "unexpected_failure", BROKEN),
        (
            Told(302, headers={"location": "/x"}),
            500,
            "unexpected_failure",
            "Unexpected status code returned from hook: 302",
        ),
        (Told(500), 500, "unexpected_failure", f"{ODD}: 500"),
    ],
)
async def test_the_replies_of_a_hook_on_the_web(
    asking: Asking, told: Told, status: int, code: str, message: str
) -> None:
    minato, hook = asking
    hook.answer = lambda _: told
    async with minato.client(**NEW) as client:
        answer = await client.post(SIGNUP, json=somebody())
    assert answer.status_code == status
    if status != 200:
        assert answer.json() == {"code": code, "message": message}
    assert len(hook.asked) == 1


async def test_a_busy_hook_is_asked_again(address: DatabaseAddress, tmp_path: Path) -> None:
    busy = Told(503, headers={"retry-after": "1"})
    async with loopback() as hook:
        hook.answer = lambda _: busy if len(hook.asked) < 3 else Told()
        async with hooked(address, tmp_path, hook.url, "before_user_created") as minato:
            async with minato.client(**NEW) as client:
                assert (await client.post(SIGNUP, json=ANNA)).status_code == 200
                assert len(hook.asked) == 3
                hook.answer = lambda _: busy
                late = await client.post(SIGNUP, json={**ANNA, "email": "late@example.com"})
    assert (late.status_code, late.json()["message"]) == (500, BROKEN)
    assert len(hook.asked) == 6
    assert len({asked.headers["webhook-id"] for asked in hook.asked}) == 6


async def test_a_hook_that_is_away_or_silent(address: DatabaseAddress, tmp_path: Path) -> None:
    async with loopback(lambda _: Told(0)) as silent:
        async with hooked(address, tmp_path, silent.url, "before_user_created", hook_http_timeout=0.2) as minato:
            async with minato.client(**NEW) as client:
                late = await client.post(SIGNUP, json=ANNA)
    message = "Failed to reach hook within maximum time of 0.200000 seconds"
    assert (late.status_code, late.json()) == (422, {"code": "hook_timeout", "message": message})
    async with hooked(address, tmp_path, silent.url, "before_user_created") as minato:
        async with minato.client(**NEW) as client:
            gone = await client.post(SIGNUP, json=ANNA)
    message = "Failed to reach hook after maximum retries"
    assert (gone.status_code, gone.json()) == (422, {"code": "hook_timeout_after_retry", "message": message})


async def test_mail_is_left_to_the_hook(address: DatabaseAddress, tmp_path: Path) -> None:
    async with loopback() as hook, hooked(address, tmp_path, hook.url, "send_email") as minato:
        async with minato.client(**NEW) as client:
            user = (await client.post(SIGNUP, json=ANNA)).json()
            data = hook.asked[0].json["email_data"]
            assert (data["email_action_type"], hook.asked[0].json["user"]["id"]) == ("signup", user["id"])
            verify = {"type": "signup", "email": "anna@example.com", "token": data["token"]}
            session = (await client.post("/auth/v1/verify", json=verify)).json()
            change = {"email": "new@example.com"}
            assert (await client.put("/auth/v1/user", json=change, headers=bearer(session))).status_code == 200
            [_, asked] = hook.asked
            data = asked.json["email_data"]
            for email, token in (("new@example.com", data["token_new"]), ("anna@example.com", data["token"])):
                body = {"type": "email_change", "email": email, "token": token}
                assert (await client.post("/auth/v1/verify", json=body)).status_code == 200
        assert minato.backend.outbox.find() == []


async def test_a_message_the_hook_refuses_leaves_nothing(address: DatabaseAddress, tmp_path: Path) -> None:
    refusal = Told(200, {"error": {"http_code": 429, "message": "Slow down"}})
    async with loopback(lambda _: refusal) as hook:
        async with hooked(address, tmp_path, hook.url, "send_email", "send_sms") as minato:
            async with minato.client(**NEW) as client:
                for body in (ANNA, {"phone": NUMBER, "password": PASSWORD}):
                    answer = await client.post(SIGNUP, json=body)
                    assert (answer.status_code, answer.json()) == (429, {"code": "unknown", "message": "Slow down"})
            assert await minato.db.fetchval("select count(*) from auth.users") == 0


async def test_text_messages_are_left_to_a_function(address: DatabaseAddress, tmp_path: Path) -> None:
    on = {"mfa_phone_enroll_enabled": True, "mfa_phone_verify_enabled": True}
    async with hooked(address, tmp_path, FUNCTION, "send_sms", **on) as minato, minato.client(**NEW) as client:
        await minato.db.execute("create table public.sent (event jsonb)")
        await minato.db.execute("grant insert on public.sent to supabase_auth_admin")
        await make_hook(minato, "begin insert into public.sent values (event); end", "void")
        body = {"phone": NUMBER, "password": PASSWORD, "channel": "carrier pigeon"}
        assert (await client.post(SIGNUP, json=body)).status_code == 200
        told = json.loads(await minato.db.fetchval("select event from public.sent"))
        assert told["sms"]["phone"] == NUMBER
        verify = {"type": "sms", "phone": NUMBER, "token": told["sms"]["otp"]}
        session = (await client.post("/auth/v1/verify", json=verify)).json()
        factor = {"factor_type": "phone", "phone": NUMBER}
        enrolled = (await client.post("/auth/v1/factors", json=factor, headers=bearer(session))).json()
        await client.post(f"/auth/v1/factors/{enrolled['id']}/challenge", json={}, headers=bearer(session))
        kinds = await minato.db.fetch("select event -> 'sms' ->> 'sms_type' kind from public.sent")
        assert [row["kind"] for row in kinds] == [None, "mfa"]
        assert minato.backend.sms_outbox.find() == []


async def test_attempts_at_passwords_are_judged(address: DatabaseAddress, tmp_path: Path) -> None:
    async with loopback(lambda _: Told(200, {"decision": "continue"})) as hook:
        async with hooked(address, tmp_path, hook.url, "password_verification_attempt") as minato:
            async with minato.client(**NEW) as client:
                session = await sign_in(minato, client)
                credentials = {"email": session["user"]["email"], "password": PASSWORD}
                wrong = {**credentials, "password": "wrong"}
                assert (await client.post(GRANT, json=credentials)).status_code == 200
                assert (await client.post(GRANT, json=wrong)).json()["message"] == "Invalid login credentials"
                nobody = {"email": "nobody@example.com", "password": "x"}
                await client.post(GRANT, json=nobody)
                assert [asked.json["valid"] for asked in hook.asked] == [True, False]
                hook.answer = lambda _: Told(200, {"decision": "reject"})
                await expect_rejected(client, credentials, "Further password verification attempts will be rejected.")
                assert (await client.get("/auth/v1/user", headers=bearer(session))).status_code == 200
                out = {"decision": "reject", "message": "Enough", "should_logout_user": True}
                hook.answer = lambda _: Told(200, out)
                await expect_rejected(client, wrong, "Enough")
                assert (await client.get("/auth/v1/user", headers=bearer(session))).status_code == 403


async def test_what_a_function_writes_about_a_wrong_password_stays(address: DatabaseAddress, tmp_path: Path) -> None:
    """It counts attempts, as the example of the reference's documentation does; the refusal must not undo that."""
    async with hooked(address, tmp_path, FUNCTION, "password_verification_attempt") as minato:
        await minato.db.execute("create table public.attempts (valid boolean)")
        await minato.db.execute("grant insert on public.attempts to supabase_auth_admin")
        body = """begin insert into public.attempts values ((event ->> 'valid')::boolean);
            return jsonb_build_object('decision', 'continue'); end"""
        await make_hook(minato, body)
        async with minato.client(**NEW) as client:
            email = (await sign_in(minato, client))["user"]["email"]
            for password in ("wrong", PASSWORD):
                await client.post(GRANT, json={"email": email, "password": password})
        assert [row["valid"] for row in await minato.db.fetch("select valid from public.attempts")] == [False, True]


async def expect_rejected(client: httpx.AsyncClient, credentials: dict[str, str], message: str) -> None:
    answer = await client.post(GRANT, json=credentials)
    expected = {"code": "invalid_credentials", "message": message}
    assert (answer.status_code, answer.json()) == (400, expected)


async def test_attempts_at_second_factors_are_judged(address: DatabaseAddress, tmp_path: Path) -> None:
    def answer(asked: Asked) -> Told:
        return Told(200, {"decision": "reject" if not asked.json["valid"] else "continue"})

    async with loopback(answer) as hook:
        async with hooked(address, tmp_path, hook.url, "mfa_verification_attempt") as minato:
            async with minato.client(**NEW) as client:
                session = await sign_in(minato, client)
                factor = await enroll(client, session)
                one = f"/auth/v1/factors/{factor['id']}"
                asked = (await client.post(f"{one}/challenge", headers=bearer(session))).json()["id"]
                code = totp(factor["totp"]["secret"], minato.backend.clock.timestamp())
                right = {"challenge_id": asked, "code": code}
                strong = (await client.post(f"{one}/verify", json=right, headers=bearer(session))).json()
                asked = (await client.post(f"{one}/challenge", headers=bearer(strong))).json()["id"]
                wrong = {"challenge_id": asked, "code": "nonsense"}
                refused = await client.post(f"{one}/verify", json=wrong, headers=bearer(strong))
                message = "Further MFA verification attempts will be rejected."
                assert (refused.status_code, refused.json()) == (
                    403,
                    {"code": "mfa_verification_rejected", "message": message},
                )
                assert (await client.get("/auth/v1/user", headers=bearer(strong))).status_code == 403
    told = hook.asked[-1].json
    assert (told["factor_id"], told["factor_type"], told["valid"]) == (factor["id"], "totp", False)


async def test_a_new_account_is_told_of_once(address: DatabaseAddress, tmp_path: Path) -> None:
    async with loopback() as hook, hooked(address, tmp_path, hook.url, "after_user_created") as minato:
        async with minato.client(**NEW) as client:
            for _ in range(2):
                assert (await client.post(SIGNUP, json=ANNA)).status_code == 200
        assert [asked.json["user"]["email"] for asked in hook.asked] == ["anna@example.com"]
        assert hook.asked[0].json["metadata"]["name"] == "after-user-created"
