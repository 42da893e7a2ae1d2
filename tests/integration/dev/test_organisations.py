"""`/_dev/idp/saml`: people of organisations sign in by SAML, without their identity provider."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import httpx
import pytest
from minato.config.auth import AuthSettings
from minato.database.address import DatabaseAddress
from pydantic import SecretStr

from tests.integration.auth.oauth.walk import APP, NEW, PKCE, Landing, exchange, landing
from tests.support.command import run_minato
from tests.support.command import served as started
from tests.support.hosted import Backed, Hosted, hosting
from tests.support.postgres import Cluster
from tests.support.production import served
from tests.support.saml_idp import private_key
from tests.support.server import settings_for

FILE = """
[[user]]
name = "anna"
email = "anna@acme.example"
user_metadata = { full_name = "Anna <Hafen>" }
[[user.identities]]
provider = "saml"
id = "employee-7"
"""
TOP = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}
FORM = re.compile(r'name="(\w+)" value="([^"]*)"')
SSO, ACS, PROVIDERS = "/auth/v1/sso", "/auth/v1/sso/saml/acs", "/auth/v1/admin/sso/providers"
ORGANISATIONS, RESPONSE = "/_dev/v1/users/organisations", "/_dev/v1/idp/saml-response"


@pytest.fixture(scope="module")
async def guild(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Hosted]:
    """A server with branches and single sign-on, and no key of its own."""
    folder = tmp_path_factory.mktemp("guild")
    (folder / "people.toml").write_text(FILE)
    auth = AuthSettings(
        saml_enabled=True, saml_private_key=SecretStr("minato"), uri_allow_list="https://app.example/**"
    )
    server = settings_for(folder).server.model_copy(update={"users": folder / "people.toml"})
    async with (
        cluster.fresh_database() as address,
        hosting(cluster, folder, address, auth=auth, server=server) as serving,
    ):
        yield serving


async def entered(place: Backed, domain: str, **body: Any) -> dict[str, Any]:
    async with place.client() as client:
        answer = await client.post(ORGANISATIONS, json={"domain": domain, **body})
    assert answer.is_success, answer.text
    return dict(answer.json())


async def departed(place: Backed, domain: str, **body: str) -> str:
    """Where somebody of the organisation is sent to."""
    async with place.public() as client:
        asked = {"domain": domain, "redirect_to": APP, "skip_http_redirect": True, **body}
        left = await client.post(SSO, json=asked, headers=NEW)
    assert left.status_code == 200, left.text
    return str(left.json()["url"])


async def posted(place: Backed, page: httpx.Response) -> Landing:
    """The form of the page, as a browser sends it on."""
    assert page.status_code == 200, page.text
    fields = {name: unescape(value) for name, value in FORM.findall(page.text)}
    async with place.public() as client:
        return landing((await client.post(ACS, data=fields)).headers["location"])


async def coming(place: Backed, **who: Any) -> None:
    async with place.client() as client:
        said = await client.put("/_dev/v1/idp/next", json={"provider": "saml", **who})
    assert said.status_code == 200, said.text


async def walked(place: Backed, domain: str, **body: str) -> Landing:
    """From the app to the organisation and back."""
    async with httpx.AsyncClient() as browser:
        return await posted(place, await browser.get(await departed(place, domain, **body), headers=TOP))


async def known(place: Backed, landed: Landing) -> dict[str, Any]:
    assert "access_token" in landed.fragment, landed
    async with place.client(landed.fragment["access_token"]) as client:
        return dict((await client.get("/auth/v1/user", headers=NEW)).json())


async def test_somebody_of_an_organisation_signs_in_by_its_domain(guild: Hosted) -> None:
    provider = await entered(guild.main, "acme.example")
    await coming(guild.main, user={"email": "tom@acme.example", "name": "Tom Quay", "claims": {"team": ["a", "b"]}})

    landed = await walked(guild.main, "acme.example")

    user = await known(guild.main, landed)
    assert (landed.page, user["email"]) == (APP, "tom@acme.example")
    assert user["app_metadata"]["provider"] == f"sso:{provider['id']}"
    assert user["user_metadata"]["name"] == "Tom Quay"


async def test_a_person_of_the_users_file_has_the_id_that_the_file_says(guild: Hosted) -> None:
    await entered(guild.main, "acme.example")
    await coming(guild.main, user="anna")
    user = await known(guild.main, await walked(guild.main, "acme.example"))
    assert (user["identities"][0]["id"], user["user_metadata"]["name"]) == ("employee-7", "Anna <Hafen>")


async def test_the_page_lists_people_and_each_is_a_way_on(guild: Hosted) -> None:
    await entered(guild.main, "acme.example")
    async with httpx.AsyncClient() as browser:
        for chosen, name in (("somebody new", "@acme.example"), ("anna@acme.example", "anna@acme.example")):
            left = await departed(guild.main, "acme.example")
            page = await browser.get(left, headers=TOP)
            assert "<strong>anna</strong>" in page.text
            met = await browser.get(f"{left}&{urlencode({'as': chosen})}")
            assert str((await known(guild.main, await posted(guild.main, met)))["email"]).endswith(name)
        unknown = await browser.get(f"{left}&as=nobody")
        assert (unknown.status_code, unknown.json()["code"]) == (404, "user_not_found")


async def test_a_code_of_pkce_is_had_for_its_verifier(guild: Hosted) -> None:
    await entered(guild.main, "acme.example")
    await coming(guild.main, user={"email": "pkce@acme.example"})
    landed = await walked(guild.main, "acme.example", **PKCE)
    async with guild.main.public() as client:
        session = (await exchange(client, landed.query["code"])).json()
    assert session["user"]["email"] == "pkce@acme.example"


@pytest.mark.parametrize("error", ["access_denied", "the directory is away"])
async def test_a_refusal_is_a_status_and_signs_nobody_in(guild: Hosted, error: str) -> None:
    await entered(guild.main, "acme.example")
    await coming(guild.main, error=error)
    landed = await walked(guild.main, "acme.example")
    assert landed.query["error_description"] == "SAML Assertion is not valid"
    assert "access_token" not in landed.fragment


async def test_an_organisation_begins_by_itself(guild: Hosted) -> None:
    await entered(guild.main, "acme.example")
    await coming(guild.main, user={"email": "portal@acme.example"})
    async with httpx.AsyncClient() as browser:
        way = f"{guild.url}/_dev/idp/saml/acme.example/sso?{urlencode({'RelayState': APP})}"
        landed = await posted(guild.main, await browser.get(way, headers=TOP))
    assert (landed.page, (await known(guild.main, landed))["email"]) == (APP, "portal@acme.example")


async def test_a_program_asks_for_the_answer_and_posts_it_itself(guild: Hosted) -> None:
    await entered(guild.main, "acme.example")
    asked_for = {"url": await departed(guild.main, "acme.example"), "user": "anna"}
    of_itself = {"domain": "acme.example", "relay_state": APP, "user": {"email": "robot@acme.example"}}
    async with guild.main.client() as client:
        for asked, email in ((asked_for, "anna@acme.example"), (of_itself, "robot@acme.example")):
            made = (await client.post(RESPONSE, json=asked)).json()
            assert made["url"] == f"{guild.url}{ACS}"
            landed = landing((await client.post(ACS, data=made["form"])).headers["location"])
            assert (await known(guild.main, landed))["email"] == email


async def test_metadata_is_entered_by_its_address_and_by_its_text(guild: Hosted) -> None:
    async with guild.main.client() as client:
        url = f"{guild.url}/_dev/idp/saml/by-url.example/metadata"
        text = (await client.get("/_dev/idp/saml/by-text.example/metadata")).text
        for domain, given in (("by-url.example", {"metadata_url": url}), ("by-text.example", {"metadata_xml": text})):
            body = {"type": "saml", "domains": [domain], **given}
            made = await client.post(PROVIDERS, json=body)
            assert made.status_code == 201, made.text
            await coming(guild.main, user={"email": f"x@{domain}"})
            assert (await known(guild.main, await walked(guild.main, domain)))["email"] == f"x@{domain}"
        elsewhere = {"type": "saml", "metadata_url": "http://127.0.0.1:9/_dev/idp/saml/a.example/metadata"}
        refused = await client.post(PROVIDERS, json=elsewhere)
        assert refused.json()["msg"] == "metadata_url is not a HTTPS URL"


async def test_a_branch_of_main_has_the_organisation_at_its_own_address_and_time(guild: Hosted) -> None:
    await entered(guild.main, "acme.example")
    branch = await guild.branch(source="main", keys="own")
    async with branch.client() as client:
        assert (await client.put("/_dev/v1/clock", json={"freeze": "2031-05-06T07:08:09Z"})).status_code == 200
    left = await departed(branch, "acme.example")
    assert left.startswith(f"{branch.backend.public_url}/_dev/idp/saml/acme.example/sso?")
    await coming(branch, user={"email": "later@acme.example"})
    user = await known(branch, await walked(branch, "acme.example"))
    assert (user["email"], user["last_sign_in_at"][:10]) == ("later@acme.example", "2031-05-06")


async def test_an_answer_is_over_when_the_clock_has_passed_its_end(guild: Hosted) -> None:
    branch = await guild.branch()
    await entered(branch, "acme.example")
    async with branch.client() as client:
        wanted = {"domain": "acme.example", "user": {"email": "late@acme.example"}}
        form = (await client.post(RESPONSE, json=wanted)).json()["form"]
        await client.put("/_dev/v1/clock", json={"advance": "6m"})
        landed = landing((await client.post(ACS, data=form)).headers["location"])
    assert landed.query["error_description"] == "SAML Assertion is not valid"


async def test_one_branch_takes_no_answer_of_another(guild: Hosted) -> None:
    one, other = await guild.branch(), await guild.branch()
    for place in (one, other):
        await entered(place, "acme.example")
    async with one.client() as client:
        wanted = {"domain": "acme.example", "user": {"email": "x@acme.example"}}
        form = (await client.post(RESPONSE, json=wanted)).json()["form"]
    async with other.public() as client:
        landed = landing((await client.post(ACS, data=form)).headers["location"])
    assert landed.query["error_description"] == "SAML Assertion is not valid"


async def test_an_organisation_is_entered_once_and_a_domain_has_one(guild: Hosted) -> None:
    branch = await guild.branch()
    first = await entered(branch, "acme.example")
    assert (await entered(branch, "acme.example"))["id"] == first["id"]
    async with branch.client() as client:
        text = (await client.get("/_dev/idp/saml/other.example/metadata")).text
        body = {"type": "saml", "domains": ["taken.example"], "metadata_xml": text}
        await client.post(PROVIDERS, json=body)
        taken = await client.post(ORGANISATIONS, json={"domain": "taken.example"})
    assert (taken.status_code, taken.json()["code"]) == (409, "sso_domain_already_exists")


@pytest.mark.parametrize(
    ("path", "body"),
    [
        (ORGANISATIONS, {}),
        (ORGANISATIONS, {"domain": "Acme.example"}),
        (ORGANISATIONS, {"domain": "a/b"}),
        (ORGANISATIONS, {"domain": "acme.example", "mapping": {}}),
        (RESPONSE, {"user": "anna"}),
        (RESPONSE, {"domain": "acme.example"}),
        (RESPONSE, {"domain": "acme.example", "url": "x", "user": "anna"}),
        (RESPONSE, {"url": "https://elsewhere.example/sso", "user": "anna"}),
        (RESPONSE, {"domain": "acme.example", "user": {"email": "a@b.example", "name": "a\x01b"}}),
    ],
)
async def test_what_the_calls_do_not_take_is_named(guild: Hosted, path: str, body: dict[str, Any]) -> None:
    async with guild.main.client() as client:
        answer = await client.post(path, json=body)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_request"), answer.text


@pytest.mark.parametrize("asked", ["x", "!", "", "eJw=", "PGEvPg=="])
async def test_what_is_no_request_of_this_server_leads_nowhere(guild: Hosted, asked: str) -> None:
    async with httpx.AsyncClient() as browser:
        answer = await browser.get(f"{guild.url}/_dev/idp/saml/acme.example/sso", params={"SAMLRequest": asked})
    assert (answer.status_code, answer.json()) == (400, {"error": "invalid_request"})


async def test_who_has_not_turned_it_on_is_told_how(cluster: Cluster, tmp_path: Path) -> None:
    async with cluster.fresh_database() as address, hosting(cluster, tmp_path, address) as serving:
        async with serving.main.client() as client:
            for method, path, body in (
                ("POST", ORGANISATIONS, {"domain": "acme.example"}),
                ("POST", RESPONSE, {"domain": "acme.example", "user": "anna"}),
                ("PUT", "/_dev/v1/idp/next", {"provider": "saml", "user": "anna"}),
                ("GET", "/_dev/idp/saml/acme.example/metadata", None),
            ):
                answer = await client.request(method, path, json=body)
                assert (answer.status_code, answer.json()["code"]) == (400, "saml_provider_disabled"), path
                assert "GOTRUE_SAML_PRIVATE_KEY" in answer.json()["hint"]


async def test_in_production_nothing_of_it_is_there(address: DatabaseAddress, guild: Hosted, tmp_path: Path) -> None:
    async with guild.main.client() as client:
        text = (await client.get("/_dev/idp/saml/acme.example/metadata")).text
    saml: dict[str, Any] = {"saml_enabled": True, "saml_private_key": private_key()}
    async with served(address, tmp_path, **saml) as minato:
        async with minato.client(minato.service_role_key, **NEW) as client:
            for method, path in (
                ("POST", ORGANISATIONS), ("POST", RESPONSE), ("GET", "/_dev/idp/saml/acme.example/metadata"),
                ("GET", "/_dev/idp/saml/acme.example/sso"),
            ):  # fmt: skip
                assert (await client.request(method, path)).status_code in (404, 405), path
            body = {"type": "saml", "domains": ["acme.example"], "metadata_xml": text}
            assert (await client.post(PROVIDERS, json=body)).status_code == 201
            left = await client.post(SSO, json={"domain": "acme.example"})
            assert (left.status_code, left.json()["code"]) == (404, "sso_provider_disabled")


def test_production_refuses_data_with_a_developer_s_organisation(data_dir: Path) -> None:
    on = {"GOTRUE_SAML_ENABLED": "true", "GOTRUE_SAML_PRIVATE_KEY": "minato"}
    with started(data_dir, **on) as server:
        made = httpx.post(f"{server.info['url']}{ORGANISATIONS}", json={"domain": "acme.example"}, timeout=30)
        assert made.status_code == 201, made.text
    ended = run_minato("serve", "--port", "0", "--data-dir", str(data_dir), MINATO_ENVIRONMENT="production")
    assert ended.returncode == 1
    assert "developer's organisations are in the database" in ended.stderr + ended.stdout
