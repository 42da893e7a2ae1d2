"""Tokens that are forged, cut off, out of their time or odd inside: every service refuses in its own words."""

from __future__ import annotations

import base64
import hmac
import json
from typing import Any

import httpx
import pytest
from jose import jwk, jws

from tests.integration.robustness.wire import ask, request
from tests.support.server import JWT_SECRET, Minato
from tests.support.waiting import PATIENCE

HOUR = 3600
SERVICES = ["/rest/v1/reviews", "/auth/v1/user", "/auth/v1/admin/users", "/storage/v1/bucket"]
BROADCAST = "/realtime/v1/api/broadcast"


def encoded(value: Any) -> str:
    text = value if isinstance(value, bytes) else json.dumps(value).encode()
    return base64.urlsafe_b64encode(text).rstrip(b"=").decode()


def signed(claims: bytes | dict[str, Any], secret: str = JWT_SECRET, **header: Any) -> str:
    """A token over claims that may be no JSON at all."""
    return str(jws.sign(claims, secret, headers=header or None, algorithm="HS256"))


def signed_by(secret: str | bytes, **header: Any) -> str:
    """A token of the service role that says in its header what its signature is to be checked with."""
    claims = {"role": "service_role", "exp": 9999999999}
    message = f"{encoded({'alg': 'HS256', 'typ': 'JWT', **header})}.{encoded(claims)}"
    key = secret if isinstance(secret, bytes) else secret.encode()
    digest = {"HS384": "sha384", "HS512": "sha512"}.get(header.get("alg", ""), "sha256")
    return f"{message}.{encoded(hmac.digest(key, message.encode(), digest))}"


def claims_of(minato: Minato, **claims: Any) -> dict[str, Any]:
    return {"role": "service_role", "exp": int(minato.backend.clock.timestamp()) + HOUR, **claims}


async def statuses(minato: Minato, token: str) -> dict[str, int]:
    """What each service answers to `token`, every answer being its own JSON."""
    found = {}
    headers = {"apikey": minato.anon_key, "authorization": f"Bearer {token}"}
    async with httpx.AsyncClient(base_url=minato.url, headers=headers, timeout=PATIENCE) as client:
        for path in SERVICES:
            answer = await client.get(path)
            assert answer.headers["content-type"].startswith("application/json"), (path, answer.text)
            found[path] = answer.status_code
        message = {"topic": "a", "event": "b", "payload": {}}
        found[BROADCAST] = (await client.post(BROADCAST, json={"messages": [message]})).status_code
    return found


def require_refused(found: dict[str, int]) -> None:
    assert all(status in (400, 401, 403) for status in found.values()), found


UNTRUSTED = {
    "nothing": ". .",
    "alg none": f"{encoded({'alg': 'none'})}.{encoded({'role': 'service_role'})}.",
    "alg None": f"{encoded({'alg': 'None'})}.{encoded({'role': 'service_role'})}.",
    "no alg": f"{encoded({})}.{encoded({'role': 'service_role'})}.x",
    "alg a list": f"{encoded({'alg': ['HS256']})}.{encoded({'role': 'service_role'})}.x",
    "alg RS256": f"{encoded({'alg': 'RS256'})}.{encoded({'role': 'service_role'})}.x",
    "kid an object": f"{encoded({'alg': 'HS256', 'kid': {'a': 1}})}.{encoded({})}.x",
    "header no object": f"{encoded([])}.{encoded({})}.x",
    "header deep": f"{encoded(b'[' * 20000)}.{encoded({})}.x",
    "header NaN": f"{encoded(b'NaN')}.{encoded({})}.x",
    "wrong secret": signed({"role": "service_role", "exp": 9999999999}, "another-secret-of-at-least-32-characters!"),
    "empty secret": signed_by(b""),
    "the secret by another algorithm": signed_by(JWT_SECRET, alg="HS512"),
    "own key inside": signed_by(b"guess", jwk={"kty": "oct", "k": encoded(b"guess")}),
    "own key elsewhere": signed_by(b"guess", jku="https://attacker.example/jwks", x5u="https://attacker.example/x"),
    "kid a file": signed_by(b"", kid="../../../../dev/null"),
    "kid a statement": signed_by(b"guess", kid="' union select 'guess'; --"),
    "crit": signed({"role": "service_role", "exp": 9999999999}, crit=["exp"]),
    "not base64": "é.ü.ß".encode().decode("latin-1"),
}


@pytest.mark.parametrize("token", UNTRUSTED.values(), ids=UNTRUSTED.keys())
async def test_a_token_that_is_not_ours_is_refused_everywhere(minato: Minato, token: str) -> None:
    require_refused(await statuses(minato, token.encode().decode("latin-1") if token.isascii() else "a.b.c"))


