"""Single sign-on by SAML: organisations entered, their people signed in, everybody else refused."""

from __future__ import annotations

import base64
from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4
from xml.etree import ElementTree

import httpx
import pytest
from minato.config.auth import AuthSettings
from pydantic import SecretStr

from tests.integration.auth.oauth.walk import APP, NEW, PKCE, bearer, exchange, landing
from tests.integration.auth.test_journey import sign_in
from tests.support.postgres import Cluster
from tests.support.saml_idp import TRANSIENT, IdentityProvider, private_key
from tests.support.server import Minato, running, settings_for

PROVIDERS, ACS = "/auth/v1/admin/sso/providers", "/auth/v1/sso/saml/acs"
MAPPING = {"keys": {"name": {"name": "cn"}, "team": {"names": ["x", "ou"], "array": True}, "tier": {"default": 1}}}


@pytest.fixture(scope="module")
async def guild(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Minato]:
    """A server for organisations."""
    auth = AuthSettings(
        saml_enabled=True, saml_private_key=SecretStr(private_key()), uri_allow_list="https://app.example/**"
    )
    async with cluster.fresh_database() as address:
        async with running(address, settings_for(tmp_path_factory.mktemp("data"), auth=auth)) as minato:
            yield minato


def admin(minato: Minato) -> httpx.AsyncClient:
    return minato.client(minato.service_role_key, **NEW)


async def enter(minato: Minato, **fields: Any) -> tuple[IdentityProvider, dict[str, Any]]:
    """A new organisation."""
    idp = IdentityProvider(f"https://{minato.backend.entropy.base32(8)}.example")
    body = {"type": "saml", "metadata_xml": idp.metadata, "attribute_mapping": MAPPING, **fields}
    async with admin(minato) as client:
        answer = await client.post(PROVIDERS, json=body)
    assert answer.status_code == 201, answer.text
    return idp, answer.json()


async def depart(minato: Minato, **body: Any) -> httpx.Response:
    async with httpx.AsyncClient(base_url=minato.url, headers=NEW) as client:
        return await client.post("/auth/v1/sso", json={"redirect_to": APP, "skip_http_redirect": True, **body})


async def post(minato: Minato, form: dict[str, str]) -> httpx.Response:
    async with httpx.AsyncClient(base_url=minato.url) as browser:
        return await browser.post(ACS, data=form)


async def why(minato: Minato, form: dict[str, str]) -> tuple[str, str]:
    """Code and words of a refusal, which leads to the site."""
    answer = await post(minato, form)
    end = landing(answer.headers["location"])
    assert (answer.status_code, end.page.rstrip("/")) == (303, minato.url)
    return end.query["error_code"], end.query["error_description"]


async def test_only_administrators_enter_organisations(guild: Minato) -> None:
    async with guild.client() as client:
        session = await sign_in(guild, client)
    one = f"{PROVIDERS}/{uuid4()}"
    calls = [("GET", PROVIDERS), ("POST", PROVIDERS), ("GET", one), ("PUT", one), ("DELETE", one)]
    async with httpx.AsyncClient(base_url=guild.url, headers=NEW) as nobody:
        for method, path in calls:
            stranger = await nobody.request(method, path, json={})
            assert (stranger.status_code, stranger.json()["code"]) == (401, "no_authorization")
            user = await nobody.request(method, path, json={}, headers=bearer(session))
            assert (user.status_code, user.json()["code"]) == (403, "not_admin")


