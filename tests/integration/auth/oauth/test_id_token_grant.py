"""Signing in with an ID token an app got from the provider itself."""

from __future__ import annotations

import base64
import hashlib
from typing import Any

import httpx
import pytest

from tests.integration.auth.oauth.walk import NEW, Harbour, bearer
from tests.integration.auth.test_journey import sign_in

GRANT = "/auth/v1/token?grant_type=id_token"
NONCE = "once"
HASHED = hashlib.sha256(NONCE.encode()).hexdigest()


async def grant(harbour: Harbour, **body: Any) -> httpx.Response:
    async with httpx.AsyncClient(base_url=harbour.minato.url, headers=NEW) as client:
        return await client.post(GRANT, json={"provider": "google", **body})


async def test_a_token_of_the_provider_opens_a_session_and_the_same_account_again(harbour: Harbour) -> None:
    email = harbour.meet()
    first = await grant(harbour, id_token=harbour.provider.id_token())
    assert first.status_code == 200, first.text
    assert (first.json()["user"]["email"], first.json()["user"]["app_metadata"]["provider"]) == (email, "google")
    assert harbour.minato.backend.keys.verify(first.json()["access_token"])["amr"][0]["method"] == "oauth"
    again = await grant(harbour, id_token=harbour.provider.id_token(aud=["other", "harbour-ios"]))
    assert again.json()["user"]["id"] == first.json()["user"]["id"]


async def test_an_allowed_issuer_signs_in_under_its_own_name(harbour: Harbour) -> None:
    harbour.meet()
    body = {"provider": "", "issuer": harbour.provider.url, "client_id": "harbour"}
    answer = await grant(harbour, id_token=harbour.provider.id_token(), **body)
    assert answer.status_code == 200, answer.text
    other = {"provider": "", "issuer": "https://elsewhere.example", "client_id": "harbour"}
    refused = await grant(harbour, id_token=harbour.provider.id_token(), **other)
    assert refused.json() == {"code": "validation_failed", "message": 'Custom OIDC provider "" not allowed'}


@pytest.mark.parametrize(
    ("body", "description"),
    [
        ({}, "id_token required"),
        ({"id_token": "x", "provider": ""}, "provider or client_id and issuer required"),
        ({"id_token": "x"}, "Bad ID token"),
        ({"id_token": "a.b.c"}, "Bad ID token"),
        ({"id_token": "x", "link_identity": True}, "Linking requires a valid user access token in Authorization"),
    ],
)
async def test_what_is_no_token_is_refused(harbour: Harbour, body: dict[str, Any], description: str) -> None:
    answer = await grant(harbour, **body)
    assert (answer.status_code, answer.json()) == (400, {"error": "invalid request", "error_description": description})


@pytest.mark.parametrize(
    ("claims", "description"),
    [
        ({"aud": "another-app"}, "Unacceptable audience in id_token: [another-app]"),
        ({"sub": None}, "Missing sub claim in id_token"),
        ({"exp": 1}, "Bad ID token"),
        ({"nbf": 1 << 40}, "Bad ID token"),
        ({"iss": "https://elsewhere.example"}, "Bad ID token"),
        ({"nonce": HASHED}, "Passed nonce and nonce in id_token should either both exist or not."),
    ],
)
async def test_a_token_that_says_something_else_is_refused(
    harbour: Harbour, claims: dict[str, Any], description: str
) -> None:
    harbour.meet()
    answer = await grant(harbour, id_token=harbour.provider.id_token(**claims))
    assert (answer.status_code, answer.json()) == (400, {"error": "invalid request", "error_description": description})


async def test_a_token_signed_by_somebody_else_or_by_nobody_is_refused(harbour: Harbour) -> None:
    harbour.meet()
    token = harbour.provider.id_token()
    header, payload, signature = token.split(".")
    unsigned = base64.urlsafe_b64encode(b'{"alg":"none"}').rstrip(b"=").decode()
    forged = signature[:20] + ("A" if signature[20] != "A" else "B") + signature[21:]
    for bad in (f"{unsigned}.{payload}.", f"{header}.{payload}.{forged}"):
        assert (await grant(harbour, id_token=bad)).json()["error_description"] == "Bad ID token"


async def test_a_nonce_binds_the_token_to_its_app(harbour: Harbour) -> None:
    harbour.meet()
    token = harbour.provider.id_token(nonce=HASHED)
    assert (await grant(harbour, id_token=token, nonce=NONCE)).status_code == 200
    wrong = await grant(harbour, id_token=token, nonce="twice")
    assert wrong.json() == {"error": "invalid nonce", "error_description": "Nonces mismatch"}


async def test_an_access_token_must_be_the_one_the_token_was_issued_with(harbour: Harbour) -> None:
    harbour.meet()
    half = base64.urlsafe_b64encode(hashlib.sha256(b"together").digest()[:16]).rstrip(b"=").decode()
    token = harbour.provider.id_token(at_hash=half)
    assert (await grant(harbour, id_token=token, access_token="together")).status_code == 200
    other = await grant(harbour, id_token=token, access_token="another")
    assert other.json()["error_description"] == "Bad ID token"


async def test_a_token_of_the_old_key_is_refused_once_the_keys_changed(harbour: Harbour) -> None:
    harbour.meet()
    old = harbour.provider.id_token()
    harbour.provider.rotate()
    assert (await grant(harbour, id_token=harbour.provider.id_token())).status_code == 200
    assert (await grant(harbour, id_token=old)).json()["error_description"] == "Bad ID token"


async def test_a_token_links_an_identity_to_its_bearer(harbour: Harbour) -> None:
    async with harbour.minato.client(**NEW) as client:
        session = await sign_in(harbour.minato, client)
        harbour.meet()
        body = {"provider": "google", "id_token": harbour.provider.id_token(), "link_identity": True}
        anon = await client.post(GRANT, json=body)
        assert (anon.status_code, anon.json()["code"]) == (403, "bad_jwt")
        done = await client.post(GRANT, json=body, headers=bearer(session))
        assert done.json()["user"]["id"] == session["user"]["id"]
        assert done.json()["user"]["app_metadata"]["providers"] == ["email", "google"]
        other = await sign_in(harbour.minato, client)
        taken = await client.post(GRANT, json=body, headers=bearer(other))
        assert (taken.status_code, taken.json()["code"]) == (422, "identity_already_exists")
