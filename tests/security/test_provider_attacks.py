"""Signing in through others attacked: claimed addresses, strayed states, tokens for others, mixed up providers.

The victim has, or will have, an account with the address `victim`; the attacker has accounts at providers that say
whatever he likes about addresses he has not proven.
"""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import AsyncIterator
from typing import Any
from uuid import uuid4

import httpx
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from jose import jwk, jws
from minato.clock import Clock

from tests.integration.auth.oauth.conftest import auth_settings, secure_harbour
from tests.integration.auth.oauth.walk import APP, NEW, PKCE, Harbour, bearer, exchange, landing
from tests.integration.auth.test_journey import sign_in, sign_up
from tests.support.oidc_provider import CLIENT_ID, serving_provider
from tests.support.postgres import Cluster
from tests.support.server import running, settings_for
from tests.support.waiting import PATIENCE

GRANT = "/auth/v1/token?grant_type=id_token"
PEM = (Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption())


@pytest.fixture(scope="module")
async def harbour(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Harbour]:
    async with secure_harbour(cluster, tmp_path_factory.mktemp("data")) as harbour:
        yield harbour


@pytest.fixture(scope="module")
async def careless(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Harbour]:
    """A server that confirms addresses by itself."""
    async with serving_provider(Clock()) as provider, cluster.fresh_database() as address:
        auth = auth_settings(provider.url, mailer_autoconfirm=True)
        async with running(address, settings_for(tmp_path_factory.mktemp("data"), auth=auth)) as minato:
            provider.clock = minato.backend.clock
            yield Harbour(minato, provider)


async def session_of(harbour: Harbour, **query: str) -> dict[str, Any]:
    async with harbour.minato.client() as client:
        session: dict[str, Any] = (
            await exchange(client, (await harbour.sign_in(**query, **PKCE)).query["code"])
        ).json()
        return session


async def link(harbour: Harbour, session: dict[str, Any], provider: str) -> None:
    """The bearer of `session` links who stands before the provider."""
    async with harbour.minato.client() as client:
        path, asked = "/auth/v1/user/identities/authorize", {"provider": provider, "redirect_to": APP}
        left = await client.get(path, params={**asked, "skip_http_redirect": "true"}, headers=bearer(session))
        await harbour.return_from(left.json()["url"])


async def test_a_claimed_address_on_a_linked_identity_does_not_catch_its_owner(harbour: Harbour) -> None:
    """The attacker links an identity that claims the victim's address; the victim comes later, elsewhere."""
    async with harbour.minato.client() as client:
        attacker = await sign_in(harbour.minato, client)
    victim = harbour.meet(verified=False)
    await link(harbour, attacker, "gitlab")
    held = "select count(*) from auth.identities where user_id = $1 and email = $2"
    assert await harbour.minato.db.fetchval(held, attacker["user"]["id"], victim) == 1
    harbour.meet(victim)
    session = await session_of(harbour)
    assert session["user"]["email"] == victim
    assert session["user"]["id"] != attacker["user"]["id"]


async def test_a_claimed_address_on_a_linked_identity_does_not_keep_its_owner_out(harbour: Harbour) -> None:
    async with harbour.minato.client() as client:
        attacker, owner = await sign_in(harbour.minato, client), await sign_in(harbour.minato, client)
    victim = owner["user"]["email"]
    harbour.meet(victim, verified=False)
    await link(harbour, attacker, "gitlab")
    harbour.meet(victim)
    assert (await session_of(harbour))["user"]["id"] == owner["user"]["id"]


async def test_another_address_at_the_provider_does_not_confirm_the_first_one(harbour: Harbour) -> None:
    """The attacker claims the victim's address, then shows one of his own: the victim's stays unconfirmed."""
    victim = harbour.meet(verified=False)
    subject, number = harbour.provider.person["sub"], harbour.provider.person["id"]
    assert (await harbour.sign_in("gitlab")).query["error_code"] == "provider_email_needs_verification"
    harbour.meet(sub=subject, id=number)
    end = await harbour.sign_in("gitlab")
    assert (end.query.get("error_code"), end.fragment.get("access_token")) == (
        "provider_email_needs_verification",
        None,
    )
    confirmed = "select email_confirmed_at from auth.users where email = $1"
    assert await harbour.minato.db.fetchval(confirmed, victim) is None