async def test_an_organisation_is_listed_changed_and_removed(guild: Minato) -> None:
    idp, made = await enter(guild, domains=["a-guild.example"], resource_id="Guild-A")
    assert list(made) == ["id", "resource_id", "disabled", "saml", "domains", "created_at", "updated_at"]
    assert (made["saml"]["entity_id"], made["domains"]) == (idp.entity_id, [{"domain": "a-guild.example"}])
    async with admin(guild) as client:
        assert (await client.get(f"{PROVIDERS}/{made['id']}")).json() == made
        assert (await client.get(f"{PROVIDERS}/resource_guild-a")).json() == made
        listed = (await client.get(PROVIDERS, params={"resource_id_prefix": "guild"})).json()["items"]
        assert [item["id"] for item in listed] == [made["id"]]
        assert "metadata_xml" not in listed[0]["saml"]
        body = {
            "domains": ["b-guild.example"],
            "disabled": True,
            "attribute_mapping": {"keys": {"name": {"name": "n"}}},
        }
        changed = (await client.put(f"{PROVIDERS}/{made['id']}", json=body)).json()
        assert (changed["domains"], changed["disabled"]) == ([{"domain": "b-guild.example"}], True)
        assert changed["saml"]["attribute_mapping"] == {"keys": {"name": {"name": "n"}}}
        other = IdentityProvider("https://other-guild.example")
        mismatch = await client.put(f"{PROVIDERS}/{made['id']}", json={"metadata_xml": other.metadata})
        assert (mismatch.status_code, mismatch.json()["code"]) == (400, "saml_entity_id_mismatch")
        assert (await client.delete(f"{PROVIDERS}/{made['id']}")).json()["id"] == made["id"]
        for path in (made["id"], "resource_guild-a", "x"):
            gone = await client.get(f"{PROVIDERS}/{path}")
            assert (gone.status_code, gone.json()["code"]) == (404, "sso_provider_not_found")


@pytest.mark.parametrize(
    ("fields", "code", "message"),
    [
        ({"type": "ldap"}, "validation_failed", "Only 'saml' supported for SSO provider type"),
        (
            {"metadata_url": "https://x.example"},
            "validation_failed",
            "Only one of metadata_xml or metadata_url needs to be set",
        ),
        ({"metadata_xml": ""}, "validation_failed", "Either metadata_xml or metadata_url must be set"),
        ({"metadata_xml": "", "metadata_url": "x"}, "validation_failed", "metadata_url is not a valid URL"),
        ({"metadata_xml": "", "metadata_url": "http://x"}, "validation_failed", "metadata_url is not a HTTPS URL"),
        ({"metadata_xml": "<x"}, "validation_failed", "SAML Metadata is not valid XML"),
        ({"metadata_xml": "<x/>"}, "validation_failed", "SAML Metadata does not contain an EntityID"),
        (
            {"metadata_xml": '<x entityID="y"/>'},
            "validation_failed",
            "SAML Metadata does not contain any IDPSSODescriptor",
        ),
        ({"attribute_mapping": {"keys": {"x": 1}}}, "bad_json", None),
        (
            {"metadata_xml": "", "metadata_url": "https://127.0.0.1:1/metadata"},
            "saml_metadata_fetch_failed",
            "SAML Metadata cannot be fetched from URL 'https://127.0.0.1:1/metadata'",
        ),
    ],
)
async def test_an_organisation_that_makes_no_sense_is_refused(
    guild: Minato, fields: dict[str, Any], code: str, message: str | None
) -> None:
    body = {"type": "saml", "metadata_xml": IdentityProvider("https://no.example").metadata, **fields}
    async with admin(guild) as client:
        answer = await client.post(PROVIDERS, json=body)
    assert (answer.status_code, answer.json()["code"]) == (400, code)
    assert message in (None, answer.json()["message"])


async def test_entities_and_domains_belong_to_one_organisation(guild: Minato) -> None:
    idp, made = await enter(guild, domains=["one.example"])
    other = IdentityProvider("https://second.example")
    async with admin(guild) as client:
        twice = await client.post(PROVIDERS, json={"type": "saml", "metadata_xml": idp.metadata})
        assert (twice.status_code, twice.json()["code"]) == (422, "saml_idp_already_exists")
        body = {"type": "saml", "metadata_xml": other.metadata, "domains": ["ONE.example"]}
        taken = await client.post(PROVIDERS, json=body)
        assert (taken.status_code, taken.json()) == (
            400,
            {
                "code": "sso_domain_already_exists",
                "message": f"SSO Domain 'ONE.example' is already assigned to an SSO identity provider ({made['id']})",
            },
        )


