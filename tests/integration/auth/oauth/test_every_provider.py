"""Every provider by its record: where people are sent and with what, whom is asked, and what is kept of the person.

Paths, scopes and claims are written out here as supabase/auth has them (internal/api/provider), not taken from records.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from minato.config.auth_external import PROVIDERS

from tests.integration.auth.oauth.walk import APP, NEW, PKCE, Harbour, exchange, landing


@dataclass(frozen=True)
class Case:
    """EMAIL stands for the person's address, URL for the provider's.

    `paths` are asked in this order; `told` is what they answer, `person` what the ID token says.
    """

    name: str
    paths: tuple[str, ...]
    scope: str
    claims: dict[str, Any]
    told: dict[str, Any] = field(default_factory=dict)
    person: dict[str, Any] = field(default_factory=dict)
    with_token: dict[str, Any] = field(default_factory=dict)
    verified: bool = True


def named(subject: str, name: str, picture: str = "", **more: Any) -> dict[str, Any]:
    """What most keep of a person."""
    claims = {"sub": subject, "provider_id": subject, "name": name, "full_name": name}
    return claims | ({"picture": picture, "avatar_url": picture} if picture else {}) | more


P = "https://p.example/a.png"
SLACK = {"https://slack.com/user_id": "S1", "https://slack.com/team_id": "T1", "email": "EMAIL", "name": "Anna"}
SLACK_CLAIMS = named("S1", "Anna", P, iss="URL/api", custom_claims={"https://slack.com/team_id": "T1"})
SNAPCHAT_SCOPE = " ".join(
    f"https://auth.snapchat.com/oauth2/api/user.{name}" for name in ("external_id", "display_name", "bitmoji.avatar")
)
FACEBOOK_ISS = "URL/me?fields=email,first_name,last_name,name,picture"
CASES = (
    Case(
        "apple",
        ("/authorize", "/token"),
        "email name",
        {
            **{"iss": "URL", "sub": "A1", "provider_id": "A1"},
            "custom_claims": {"is_private_email": True, "auth_time": 1700000000},
        },
        person={"sub": "A1", "email": "EMAIL", "is_private_email": "true", "auth_time": 1700000000},
    ),
    Case(
        "azure",
        ("/oauth2/v2.0/authorize", "/oauth2/v2.0/token"),
        "openid",
        {
            **{"iss": "URL", "sub": "Z1", "provider_id": "Z1", "full_name": "Anna", "preferred_username": "anna"},
            "custom_claims": {"email": "EMAIL", "oid": "o-1", "xms_edov": "1"},
        },
        person={
            **{"sub": "Z1", "email": "EMAIL", "name": "Anna", "preferred_username": "anna"},
            **{"oid": "o-1", "xms_edov": "1", "ver": "2.0"},
        },
    ),
    Case(
        "bitbucket",
        ("/site/oauth2/authorize", "/site/oauth2/access_token", "/2.0/user", "/2.0/user/emails"),
        "account email",
        named("{b-1}", "Anna", P, iss="URL/2.0"),
        {
            "/2.0/user": {"uuid": "{b-1}", "display_name": "Anna", "avatar": {"href": P}},
            "/2.0/user/emails": {
                "values": [
                    {"email": "other@people.example", "is_primary": False, "is_confirmed": False},
                    {"email": "EMAIL", "is_primary": True, "is_confirmed": True},
                ]
            },
        },
    ),
    Case(
        "discord",
        ("/api/oauth2/authorize", "/api/oauth2/token", "/api/users/@me"),
        "email identify",
        named(
            *("D1", "anna#0007", "https://cdn.discordapp.com/avatars/D1/a_1.gif"),
            full_name="anna",
            iss="URL/api",
            custom_claims={"global_name": "Anna"},
        ),
        {
            "/api/users/@me": {
                **{"id": "D1", "username": "anna", "discriminator": "0007", "global_name": "Anna"},
                **{"avatar": "a_1", "email": "EMAIL", "verified": True},
            }
        },
    ),
    Case(
        "facebook",
        ("/dialog/oauth", "/oauth/access_token", "/me"),
        "email",
        named("F1", "Anna Hafen", P, iss=FACEBOOK_ISS, nickname="Anna H", slug="Anna H"),
        {
            "/me": {
                **{"id": "F1", "first_name": "Anna", "last_name": "Hafen", "name": "Anna H", "email": "EMAIL"},
                "picture": {"data": {"url": P}},
            }
        },
    ),
    Case(
        "snapchat",
        ("/accounts/oauth2/auth", "/accounts/oauth2/token", "/v1/me"),
        SNAPCHAT_SCOPE,
        named("N1", "Anna", P, iss="https://accounts.snapchat.com/accounts/oauth2/token", slug="Anna"),
        {
            "/v1/me": {
                "data": {"me": {"externalId": "N1", "displayName": "Anna", "bitmoji": {"avatar": P}, "email": "EMAIL"}}
            }
        },
    ),
    Case(
        "figma",
        ("/oauth", "/v1/oauth/token", "/v1/me"),
        "current_user:read",
        named("G1", "anna", iss="URL", avatar_url=P),
        {"/v1/me": {"id": "G1", "handle": "anna", "email": "EMAIL", "img_url": P}},
    ),
    Case(
        "fly",
        ("/oauth/authorize", "/oauth/token", "/oauth/token/info"),
        "read",
        {
            **{"iss": "URL", "sub": "Y1", "provider_id": "Y1", "full_name": "anna"},
            "custom_claims": {
                **{"resource_owner_id": "R1", "organizations": [{"id": "o", "role": "admin"}], "application": None},
                **{"scope": ["read"], "created_at": 17},
            },
        },
        {
            "/oauth/token/info": {
                **{"resource_owner_id": "R1", "user_id": "Y1", "user_name": "anna", "email": "EMAIL"},
                **{"organizations": [{"id": "o", "role": "admin", "x": 1}], "scope": ["read"], "created_at": 17},
            }
        },
    ),
    Case(
        "github",
        ("/login/oauth/authorize", "/login/oauth/access_token", "/api/v3/user", "/api/v3/user/emails"),
        "user:email",
        named("11", "Anna", iss="URL/api/v3", avatar_url=P, preferred_username="anna", user_name="anna"),
        {
            "/api/v3/user": {"id": 11, "login": "anna", "name": "Anna", "avatar_url": P},
            "/api/v3/user/emails": [{"email": "EMAIL", "primary": True, "verified": True}],
        },
    ),
    Case(
        "gitlab",
        ("/oauth/authorize", "/oauth/token", "/api/v4/user", "/api/v4/user/emails"),
        "read_user",
        named("12", "Anna", P, iss="URL"),
        {
            "/api/v4/user": {"id": 12, "name": "Anna", "email": "EMAIL", "avatar_url": P, "confirmed_at": "2026"},
            "/api/v4/user/emails": [{"id": 1, "email": "second@people.example"}],
        },
    ),
    Case(
        "google",
        ("/authorize", "/token"),
        "email profile",
        named("O1", "Anna", P, iss="URL", custom_claims={"hd": "example.com"}),
        person={
            **{"sub": "O1", "email": "EMAIL", "email_verified": True, "name": "Anna", "picture": P},
            "hd": "example.com",
        },
    ),
    Case(
        "keycloak",
        (
            *("/protocol/openid-connect/auth", "/protocol/openid-connect/token"),
            "/protocol/openid-connect/userinfo",
        ),
        "profile email",
        named("K1", "Anna", iss="URL", custom_claims={"groups": ["a"]}),
        {
            "/protocol/openid-connect/userinfo": {
                **{"sub": "K1", "name": "Anna", "email": "EMAIL", "email_verified": True},
                "groups": ["a"],
            }
        },
    ),
    Case(
        "kakao",
        ("/oauth/authorize", "/oauth/token", "/v2/user/me"),
        "account_email profile_image profile_nickname",
        named("13", "Anna", iss="URL", avatar_url=P, preferred_username="Anna", user_name="Anna"),
        {
            "/v2/user/me": {
                "id": 13,
                "kakao_account": {
                    "profile": {"nickname": "Anna", "profile_image_url": P},
                    **{"email": "EMAIL", "is_email_valid": True, "is_email_verified": True},
                },
            }
        },
    ),
    Case(
        "linkedin",
        ("/oauth/v2/authorization", "/oauth/v2/accessToken", "/v2/me", "/v2/emailAddress"),
        "r_emailaddress r_liteprofile",
        named("L1", "Anna Hafen", P, iss="URL"),
        {
            "/v2/me": {
                "id": "L1",
                "firstName": {
                    "localized": {"de_DE": "Anna"},
                    "preferredLocale": {"country": "DE", "language": "de"},
                },
                "lastName": {
                    "localized": {"de_DE": "Hafen"},
                    "preferredLocale": {"country": "DE", "language": "de"},
                },
                "profilePicture": {"displayImage~": {"elements": [{"identifiers": [{"identifier": P}]}]}},
            },
            "/v2/emailAddress": {"elements": [{"handle": "urn:1", "handle~": {"emailAddress": "EMAIL"}}]},
        },
    ),
    Case(
        "linkedin_oidc",
        ("/oauth/v2/authorization", "/oauth/v2/accessToken"),
        "openid email profile",
        {
            **{"iss": "URL", "sub": "L2", "provider_id": "L2", "name": "Anna Hafen", "given_name": "Anna"},
            **{"family_name": "Hafen", "locale": "de_DE", "picture": P},
        },
        person={
            **{"sub": "L2", "email": "EMAIL", "email_verified": "true", "given_name": "Anna"},
            **{"family_name": "Hafen", "locale": "de_DE", "picture": P},
        },
    ),
    Case(
        "notion",
        ("/v1/oauth/authorize", "/v1/oauth/token", "/v1/users/me"),
        "",
        named("T1", "Anna", P, iss="URL"),
        {
            "/v1/users/me": {
                "bot": {
                    "owner": {
                        "user": {"id": "T1", "name": "Anna", "avatar_url": P, "person": {"email": "EMAIL"}},
                    }
                }
            }
        },
    ),
    Case(
        "spotify",
        ("/authorize", "/api/token", "/me"),
        "user-read-email",
        named("P1", "Anna", P, iss="URL"),
        {
            "/me": {
                **{"id": "P1", "display_name": "Anna", "email": "EMAIL"},
                "images": [
                    {"url": "https://p.example/small.png", "height": 64, "width": 64},
                    {"url": P, "height": 300, "width": 300},
                    {"url": "https://p.example/as-large.png", "height": 300, "width": 300},
                ],
            }
        },
        verified=False,
    ),
    Case(
        "slack",
        ("/oauth/authorize", "/api/oauth.access", "/api/openid.connect.userInfo"),
        "profile email openid",
        SLACK_CLAIMS,
        {"/api/openid.connect.userInfo": {**SLACK, "picture": P}},
    ),
    Case(
        "slack_oidc",
        ("/openid/connect/authorize", "/api/openid.connect.token", "/api/openid.connect.userInfo"),
        "profile email openid",
        SLACK_CLAIMS,
        {"/api/openid.connect.userInfo": {**SLACK, "picture": P, "email_verified": True}},
    ),
    Case(
        "workos",
        ("/sso/authorize", "/sso/token"),
        "",
        named("W1", "Anna Hafen", iss="URL", custom_claims={"connection_id": "c", "organization_id": "o"}),
        with_token={
            "profile": {
                **{"id": "W1", "first_name": "Anna", "last_name": "Hafen", "email": "EMAIL"},
                **{"connection_id": "c", "organization_id": "o"},
            }
        },
    ),
    Case(
        "twitch",
        ("/oauth2/authorize", "/oauth2/token", "/helix/users"),
        "user:read:email",
        named(
            *("V1", "anna", P),
            iss="URL",
            nickname="Anna",
            slug="Anna",
            custom_claims={
                **{"broadcaster_type": "partner", "description": "cars", "type": "", "offline_image_url": ""},
                "view_count": 5,
            },
        ),
        {
            "/helix/users": {
                "data": [
                    {
                        **{"id": "V1", "login": "anna", "display_name": "Anna", "profile_image_url": P},
                        **{"broadcaster_type": "partner", "description": "cars", "type": "", "view_count": 5},
                        "email": "EMAIL",
                    }
                ]
            }
        },
    ),
    Case(
        "twitter",
        (
            *("/oauth/request_token", "/oauth/authenticate", "/oauth/access_token"),
            "/1.1/account/verify_credentials.json",
        ),
        "",
        named(
            *("77", "Anna", P),
            iss="URL/1.1/account/verify_credentials.json",
            preferred_username="anna",
            user_name="anna",
        ),
        {
            "/1.1/account/verify_credentials.json": {
                **{"id_str": "77", "screen_name": "anna", "name": "Anna", "profile_image_url_https": P},
                "email": "EMAIL",
            }
        },
    ),
    Case(
        "x",
        ("/i/oauth2/authorize", "/2/oauth2/token", "/2/users/me"),
        "users.email tweet.read users.read offline.access",
        named(
            *("X1", "Anna", P),
            iss="URL",
            preferred_username="anna",
            user_name="anna",
            profile="https://x.com/anna",
            website="https://a.example",
            custom_claims={"created_at": "2026"},
        ),
        {
            "/2/users/me": {
                "data": {
                    **{"id": "X1", "name": "Anna", "username": "anna", "profile_image_url": P},
                    **{"confirmed_email": "EMAIL", "url": "https://a.example", "created_at": "2026"},
                }
            }
        },
    ),
    Case(
        "vercel_marketplace",
        ("/oauth/v2/authorization", "/oauth/v2/accessToken"),
        "",
        {
            **{"iss": "URL", "sub": "global_user_id:M1", "provider_id": "global_user_id:M1", "name": "Anna"},
            "picture": P,
        },
        person={
            **{"sub": "account:1", "global_user_id": "M1", "user_email": "EMAIL", "user_name": "Anna"},
            "user_avatar_url": P,
        },
    ),
    Case(
        "zoom",
        ("/oauth/authorize", "/oauth/token", "/v2/users/me"),
        "",
        named("Q1", "Anna Hafen", P, iss="URL/v2"),
        {
            "/v2/users/me": {
                **{"id": "Q1", "first_name": "Anna", "last_name": "Hafen", "email": "EMAIL", "pic_url": P},
                **{"login_type": "100", "verified": 1},
            }
        },
    ),
)


def test_every_provider_has_a_case() -> None:
    assert sorted(PROVIDERS) == sorted(case.name for case in CASES)


def prepare(harbour: Harbour, case: Case) -> None:
    """The person of `case` stands before the provider."""

    def filled(value: Any) -> Any:
        return json.loads(json.dumps(value).replace("EMAIL", f"{case.name}@people.example"))

    provider = harbour.provider
    provider.documents, provider.person = filled(case.told), filled(case.person)
    provider.told_with_token, provider.sends_id_token = filled(case.with_token), bool(case.person)
    provider.heard.clear()


def expected(harbour: Harbour, case: Case) -> dict[str, Any]:
    claims = (
        json.dumps(case.claims).replace("URL", harbour.provider.url).replace("EMAIL", f"{case.name}@people.example")
    )
    known: dict[str, Any] = json.loads(claims)
    return {**known, "email": f"{case.name}@people.example", "email_verified": case.verified, "phone_verified": False}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
async def test_who_comes_from_a_provider_is_kept_as_gotrue_keeps_them(harbour: Harbour, case: Case) -> None:
    prepare(harbour, case)
    end = await harbour.sign_in(case.name, **PKCE)
    discovery = ("/.well-known/openid-configuration", "/jwks")
    assert tuple(path for path, _ in harbour.provider.heard if path not in discovery) == case.paths
    if case.verified:
        async with harbour.minato.client() as client:
            user = (await exchange(client, end.query["code"])).json()["user"]
        assert user["email"] == f"{case.name}@people.example"
        assert user["email_confirmed_at"]
        assert user["app_metadata"] == {"provider": case.name, "providers": [case.name]}
    else:
        assert end.query["error_code"] == "provider_email_needs_verification"
    found = "select identity_data from auth.identities where provider = $1"
    assert json.loads(await harbour.minato.db.fetchval(found, case.name)) == expected(harbour, case)


@pytest.mark.parametrize("case", [case for case in CASES if case.name != "twitter"], ids=lambda case: case.name)
async def test_a_provider_is_asked_for_its_scopes_and_those_of_the_app(harbour: Harbour, case: Case) -> None:
    prepare(harbour, case)
    async with harbour.minato.client() as client:
        asked = {"provider": case.name, "scopes": "more,most", "redirect_to": APP}
        left = (await client.get("/auth/v1/authorize", params=asked, headers=NEW)).headers["location"]
    query = {name: values[0] for name, values in parse_qs(urlsplit(left).query).items()}
    assert query["scope"] == f"{case.scope} more most".strip()
    assert ("code_challenge" in query) == (case.name == "x")
    assert query.get("response_mode") == ("form_post" if case.name == "apple" else None)
    assert left.startswith(f"{harbour.provider.url}{case.paths[0]}?")


@pytest.mark.parametrize(
    ("name", "header", "value"), [("notion", "notion-version", "2021-08-16"), ("twitch", "client-id", "harbour")]
)
async def test_some_providers_want_a_header(harbour: Harbour, name: str, header: str, value: str) -> None:
    case = next(case for case in CASES if case.name == name)
    prepare(harbour, case)
    await harbour.sign_in(name, **PKCE)
    assert dict(harbour.provider.heard)[case.paths[-1]][header] == value


async def test_a_secret_that_is_refused_in_the_header_is_sent_in_the_form(harbour: Harbour) -> None:
    case = next(case for case in CASES if case.name == "discord")
    prepare(harbour, case)
    harbour.provider.refuses_header = True
    try:
        assert "code" in (await harbour.sign_in("discord", **PKCE)).query
    finally:
        harbour.provider.refuses_header = False
    asked = [headers for path, headers in harbour.provider.heard if path == "/api/oauth2/token"]
    assert ["authorization" in headers for headers in asked] == [True, False]


async def test_apple_tells_the_name_once_by_way_of_the_browser(harbour: Harbour) -> None:
    case = next(case for case in CASES if case.name == "apple")
    prepare(harbour, case)
    async with harbour.minato.client() as client, httpx.AsyncClient() as browser:
        left = await client.get("/auth/v1/authorize", params={"provider": "apple", "redirect_to": APP, **PKCE})
        back = (await browser.get(left.headers["location"])).headers["location"]
        form = {name: values[0] for name, values in parse_qs(urlsplit(back).query).items()}
        form["user"] = json.dumps({"name": {"firstName": "Anna", "lastName": "Hafen"}, "email": "else@example.com"})
        end = landing((await client.post("/auth/v1/callback", data=form)).headers["location"])
        user = (await exchange(client, end.query["code"])).json()["user"]
    assert (user["user_metadata"]["name"], user["user_metadata"]["full_name"]) == ("Anna Hafen", "Anna Hafen")
    assert user["email"] == "apple@people.example"


async def test_the_token_of_another_tenant_is_refused(harbour: Harbour) -> None:
    case = next(case for case in CASES if case.name == "azure")
    prepare(harbour, case)
    harbour.provider.person["iss"] = "https://attacker.example/v2.0"
    end = await harbour.sign_in("azure", **PKCE)
    assert end.query["error_description"] == "Error getting user profile from external provider"


async def test_an_app_may_ask_for_one_of_the_connections_of_workos(harbour: Harbour) -> None:
    async with harbour.minato.client() as client:
        asked = {"provider": "workos", "workos_provider": "GoogleOAuth"}
        left = (await client.get("/auth/v1/authorize", params=asked)).headers["location"]
    assert parse_qs(urlsplit(left).query)["provider"] == ["GoogleOAuth"]


@pytest.mark.parametrize("name", ["apple", "azure", "facebook", "kakao", "snapchat", "vercel_marketplace"])
async def test_an_app_signs_in_with_an_id_token_of_the_provider(harbour: Harbour, name: str) -> None:
    email = f"{name}@apps.example"
    person = {"sub": f"app-{name}", "email": email, "user_email": email, "nickname": "Anna", "email_verified": True}
    harbour.provider.person = person
    async with harbour.minato.client(**NEW) as client:
        body = {"provider": name, "id_token": harbour.provider.id_token()}
        answer = await client.post("/auth/v1/token?grant_type=id_token", json=body)
        assert answer.status_code == 200, answer.text
        other = {"provider": name, "id_token": harbour.provider.id_token(aud="somebody else")}
        refused = await client.post("/auth/v1/token?grant_type=id_token", json=other)
    user = answer.json()["user"]
    assert (user["email"], user["app_metadata"]["provider"]) == (email, name)
    assert "Unacceptable audience" in refused.text


async def test_every_provider_is_among_the_settings(harbour: Harbour) -> None:
    async with harbour.minato.client() as client:
        external = (await client.get("/auth/v1/settings")).json()["external"]
    unlisted = {"x", "vercel_marketplace"}
    assert {name for name in PROVIDERS if external.get(name)} == set(PROVIDERS) - unlisted
