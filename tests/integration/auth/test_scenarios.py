"""Each endpoint as a table: nobody and the wrong user first, then what a request answers, mails and changes."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from minato.auth.routes import ROUTES
from minato.config.auth import AuthSettings

from tests.integration.auth.scenario import Scenario, Stage
from tests.support import server
from tests.support.postgres import Cluster

S = Scenario
# Whoever may ask these without being signed in; their rows are in PUBLIC.
OPEN_TO_ALL = (
    "/health", "/settings", "/.well-known", "/signup", "/token", "/verify", "/recover", "/resend", "/otp", "/magiclink",
    "/passkeys/authentication", "/authorize", "/callback", "/sso", "/oauth/authorize", "/oauth/token",
    "/oauth/clients/register", "/oauth/userinfo",
)  # fmt: skip
CLOSED = [f"{row.method} {row.path}" for row in ROUTES if not row.path.startswith(OPEN_TO_ALL)]
ADMINS = [request for request in CLOSED if " /admin" in request or request.endswith(" /invite")]
USERS = [request for request in CLOSED if request not in ADMINS]

NOBODY = [S("nobody", request, {}, 401, has=("no_authorization",)) for request in CLOSED]
WRONG = [
    *(S("user", request, {}, 403, has=("not_admin",)) for request in ADMINS),
    *(S("anon", request, {}, 403, has=("not_admin",)) for request in ADMINS),
    *(S("anon", request, {}, 403, has=("bad_jwt", "missing sub claim")) for request in USERS),
    *(S("admin", request, {}, 403, has=("bad_jwt", "missing sub claim")) for request in USERS),
]

PUBLIC = [
    S("nobody", "GET /health", None, 200, has=('"name":"GoTrue"',)),
    S("nobody", "GET /settings", None, 200, has=('"external"', '"passkeys_enabled":true')),
    S("nobody", "GET /.well-known/jwks.json", None, 200, has=('"alg":"ES256"', '"kid":"'), lacks=('"d":',)),
    S("nobody", "POST /signup", {"email": "{new_email}", "password": "long enough"}, 200, has=("{",),
      lacks=("access_token",), mails=("signup",), rows={"users": 1, "identities": 1, "one_time_tokens": 1}),
    S("nobody", "POST /signup", {"email": "{own_email}", "password": "long enough"}, 200, has=('"identities":[]',),
      lacks=("access_token",)),
    S("nobody", "POST /signup", {"email": "{new_email}", "password": "x"}, 422, has=("weak_password", "length")),
    S("nobody", "POST /signup", {"email": "no address", "password": "long enough"}, 400, has=("validation_failed",)),
    S("nobody", "POST /signup", {"data": {"theme": "dark"}}, 200, has=('"is_anonymous":true', "access_token"),
      rows={"users": 1, "sessions": 1, "refresh_tokens": 1}),
    S("nobody", "POST /token?grant_type=password", {"email": "{own_email}", "password": "wrong"}, 400,
      has=("invalid_credentials", "Invalid login credentials")),
    S("nobody", "POST /token?grant_type=password", {"email": "{new_email}", "password": "wrong"}, 400,
      has=("invalid_credentials", "Invalid login credentials")),
    S("nobody", "POST /token?grant_type=password", {}, 400, has=("missing email or phone",)),
    S("nobody", "POST /token?grant_type=refresh_token", {"refresh_token": "abcdefghijkl"}, 400,
      has=("refresh_token_not_found",)),
    S("nobody", "POST /token?grant_type=pkce", {"auth_code": "x", "code_verifier": "y"}, 404,
      has=("flow_state_not_found",)),
    S("nobody", "POST /token?grant_type=x", {}, 400, has=("unsupported_grant_type",)),
    S("nobody", "POST /recover", {"email": "{own_email}"}, 200, has=("{}",), mails=("recovery",),
      rows={"one_time_tokens": 1}),
    S("nobody", "POST /recover", {"email": "{new_email}"}, 200, has=("{}",)),
    S("nobody", "POST /otp", {"email": "{own_email}"}, 200, has=("{}",), mails=("magiclink",),
      rows={"one_time_tokens": 1}),
    S("nobody", "POST /otp", {"email": "{new_email}", "create_user": False}, 422, has=("otp_disabled",)),
    S("nobody", "POST /magiclink", {"email": "{new_email}"}, 200, has=("{}",), mails=("signup",),
      rows={"users": 1, "identities": 1, "one_time_tokens": 1}),
    S("nobody", "POST /resend", {"type": "signup", "email": "{own_email}"}, 200, has=("{}",)),
    S("nobody", "POST /resend", {"type": "x", "email": "{own_email}"}, 400, has=("Missing one of these types",)),
    S("nobody", "POST /verify", {"type": "signup", "token": "123456", "email": "{own_email}"}, 403,
      has=("otp_expired",)),
    S("nobody", "POST /verify", {"type": "signup", "token_hash": "x"}, 403, has=("otp_expired",)),
    S("nobody", "POST /passkeys/authentication/options", {}, 200, has=("challenge_id",), lacks=("allowCredentials",)),
    S("nobody", "POST /passkeys/authentication/verify", {"challenge_id": "{unknown}", "credential": {}}, 400,
      has=("webauthn_challenge_not_found",)),
]  # fmt: skip

OF_USERS = [
    S("user", "GET /user", None, 200, has=('"role":"authenticated"', '"identities":[{')),
    S("user", "PUT /user", {"data": {"name": "Anna"}}, 200, has=('"name":"Anna"',)),
    S("user", "PUT /user", {"email": "{other_email}"}, 422, has=("email_exists",)),
    S("user", "PUT /user", {"email": "{new_email}"}, 200, has=('"new_email"',), mails=("email_change", "email_change"),
      rows={"one_time_tokens": 2}),
    S("user", "PUT /user", {"password": "x"}, 422, has=("weak_password",)),
    S("user", "PUT /user", {"password": "another horse"}, 200, has=('"role":"authenticated"',)),
    S("user", "PUT /user", {"app_metadata": {"role": "admin"}}, 403, has=("not_admin",)),
    S("user", "GET /reauthenticate", None, 200, has=("{}",), mails=("reauthentication",), rows={"one_time_tokens": 1}),
    S("user", "POST /logout", None, 204, rows={"sessions": -1, "refresh_tokens": -1}),
    S("user", "POST /logout?scope=others", None, 204),
    S("user", "POST /logout?scope=x", None, 400, has=("Unsupported logout scope",)),
    S("user", "POST /factors", {"factor_type": "totp", "friendly_name": "app"}, 200, has=("qr_code", "otpauth://"),
      rows={"mfa_factors": 1}),
    S("user", "POST /factors", {"factor_type": "webauthn"}, 200, has=('"type":"webauthn"',), lacks=("totp",),
      rows={"mfa_factors": 1}),
    S("user", "POST /factors", {"factor_type": "x"}, 400, has=("factor_type needs to be",)),
    S("user", "POST /factors/{unknown}/challenge", {}, 404, has=("mfa_factor_not_found",)),
    S("user", "POST /factors/{unknown}/verify", {"code": "123456"}, 404, has=("mfa_factor_not_found",)),
    S("user", "DELETE /factors/x", None, 404, has=("factor_id must be an UUID",)),
    S("user", "DELETE /user/identities/{unknown}", None, 422, has=("single_identity_not_deletable",)),
    S("user", "GET /passkeys", None, 200, has=("[]",)),
    S("user", "POST /passkeys/registration/options", {}, 200, has=("challenge_id", "pubKeyCredParams")),
    S("user", "POST /passkeys/registration/verify", {"challenge_id": "{unknown}", "credential": {}}, 400,
      has=("webauthn_challenge_not_found",)),
    S("user", "PATCH /passkeys/{unknown}", {"friendly_name": "key"}, 404, has=("Passkey not found",)),
    S("user", "DELETE /passkeys/{unknown}", None, 404, has=("Passkey not found",)),
]  # fmt: skip

OF_ADMINS = [
    S("admin", "GET /admin/users", None, 200, has=('"users":[', '"identities":null')),
    S("admin", "GET /admin/users?sort=x", None, 400, has=("Bad Sort Parameters",)),
    S("admin", "POST /admin/users", {"email": "{new_email}"}, 200, has=('"provider":"email"',), lacks=("confirmed_at",),
      rows={"users": 1, "identities": 1}),
    S("admin", "POST /admin/users", {"email": "{own_email}"}, 422, has=("email_exists",)),
    S("admin", "POST /admin/users", {}, 400, has=("Cannot create a user without either an email or phone",)),
    S("admin", "GET /admin/users/{own}", None, 200, has=('"identities":[{',)),
    S("admin", "GET /admin/users/{unknown}", None, 404, has=("user_not_found",)),
    S("admin", "GET /admin/users/x", None, 404, has=("user_id must be an UUID",)),
    S("admin", "PUT /admin/users/{own}", {"role": "editor"}, 200, has=('"role":"editor"',)),
    S("admin", "PUT /admin/users/{own}", {"password": "another horse"}, 200,
      rows={"sessions": -1, "refresh_tokens": -1}),
    S("admin", "DELETE /admin/users/{own}", {}, 200, has=("{}",),
      rows={"users": -1, "identities": -1, "sessions": -1, "refresh_tokens": -1}),
    S("admin", "DELETE /admin/users/{own}", {"should_soft_delete": True}, 200, has=("{}",),
      rows={"sessions": -1, "refresh_tokens": -1}),
    S("admin", "POST /invite", {"email": "{new_email}", "data": {"a": 1}}, 200,
      has=("invited_at", '"user_metadata":{"a":1}'), mails=("invite",),
      rows={"users": 1, "identities": 1, "one_time_tokens": 1}),
    S("admin", "POST /invite", {"email": "{own_email}"}, 422, has=("email_exists",)),
    S("admin", "POST /admin/generate_link", {"type": "magiclink", "email": "{own_email}"}, 200,
      has=("action_link", "hashed_token", "email_otp"), rows={"one_time_tokens": 1}),
    S("admin", "POST /admin/generate_link",
      {"type": "signup", "email": "{new_email}", "password": "long enough", "data": {"a": 1}}, 200,
      has=('"user_metadata":{"a":1}',), rows={"users": 1, "identities": 1, "one_time_tokens": 1}),
    S("admin", "POST /admin/generate_link", {"type": "recovery", "email": "{new_email}"}, 404, has=("user_not_found",)),
    S("admin", "GET /admin/audit?query=action:login", None, 200, has=('"action":"login"',), lacks=("user_signedup",)),
    S("admin", "GET /admin/audit?query=x", None, 400, has=("Invalid query scope",)),
    S("admin", "GET /admin/users/{own}/factors", None, 200, has=("[]",)),
    S("admin", "PUT /admin/users/{own}/factors/{unknown}", {}, 404, has=("mfa_factor_not_found",)),
    S("admin", "DELETE /admin/users/{own}/factors/{unknown}", {}, 404, has=("mfa_factor_not_found",)),
    S("admin", "GET /admin/users/{own}/passkeys", None, 200, has=("[]",)),
    S("admin", "DELETE /admin/users/{own}/passkeys/{unknown}", None, 404, has=("Passkey not found",)),
]  # fmt: skip


@pytest.fixture(scope="module")
async def stage(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stage]:
    auth = AuthSettings(
        external_anonymous_users_enabled=True,
        security_manual_linking_enabled=True,
        passkey_enabled=True,
        mfa_web_authn_enroll_enabled=True,
        mfa_web_authn_verify_enabled=True,
        oauth_server_enabled=True,
    )
    settings = server.settings_for(tmp_path_factory.mktemp("scenarios"), auth=auth)
    async with cluster.fresh_database() as address, server.running(address, settings) as minato:
        yield Stage(minato)


@pytest.mark.parametrize("scenario", [*NOBODY, *WRONG, *PUBLIC, *OF_USERS, *OF_ADMINS], ids=str)
async def test_scenario(stage: Stage, scenario: Scenario) -> None:
    await stage.play(scenario)