async def test_a_token_cut_anywhere_is_refused(minato: Minato) -> None:
    whole = minato.token()
    for length in (1, len(whole) // 3, len(whole) // 2, len(whole) - 1):
        require_refused(await statuses(minato, whole[:length]))


async def test_a_payload_changed_after_signing_is_refused(minato: Minato) -> None:
    header, _, signature = minato.token().split(".")
    require_refused(await statuses(minato, f"{header}.{encoded(claims_of(minato))}.{signature}"))


UNREADABLE = [b"", b"5", b"[]", b"{", b'{"role":"service_role","exp":NaN}', b'{"exp":Infinity}', b"\xff", b"[" * 9000,
              b'{"a":' * 400 + b"1" + b"}" * 400, b'{"role":"\\ud800"}', b'{"exp":1e999}']  # fmt: skip


@pytest.mark.parametrize("payload", UNREADABLE, ids=lambda payload: repr(payload[:24]))
async def test_a_signed_payload_that_is_no_json_object_is_refused(minato: Minato, payload: bytes) -> None:
    require_refused(await statuses(minato, signed(payload)))


@pytest.mark.parametrize(
    "times", [{"exp": 1}, {"exp": -5}, {"nbf": 99999999999}, {"exp": "soon"}, {"exp": True}, {"exp": []}, {"nbf": "x"}]
)
async def test_a_token_out_of_its_time_is_refused(minato: Minato, times: dict[str, Any]) -> None:
    found = await statuses(minato, signed(claims_of(minato, **times)))
    if "nbf" in times:
        # Realtime of the reference looks at `exp` alone.
        found.pop(BROADCAST)
    require_refused(found)


@pytest.mark.parametrize("expires", [10**15, 10**30, 1e18, 9999999999.5])
async def test_a_far_end_is_no_error(minato: Minato, expires: float) -> None:
    found = await statuses(minato, signed(claims_of(minato, exp=expires)))
    assert max(found.values()) < 500, found


@pytest.mark.parametrize(
    "odd",
    [
        {"sub": 5}, {"sub": {}}, {"sub": "not-a-uuid"}, {"sub": "\x00"}, {"sub": None}, {"sub": "'; drop table x"},
        {"role": 7}, {"role": {}}, {"role": ["service_role"]}, {"role": None}, {"role": True}, {"role": ""},
        {"role": "\x00"}, {"role": "none"}, {"role": "é"}, {"role": "a" * 300}, {"role": 'service_role"; reset role'},
        {"session_id": 5}, {"session_id": {}}, {"session_id": "x"}, {"aud": 5}, {"aud": []}, {"aud": [5]}, {"aal": {}},
        {"app_metadata": 5}, {"is_anonymous": "yes"}, {"amr": 5}, {"big": 10**40}, {"text": "\x00 💩"},
    ],
    ids=repr,
)  # fmt: skip
async def test_odd_claims_in_a_token_of_ours_are_never_a_crash(minato: Minato, odd: dict[str, Any]) -> None:
    found = await statuses(minato, signed(claims_of(minato, **odd)))
    if "role" in odd:
        assert found["/auth/v1/admin/users"] == 403, found
    assert max(found.values()) < 500, found


@pytest.mark.parametrize("role", ["postgres", "supabase_admin", "authenticator", "supabase_auth_admin", "nobody"])
async def test_a_role_that_is_not_for_callers_opens_nothing(minato: Minato, role: str) -> None:
    found = await statuses(minato, signed(claims_of(minato, role=role)))
    assert found["/rest/v1/reviews"] in (401, 403), found
    assert found["/storage/v1/bucket"] in (400, 401), found


@pytest.mark.parametrize("path", ["/rest/v1/reviews", "/storage/v1/bucket", "/auth/v1/admin/users"])
async def test_the_first_of_two_authorizations_counts(minato: Minato, path: str) -> None:
    anon, service = minato.anon_key.encode(), minato.service_role_key.encode()
    key, token = (b"apikey", anon), (b"authorization", b"Bearer " + anon)
    second_token, second_key = (b"Authorization", b"Bearer " + service), (b"apikey", service)
    for first, second in [([token], second_token), ([key, token], second_token), ([key], second_key)]:
        once = await ask(minato, request(b"GET", path.encode(), first))
        smuggled = await ask(minato, request(b"GET", path.encode(), [*first, second]))
        assert (smuggled.status, smuggled.body) == (once.status, once.body)


async def test_a_stranger_cannot_choose_the_address_he_is_known_by(minato: Minato) -> None:
    forged = (b"x-forwarded-for", b"203.0.113.7")
    headers = [(b"apikey", minato.anon_key.encode()), forged, (b"content-type", b"application/json")]
    email = f"{minato.backend.entropy.uuid4()}@example.com"
    body = json.dumps({"email": email, "password": "a long password 1"}).encode()
    await ask(minato, request(b"POST", b"/auth/v1/signup", headers, body))
    found = await minato.db.fetchval(
        "select ip_address from auth.audit_log_entries where payload ->> 'actor_username' = $1 limit 1", email
    )
    assert found == "127.0.0.1"


async def test_what_a_server_publishes_signs_nothing(minato: Minato) -> None:
    async with minato.client() as client:
        [key] = (await client.get("/auth/v1/.well-known/jwks.json")).json()["keys"]
    pem = jwk.construct(key, key["alg"]).to_pem()
    for secret in (pem, pem.strip(), json.dumps(key), key["x"], base64.urlsafe_b64decode(key["x"] + "==")):
        for header in ({}, {"kid": key["kid"]}):
            require_refused(await statuses(minato, signed_by(secret, **header)))
    genuine = await statuses(minato, signed_by(JWT_SECRET))
    assert (genuine["/auth/v1/admin/users"], genuine["/storage/v1/bucket"]) == (200, 200)