async def test_an_organisations_people_have_accounts_of_their_own(guild: Minato) -> None:
    idp, made = await enter(guild, domains=["club.example"])
    async with guild.client() as client:
        stranger = await sign_in(guild, client)
        email = stranger["user"]["email"]
        left = await depart(guild, domain="club.example")
        assert left.status_code == 200, left.text
        assert left.json()["url"].startswith(f"{idp.entity_id}/login?SAMLRequest=")
        answer = await post(guild, idp.answer(left.json()["url"], mail=email, cn="Anna", ou="deck"))
        end = landing(answer.headers["location"])
        assert (answer.status_code, end.page) == (302, APP), end
        claims = guild.backend.keys.verify(end.fragment["access_token"])
        assert (claims["amr"][0]["method"], claims["amr"][0]["provider"]) == ("sso/saml", made["id"])
        user = (await client.get("/auth/v1/user", headers=bearer(end.fragment))).json()
        assert (user["email"], user["id"] == stranger["user"]["id"]) == (email, False)
        data = user["identities"][0]["identity_data"]
        assert (data["name"], data["custom_claims"]) == ("Anna", {"team": ["deck"], "tier": 1})
        again = await depart(guild, provider_id=made["id"], **PKCE)
        back = await post(guild, idp.answer(again.json()["url"], mail=email))
        session = (await exchange(client, landing(back.headers["location"]).query["code"])).json()
        assert session["user"]["id"] == user["id"]
        renamed = await client.put("/auth/v1/user", json={"email": "x@example.com"}, headers=bearer(session) | NEW)
        assert (renamed.status_code, renamed.json()["code"]) == (422, "user_sso_managed")


async def test_an_organisation_may_begin_by_itself(guild: Minato) -> None:
    idp, _ = await enter(guild)
    acs, audience = f"{guild.url}{ACS}", f"{guild.url}/auth/v1/sso/saml/metadata"
    answer = await post(guild, {"SAMLResponse": idp.response(acs, audience, mail="b@club.example"), "RelayState": APP})
    end = landing(answer.headers["location"])
    assert (answer.status_code, end.page, "access_token" in end.fragment) == (302, APP, True)


async def test_an_answer_that_is_not_theirs_or_not_for_us_is_refused(guild: Minato) -> None:
    idp, made = await enter(guild)
    acs, audience = f"{guild.url}{ACS}", f"{guild.url}/auth/v1/sso/saml/metadata"
    refused = ("validation_failed", "SAML Assertion is not valid")
    impostor = IdentityProvider(idp.entity_id)
    assert await why(guild, {"SAMLResponse": impostor.response(acs, audience, mail="a@x.example")}) == refused
    assert await why(guild, {"SAMLResponse": idp.response(acs, "https://else.example", mail="a@x.example")}) == refused
    url = (await depart(guild, provider_id=made["id"])).json()["url"]
    form = idp.answer(url, mail="a@x.example")
    whole = base64.b64decode(form["SAMLResponse"]).decode()
    forged = base64.b64encode(whole.replace("a@x.example", "root@x.example").encode()).decode()
    assert await why(guild, {**form, "SAMLResponse": forged}) == refused
    assert await why(guild, {"SAMLResponse": form["SAMLResponse"]}) == refused
    foreign = IdentityProvider("https://unknown.example")
    unknown = {"SAMLResponse": foreign.response(acs, audience, mail="a@x.example")}
    assert (await why(guild, unknown))[0] == "saml_idp_not_found"
    nameless = {"SAMLResponse": idp.response(acs, audience, cn="Anna")}
    assert (await why(guild, nameless))[0] == "saml_assertion_no_email"
    passing = {"SAMLResponse": idp.response(acs, audience, name_format=TRANSIENT, mail="a@x.example")}
    assert (await why(guild, passing))[0] == "saml_assertion_no_user_id"