async def test_confirming_by_itself_the_server_still_believes_no_claim_about_an_account(careless: Harbour) -> None:
    async with careless.minato.client() as client:
        credentials = {"email": f"{uuid4().hex}@example.com", "password": "correct horse"}
        owner = (await client.post("/auth/v1/signup", json=credentials)).json()
    careless.meet(owner["user"]["email"], verified=False)
    for provider in ("gitlab", "keycloak", "google"):
        end = await careless.sign_in(provider)
        assert end.query.get("error_code") == "provider_email_needs_verification"
        assert "access_token" not in end.fragment
    fresh = careless.meet(verified=False)
    assert (await session_of(careless, provider="gitlab"))["user"]["email"] == fresh


async def test_a_setting_believes_claims_as_the_reference_does(
    cluster: Cluster, tmp_path_factory: pytest.TempPathFactory
) -> None:
    async with serving_provider(Clock()) as provider, cluster.fresh_database() as address:
        auth = auth_settings(provider.url, mailer_autoconfirm=True, external_link_unverified_emails=True)
        async with running(address, settings_for(tmp_path_factory.mktemp("data"), auth=auth)) as minato:
            believing = Harbour(minato, provider)
            async with minato.client() as client:
                credentials = {"email": f"{uuid4().hex}@example.com", "password": "correct horse"}
                owner = (await client.post("/auth/v1/signup", json=credentials)).json()
            believing.meet(owner["user"]["email"], verified=False)
            assert (await session_of(believing, provider="gitlab"))["user"]["id"] == owner["user"]["id"]


async def test_what_a_squatter_prepared_is_gone_when_the_owner_comes(harbour: Harbour) -> None:
    """An account opened with the victim's address, its password and a linked identity: nothing of it opens it later."""
    async with harbour.minato.client(**NEW) as client:
        victim, _ = await sign_up(harbour.minato, client)
        harbour.meet(victim)
        session = await session_of(harbour)
        assert [one["provider"] for one in session["user"]["identities"]] == ["google"]
        credentials = {"email": victim, "password": "correct horse"}
        refused = await client.post("/auth/v1/token?grant_type=password", json=credentials)
        assert refused.json()["code"] == "invalid_credentials"


async def refusal(harbour: Harbour, **body: Any) -> str:
    """Why a token was refused; nobody may have been signed in."""
    async with httpx.AsyncClient(base_url=harbour.minato.url, headers=NEW) as client:
        answer = await client.post(GRANT, json={"provider": "google", **body})
    assert answer.status_code == 400, answer.text
    return str(answer.json().get("error_description") or answer.json().get("message"))


def hand_made(harbour: Harbour, header: dict[str, Any], signature: bytes = b"") -> str:
    now = int(harbour.provider.clock.timestamp())
    claims = {"iss": harbour.provider.url, "aud": CLIENT_ID, "exp": now + 600, **harbour.provider.person}
    parts = (json.dumps(header).encode(), json.dumps(claims).encode(), signature)
    return ".".join(base64.urlsafe_b64encode(part).rstrip(b"=").decode() for part in parts)


@pytest.mark.parametrize("algorithm", ["none", "None", "", "HS256", "RS1", "EdDSA", None])
async def test_a_token_chooses_no_algorithm_of_its_own(harbour: Harbour, algorithm: str | None) -> None:
    harbour.meet()
    token = hand_made(harbour, {"alg": algorithm, "kid": harbour.provider.kid}, b"x" * 32)
    assert await refusal(harbour, id_token=token) == "Bad ID token"


async def test_the_public_key_is_no_shared_secret(harbour: Harbour) -> None:
    harbour.meet()
    claims = json.loads(base64.urlsafe_b64decode(harbour.provider.id_token().split(".")[1] + "=="))
    secret = json.dumps(harbour.provider.keys[0])
    token = jws.sign(claims, secret, headers={"kid": harbour.provider.kid}, algorithm="HS256")
    assert await refusal(harbour, id_token=token) == "Bad ID token"


@pytest.mark.parametrize("name", ["jwk", "jku", "x5u", "x5c"])
async def test_a_key_in_the_token_is_not_believed(harbour: Harbour, name: str) -> None:
    harbour.meet()
    claims = json.loads(base64.urlsafe_b64decode(harbour.provider.id_token().split(".")[1] + "=="))
    private = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    key = jwk.construct(private.private_bytes(*PEM).decode(), "RS256")
    headers = {"kid": harbour.provider.kid, name: {"kty": "RSA"} if name == "jwk" else "https://evil.example/keys"}
    assert await refusal(harbour, id_token=jws.sign(claims, key, headers=headers, algorithm="RS256")) == "Bad ID token"


