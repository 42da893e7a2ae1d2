"""Every route of the contract: what answers it, which limit it counts for, whether it asks for a captcha or a key."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from minato.auth.endpoints.admin_audit import list_audit_log
from minato.auth.endpoints.admin_links import generate_link, invite
from minato.auth.endpoints.admin_users import create_user, delete_user, get_user_as_admin, list_users, put_user_as_admin
from minato.auth.endpoints.callback import callback
from minato.auth.endpoints.custom_providers import (
    create_provider,
    delete_provider,
    get_provider,
    list_providers,
    put_provider,
)
from minato.auth.endpoints.discovery import health, jwks, oauth_authorization_server, openid_configuration, settings
from minato.auth.endpoints.factors import (
    challenge,
    delete_factor,
    enroll,
    list_factors,
    unenroll,
    update_factor,
    verify,
)
from minato.auth.endpoints.identities import authorize, authorize_link, unlink_identity
from minato.auth.endpoints.oauth_clients import (
    create_client,
    delete_client,
    get_client,
    list_clients,
    put_client,
    regenerate_secret,
    register_client,
)
from minato.auth.endpoints.oauth_consent import (
    decide,
    get_authorization,
    list_grants,
    oauth_authorize,
    oauth_userinfo,
    revoke_grant,
)
from minato.auth.endpoints.oauth_token import oauth_token
from minato.auth.endpoints.one_time_tokens import reauthenticate, recover, resend, verify_link, verify_posted
from minato.auth.endpoints.otp import magiclink, otp
from minato.auth.endpoints.passkey_ceremonies import (
    authentication_options,
    registration_options,
    verify_authentication,
    verify_registration,
)
from minato.auth.endpoints.passkeys import (
    delete_passkey,
    delete_passkey_as_admin,
    list_passkeys,
    list_passkeys_as_admin,
    update_passkey,
)
from minato.auth.endpoints.signup import signup
from minato.auth.endpoints.sso import saml_acs, saml_metadata, single_sign_on
from minato.auth.endpoints.sso_providers import (
    create_sso_provider,
    delete_sso_provider,
    get_sso_provider,
    list_sso_providers,
    put_sso_provider,
)
from minato.auth.endpoints.token import logout, token
from minato.auth.endpoints.user import get_user, put_user
from minato.auth.guards import CAPTCHA, GRANT_CAPTCHA, GRANT_LIMIT, SIGN_UP_LIMIT, Guard, Unlimited, limit
from minato.auth.request.context import in_transaction, read_only
from minato.auth.request.response import Endpoint


@dataclass(frozen=True)
class Route:
    """One row: what answers, what stands before it, and what it does without."""

    method: str
    path: str
    endpoint: Endpoint
    guards: tuple[Guard, ...]
    key: bool
    """Whether the gateway asks for an API key: not of what a browser or another service is led to."""


def route(method: str, path: str, endpoint: Endpoint, *guards: Guard, key: bool = True) -> Route:
    """A row of the table below; guards in the order in which they refuse."""
    return Route(method, path, endpoint, guards, key)


ADMINISTRATORS: Final = Unlimited("only an administrator's token opens it")
SESSIONS: Final = Unlimited("it asks for a session")
COUNTED_BY_ENDPOINT: Final = Unlimited("it counts once it knows whose session asks")
ONE_TIME: Final = Unlimited("it takes what this server or a provider gave out for one use")

ROUTES: tuple[Route, ...] = (
    route("GET", "/health", health),
    route("GET", "/settings", settings),
    route("GET", "/.well-known/jwks.json", jwks, key=False),
    route("GET", "/.well-known/openid-configuration", openid_configuration, key=False),
    route("POST", "/signup", signup, CAPTCHA, SIGN_UP_LIMIT),
    route("POST", "/token", token, GRANT_CAPTCHA, GRANT_LIMIT),
    route("GET", "/verify", verify_link, limit("verify"), key=False),
    route("POST", "/verify", verify_posted, limit("verify"), key=False),
    route("POST", "/recover", recover, limit("recover"), CAPTCHA),
    route("POST", "/resend", resend, limit("resend"), CAPTCHA),
    route("POST", "/otp", otp, limit("otp"), CAPTCHA),
    route("POST", "/magiclink", magiclink, limit("magiclink"), CAPTCHA),
    route("GET", "/reauthenticate", in_transaction(reauthenticate)),
    route("GET", "/user", read_only(get_user)),
    route("PUT", "/user", put_user),
    route("POST", "/logout", in_transaction(logout), SESSIONS),
    route("GET", "/admin/users", read_only(list_users)),
    route("POST", "/admin/users", create_user, ADMINISTRATORS),
    route("GET", "/admin/users/{id}", read_only(get_user_as_admin)),
    route("PUT", "/admin/users/{id}", put_user_as_admin),
    route("DELETE", "/admin/users/{id}", in_transaction(delete_user)),
    route("GET", "/admin/users/{id}/factors", read_only(list_factors)),
    route("PUT", "/admin/users/{id}/factors/{factor}", in_transaction(update_factor)),
    route("DELETE", "/admin/users/{id}/factors/{factor}", in_transaction(delete_factor)),
    route("GET", "/admin/users/{id}/passkeys", read_only(list_passkeys_as_admin)),
    route("DELETE", "/admin/users/{id}/passkeys/{passkey}", in_transaction(delete_passkey_as_admin)),
    route("POST", "/invite", invite, ADMINISTRATORS),
    route("GET", "/admin/audit", read_only(list_audit_log)),
    route("POST", "/admin/generate_link", generate_link, ADMINISTRATORS),
    route("GET", "/user/identities/authorize", authorize_link),
    route("DELETE", "/user/identities/{id}", in_transaction(unlink_identity)),
    route("GET", "/authorize", authorize, key=False),
    route("GET", "/callback", callback, key=False),
    route("POST", "/callback", callback, ONE_TIME, key=False),
    route("POST", "/sso", in_transaction(single_sign_on), limit("sso"), CAPTCHA),
    route("GET", "/sso/saml/metadata", saml_metadata, key=False),
    route("POST", "/sso/saml/acs", saml_acs, limit("saml"), key=False),
    route("GET", "/admin/sso/providers", read_only(list_sso_providers)),
    route("POST", "/admin/sso/providers", create_sso_provider, ADMINISTRATORS),
    route("GET", "/admin/sso/providers/{id}", read_only(get_sso_provider)),
    route("PUT", "/admin/sso/providers/{id}", put_sso_provider),
    route("DELETE", "/admin/sso/providers/{id}", in_transaction(delete_sso_provider)),
    route("GET", "/admin/custom-providers", read_only(list_providers)),
    route("POST", "/admin/custom-providers", create_provider, ADMINISTRATORS),
    route("GET", "/admin/custom-providers/{id}", read_only(get_provider)),
    route("PUT", "/admin/custom-providers/{id}", put_provider),
    route("DELETE", "/admin/custom-providers/{id}", delete_provider),
    route("GET", "/admin/oauth/clients", read_only(list_clients)),
    route("POST", "/admin/oauth/clients", in_transaction(create_client), ADMINISTRATORS),
    route("GET", "/admin/oauth/clients/{id}", read_only(get_client)),
    route("PUT", "/admin/oauth/clients/{id}", in_transaction(put_client)),
    route("DELETE", "/admin/oauth/clients/{id}", in_transaction(delete_client)),
    route("POST", "/admin/oauth/clients/{id}/regenerate_secret", in_transaction(regenerate_secret), ADMINISTRATORS),
    route("POST", "/oauth/clients/register", in_transaction(register_client), limit("oauth_register"), key=False),
    route("GET", "/oauth/authorize", in_transaction(oauth_authorize), key=False),
    route("GET", "/oauth/authorizations/{id}", in_transaction(get_authorization)),
    route("POST", "/oauth/authorizations/{id}/consent", in_transaction(decide), SESSIONS),
    route("POST", "/oauth/token", in_transaction(oauth_token), ONE_TIME, key=False),
    route("GET", "/oauth/userinfo", read_only(oauth_userinfo), key=False),
    route("GET", "/user/oauth/grants", read_only(list_grants)),
    route("DELETE", "/user/oauth/grants", in_transaction(revoke_grant)),
    route("GET", "/.well-known/oauth-authorization-server", oauth_authorization_server, key=False),
    route("POST", "/factors", in_transaction(enroll), SESSIONS),
    route("DELETE", "/factors/{id}", in_transaction(unenroll)),
    route("POST", "/factors/{id}/challenge", challenge, COUNTED_BY_ENDPOINT),
    route("POST", "/factors/{id}/verify", verify, COUNTED_BY_ENDPOINT),
    route("POST", "/passkeys/registration/options", in_transaction(registration_options), SESSIONS),
    route("POST", "/passkeys/registration/verify", in_transaction(verify_registration), SESSIONS),
    route(
        "POST", "/passkeys/authentication/options", in_transaction(authentication_options), limit("passkey"), CAPTCHA
    ),
    route("POST", "/passkeys/authentication/verify", in_transaction(verify_authentication), ONE_TIME),
    route("GET", "/passkeys", read_only(list_passkeys)),
    route("PATCH", "/passkeys/{passkey}", in_transaction(update_passkey)),
    route("DELETE", "/passkeys/{passkey}", in_transaction(delete_passkey)),
)

WITHOUT_KEY: frozenset[str] = frozenset(row.path for row in ROUTES if not row.key)
