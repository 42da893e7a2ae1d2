"""Every route of the contract and what answers it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from api.auth.call import Answer, Call
from api.auth.endpoints.admin_audit import list_audit_log
from api.auth.endpoints.admin_factors import delete_factor, list_factors, update_factor
from api.auth.endpoints.admin_user import delete_user, get_user_as_admin, put_user_as_admin
from api.auth.endpoints.admin_users import create_user, list_users
from api.auth.endpoints.authorize import authorize, authorize_link
from api.auth.endpoints.callback import callback
from api.auth.endpoints.custom_providers import (
    create_provider,
    delete_provider,
    get_provider,
    list_providers,
    put_provider,
)
from api.auth.endpoints.factor_challenge import challenge, verify
from api.auth.endpoints.factors import enroll, unenroll
from api.auth.endpoints.generate_link import generate_link
from api.auth.endpoints.identity import unlink_identity
from api.auth.endpoints.invite import invite
from api.auth.endpoints.jwks import jwks, oauth_authorization_server, openid_configuration
from api.auth.endpoints.logout import logout
from api.auth.endpoints.magiclink import magiclink
from api.auth.endpoints.oauth_authorize import oauth_authorize
from api.auth.endpoints.oauth_clients import (
    create_client,
    delete_client,
    get_client,
    list_clients,
    put_client,
    regenerate_secret,
    register_client,
)
from api.auth.endpoints.oauth_consent import decide, get_authorization
from api.auth.endpoints.oauth_grants import list_grants, oauth_userinfo, revoke_grant
from api.auth.endpoints.oauth_token import oauth_token
from api.auth.endpoints.otp import otp
from api.auth.endpoints.passkey_registration import registration_options, verify_registration
from api.auth.endpoints.passkey_sign_in import authentication_options, verify_authentication
from api.auth.endpoints.passkeys import (
    delete_passkey,
    delete_passkey_as_admin,
    list_passkeys,
    list_passkeys_as_admin,
    update_passkey,
)
from api.auth.endpoints.reauthenticate import reauthenticate
from api.auth.endpoints.recover import recover
from api.auth.endpoints.resend import resend
from api.auth.endpoints.saml_acs import saml_acs
from api.auth.endpoints.settings import health, settings
from api.auth.endpoints.signup import signup
from api.auth.endpoints.sso import saml_metadata, single_sign_on
from api.auth.endpoints.sso_providers import (
    create_sso_provider,
    delete_sso_provider,
    get_sso_provider,
    list_sso_providers,
    put_sso_provider,
)
from api.auth.endpoints.token import token
from api.auth.endpoints.user import get_user, put_user
from api.auth.endpoints.verify import verify_link, verify_posted

Endpoint = Callable[[Call], Awaitable[Answer]]

ENDPOINTS: tuple[tuple[str, str, Endpoint], ...] = (
    ("GET", "/health", health),
    ("GET", "/settings", settings),
    ("GET", "/.well-known/jwks.json", jwks),
    ("GET", "/.well-known/openid-configuration", openid_configuration),
    ("POST", "/signup", signup),
    ("POST", "/token", token),
    ("GET", "/verify", verify_link),
    ("POST", "/verify", verify_posted),
    ("POST", "/recover", recover),
    ("POST", "/resend", resend),
    ("POST", "/otp", otp),
    ("POST", "/magiclink", magiclink),
    ("GET", "/reauthenticate", reauthenticate),
    ("GET", "/user", get_user),
    ("PUT", "/user", put_user),
    ("POST", "/logout", logout),
    ("GET", "/admin/users", list_users),
    ("POST", "/admin/users", create_user),
    ("GET", "/admin/users/{id}", get_user_as_admin),
    ("PUT", "/admin/users/{id}", put_user_as_admin),
    ("DELETE", "/admin/users/{id}", delete_user),
    ("GET", "/admin/users/{id}/factors", list_factors),
    ("PUT", "/admin/users/{id}/factors/{factor}", update_factor),
    ("DELETE", "/admin/users/{id}/factors/{factor}", delete_factor),
    ("GET", "/admin/users/{id}/passkeys", list_passkeys_as_admin),
    ("DELETE", "/admin/users/{id}/passkeys/{passkey}", delete_passkey_as_admin),
    ("POST", "/invite", invite),
    ("GET", "/admin/audit", list_audit_log),
    ("POST", "/admin/generate_link", generate_link),
    ("GET", "/user/identities/authorize", authorize_link),
    ("DELETE", "/user/identities/{id}", unlink_identity),
    ("GET", "/authorize", authorize),
    ("GET", "/callback", callback),
    ("POST", "/callback", callback),
    ("POST", "/sso", single_sign_on),
    ("GET", "/sso/saml/metadata", saml_metadata),
    ("POST", "/sso/saml/acs", saml_acs),
    ("GET", "/admin/sso/providers", list_sso_providers),
    ("POST", "/admin/sso/providers", create_sso_provider),
    ("GET", "/admin/sso/providers/{id}", get_sso_provider),
    ("PUT", "/admin/sso/providers/{id}", put_sso_provider),
    ("DELETE", "/admin/sso/providers/{id}", delete_sso_provider),
    ("GET", "/admin/custom-providers", list_providers),
    ("POST", "/admin/custom-providers", create_provider),
    ("GET", "/admin/custom-providers/{id}", get_provider),
    ("PUT", "/admin/custom-providers/{id}", put_provider),
    ("DELETE", "/admin/custom-providers/{id}", delete_provider),
    ("GET", "/admin/oauth/clients", list_clients),
    ("POST", "/admin/oauth/clients", create_client),
    ("GET", "/admin/oauth/clients/{id}", get_client),
    ("PUT", "/admin/oauth/clients/{id}", put_client),
    ("DELETE", "/admin/oauth/clients/{id}", delete_client),
    ("POST", "/admin/oauth/clients/{id}/regenerate_secret", regenerate_secret),
    ("POST", "/oauth/clients/register", register_client),
    ("GET", "/oauth/authorize", oauth_authorize),
    ("GET", "/oauth/authorizations/{id}", get_authorization),
    ("POST", "/oauth/authorizations/{id}/consent", decide),
    ("POST", "/oauth/token", oauth_token),
    ("GET", "/oauth/userinfo", oauth_userinfo),
    ("GET", "/user/oauth/grants", list_grants),
    ("DELETE", "/user/oauth/grants", revoke_grant),
    ("GET", "/.well-known/oauth-authorization-server", oauth_authorization_server),
    ("POST", "/factors", enroll),
    ("DELETE", "/factors/{id}", unenroll),
    ("POST", "/factors/{id}/challenge", challenge),
    ("POST", "/factors/{id}/verify", verify),
    ("POST", "/passkeys/registration/options", registration_options),
    ("POST", "/passkeys/registration/verify", verify_registration),
    ("POST", "/passkeys/authentication/options", authentication_options),
    ("POST", "/passkeys/authentication/verify", verify_authentication),
    ("GET", "/passkeys", list_passkeys),
    ("PATCH", "/passkeys/{passkey}", update_passkey),
    ("DELETE", "/passkeys/{passkey}", delete_passkey),
)

# these answer while every connection is taken
WITHOUT_DATABASE = frozenset({health, settings, jwks, openid_configuration, oauth_authorization_server})