async def test_a_key_of_one_kind_does_not_verify_a_signature_of_another(harbour: Harbour) -> None:
    harbour.meet()
    claims = json.loads(base64.urlsafe_b64decode(harbour.provider.id_token().split(".")[1] + "=="))
    private = ec.generate_private_key(ec.SECP256R1())
    key = jwk.construct(private.private_bytes(*PEM).decode(), "ES256")
    token = jws.sign(claims, key, headers={"kid": harbour.provider.kid}, algorithm="ES256")
    assert await refusal(harbour, id_token=token) == "Bad ID token"


@pytest.mark.parametrize(
    ("claims", "reason"),
    [
        ({"iss": "https://evil.example"}, "Bad ID token"),
        ({"iss": None}, "Bad ID token"),
        ({"aud": "another-app"}, "Unacceptable audience in id_token: [another-app]"),
        ({"aud": None}, "Unacceptable audience in id_token: []"),
        (
            {"aud": [CLIENT_ID, "another-app"], "azp": "another-app"},
            f"Unacceptable audience in id_token: [{CLIENT_ID} another-app]",
        ),
        ({"exp": 1}, "Bad ID token"),
        ({"exp": None}, "Bad ID token"),
        ({"exp": "never"}, "Bad ID token"),
        ({"nbf": 4102444800}, "Bad ID token"),
        ({"sub": ""}, "Missing sub claim in id_token"),
        ({"nonce": "x"}, "Passed nonce and nonce in id_token should either both exist or not."),
    ],
)
async def test_a_token_for_others_or_of_others_is_refused(
    harbour: Harbour, claims: dict[str, Any], reason: str
) -> None:
    harbour.meet()
    assert await refusal(harbour, id_token=harbour.provider.id_token(**claims)) == reason


@pytest.mark.parametrize(("listed", "status"), [("", 400), (CLIENT_ID, 400), ("another-app", 200), ("*", 200)])
async def test_who_brings_a_token_does_not_choose_whom_it_is_for(
    cluster: Cluster, tmp_path_factory: pytest.TempPathFactory, listed: str, status: int
) -> None:
    """Of an allowed issuer, a token that another app got: its owner signed in there, not here."""
    async with serving_provider(Clock()) as other, cluster.fresh_database() as address:
        known = {"external_allowed_id_token_issuers": other.url, "external_allowed_id_token_client_ids": listed}
        auth = auth_settings("https://elsewhere.example", **known)
        async with running(address, settings_for(tmp_path_factory.mktemp("data"), auth=auth)) as minato:
            Harbour(minato, other).meet()
            body = {"issuer": other.url, "client_id": "another-app", "id_token": other.id_token(aud="another-app")}
            async with minato.client(**NEW) as client:
                answer = await client.post(GRANT, json=body)
    assert answer.status_code == status
    assert status == 200 or answer.json()["error_description"] == "Unacceptable audience in id_token: [another-app]"


async def test_a_state_is_worth_nothing_the_second_time(harbour: Harbour) -> None:
    harbour.meet()
    async with harbour.minato.client() as client:
        left = await client.get("/auth/v1/authorize", params={"provider": "google", "redirect_to": APP})
        state = dict(httpx.URL(left.headers["location"]).params)["state"]
        await harbour.return_from(left.headers["location"])
        again = await client.get("/auth/v1/callback", params={"state": state, "code": "another"})
    assert landing(again.headers["location"]).query["error_code"] == "bad_oauth_state"


async def test_a_state_opens_one_session_however_many_return_with_it_at_once(harbour: Harbour) -> None:
    """Also where the provider honours a code again and again."""
    email = harbour.meet()
    await harbour.sign_in()
    harbour.provider.issued = Generous(harbour.provider.issued)
    async with harbour.minato.client() as client, httpx.AsyncClient(timeout=PATIENCE) as browser:
        left = await client.get("/auth/v1/authorize", params={"provider": "google", "redirect_to": APP})
        agreed = await browser.get(left.headers["location"])
        returns = await asyncio.gather(*(browser.get(agreed.headers["location"]) for _ in range(8)))
    ends = [landing(answer.headers["location"]) for answer in returns]
    assert ["access_token" in end.fragment for end in ends].count(True) == 1
    assert {end.query.get("error_code") for end in ends} == {None, "bad_oauth_state"}
    statement = "select count(*) from auth.sessions s join auth.users u on u.id = s.user_id where u.email = $1"
    assert await harbour.minato.db.fetchval(statement, email) == 2