async def test_a_relay_state_is_good_once_and_for_two_minutes(guild: Minato) -> None:
    idp, made = await enter(guild)
    form = idp.answer((await depart(guild, provider_id=made["id"])).json()["url"], mail="c@club.example")
    assert (await post(guild, form)).status_code == 302
    assert (await why(guild, form))[0] == "saml_relay_state_not_found"
    late = idp.answer((await depart(guild, provider_id=made["id"])).json()["url"], mail="c@club.example")
    guild.backend.clock.advance(timedelta(seconds=121))
    assert (await why(guild, late))[0] == "saml_relay_state_expired"


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ({}, "SAMLResponse is missing"),
        ({"SAMLResponse": "!"}, "SAMLResponse is not a valid Base64 string"),
        ({"SAMLResponse": "YWJj"}, "SAMLResponse is not a valid XML SAML assertion"),
        ({"SAMLart": "x"}, "SAML Artifact response can only be used with SP initiated flow"),
        ({"RelayState": "nowhere"}, "SAML RelayState is not a valid UUID or URL"),
    ],
)
async def test_what_is_no_answer_leads_to_the_site(guild: Minato, form: dict[str, str], message: str) -> None:
    assert await why(guild, form) == ("validation_failed", message)


@pytest.mark.parametrize(
    ("body", "status", "code", "message"),
    [
        ({}, 400, "validation_failed", "A provider_id or domain needs to be provided"),
        (
            {"domain": "x", "provider_id": str(uuid4())},
            400,
            "validation_failed",
            "Only one of provider_id or domain supported",
        ),
        ({"domain": "nobody.example"}, 404, "sso_provider_not_found", "No SSO provider assigned for this domain"),
        ({"provider_id": str(uuid4())}, 404, "sso_provider_not_found", "No such SSO provider"),
    ],
)
async def test_nobody_leaves_for_no_organisation(
    guild: Minato, body: dict[str, str], status: int, code: str, message: str
) -> None:
    answer = await depart(guild, **body)
    assert (answer.status_code, answer.json()) == (status, {"code": code, "message": message})


async def test_a_disabled_organisation_lets_nobody_in(guild: Minato) -> None:
    _, made = await enter(guild, disabled=True)
    answer = await depart(guild, provider_id=made["id"])
    assert (answer.status_code, answer.json()["code"]) == (404, "sso_provider_disabled")


async def test_metadata_tells_who_we_are(guild: Minato) -> None:
    async with httpx.AsyncClient(base_url=guild.url) as nobody:
        answer = await nobody.get("/auth/v1/sso/saml/metadata", params={"download": "true"})
    assert answer.headers["content-type"] == "application/xml"
    assert answer.headers["content-disposition"] == 'attachment; filename="metadata.xml"'
    assert f'entityID="{guild.url}/auth/v1/sso/saml/metadata"' in answer.text
    assert f'Location="{guild.url}{ACS}"' in answer.text


async def test_saml_is_off_by_default(minato: Minato) -> None:
    async with minato.client(**NEW) as client:
        for method, path in (("POST", "/sso"), ("GET", "/sso/saml/metadata"), ("POST", "/sso/saml/acs")):
            answer = await client.request(method, f"/auth/v1{path}")
            assert (answer.status_code, answer.json()) == (
                404,
                {"code": "saml_provider_disabled", "message": "SAML 2.0 is disabled"},
            )


@pytest.mark.parametrize(("download", "days"), [("true", 5 * 365), ("false", 2)])
async def test_downloaded_metadata_is_valid_for_years(guild: Minato, download: str, days: int) -> None:
    async with guild.client() as client:
        answer = await client.get("/auth/v1/sso/saml/metadata", params={"download": download})
    root = ElementTree.fromstring(answer.text)
    ends = datetime.fromisoformat(root.attrib["validUntil"])
    assert abs(ends - guild.backend.clock.now() - timedelta(days=days)) < timedelta(minutes=5)
    assert root[0].attrib["WantAssertionsSigned"] == "true"