class Generous(dict[str, dict[str, str]]):
    """What a provider issued, when it forgets nothing."""

    def pop(self, key: str, default: Any = None) -> Any:
        return self.get(key, default)


async def test_a_flow_of_a_mail_is_no_state(harbour: Harbour) -> None:
    async with harbour.minato.client() as client:
        session = await sign_in(harbour.minato, client)
        await client.post("/auth/v1/recover", json={"email": session["user"]["email"], **PKCE})
        flow = await harbour.minato.db.fetchval(
            "select id from auth.flow_state where user_id = $1", session["user"]["id"]
        )
        back = await client.get("/auth/v1/callback", params={"state": str(flow), "code": "x"})
    assert landing(back.headers["location"]).query["error_code"] == "bad_oauth_state"


async def test_the_code_of_one_flow_does_not_serve_with_the_verifier_of_another(harbour: Harbour) -> None:
    harbour.meet()
    async with harbour.minato.client(**NEW) as client:
        end = await harbour.sign_in(**PKCE)
        wrong = await exchange(client, end.query["code"], "w" * 64)
        assert (wrong.status_code, wrong.json()["code"]) == (400, "bad_code_verifier")


async def test_the_state_of_one_provider_takes_no_code_to_another(harbour: Harbour) -> None:
    """RFC 9207: the answer says who gave it."""
    body = {"provider_type": "oidc", "identifier": "custom:mixed", "issuer": harbour.provider.url, "name": "Mixed"}
    body |= {"client_id": CLIENT_ID, "client_secret": "harbour-secret"}
    async with harbour.minato.client(harbour.minato.service_role_key, **NEW) as admin:
        assert (await admin.post("/auth/v1/admin/custom-providers", json=body)).status_code == 201
    harbour.meet()
    async with harbour.minato.client() as client:
        for issuer, code in (("https://honest.example", "bad_oauth_callback"), (harbour.provider.url, None)):
            left = await client.get("/auth/v1/authorize", params={"provider": "custom:mixed", "redirect_to": APP})
            async with httpx.AsyncClient() as browser:
                agreed = await browser.get(left.headers["location"])
            back = await client.get(agreed.headers["location"], params={"iss": issuer, **_query(agreed)})
            assert landing(back.headers["location"]).query.get("error_code") == code


def _query(answer: httpx.Response) -> dict[str, str]:
    return dict(httpx.URL(answer.headers["location"]).params)


async def test_linking_begins_with_the_token_of_whoever_links(harbour: Harbour) -> None:
    """A link on a page, which brings no token, begins nothing; and what was begun for one ends at that one."""
    harbour.meet()
    async with harbour.minato.client(**NEW) as client:
        attacker = await sign_in(harbour.minato, client)
    path = "/auth/v1/user/identities/authorize"
    async with httpx.AsyncClient(base_url=harbour.minato.url, headers=NEW) as browser:
        forged = await browser.get(path, params={"provider": "google", "redirect_to": APP})
        assert (forged.status_code, forged.json()["code"]) == (401, "no_authorization")
    await link(harbour, attacker, "google")
    owner = "select user_id::text from auth.identities where provider_id = $1 and provider = 'google'"
    assert await harbour.minato.db.fetchval(owner, harbour.provider.person["sub"]) == attacker["user"]["id"]


async def test_an_identity_of_somebody_is_not_linked_to_somebody_else(harbour: Harbour) -> None:
    harbour.meet()
    first = await session_of(harbour)
    async with harbour.minato.client() as client:
        attacker = await sign_in(harbour.minato, client)
        await link(harbour, attacker, "google")
        body = {"provider": "google", "id_token": harbour.provider.id_token(), "link_identity": True}
        refused = await client.post(GRANT, json=body, headers={**bearer(attacker), **NEW})
    assert (refused.status_code, refused.json()["code"]) == (422, "identity_already_exists")
    owner = "select user_id::text from auth.identities where provider_id = $1 and provider = 'google'"
    assert await harbour.minato.db.fetchval(owner, harbour.provider.person["sub"]) == first["user"]["id"]


async def test_one_providers_person_is_not_anothers(harbour: Harbour) -> None:
    """The same subject at two providers is two people unless a verified address says otherwise."""
    harbour.meet()
    first = await session_of(harbour)
    harbour.meet(sub=harbour.provider.person["sub"])
    second = await session_of(harbour, provider="keycloak")
    assert first["user"]["id"] != second["user"]["id"]
