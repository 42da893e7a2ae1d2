"""GET /health, /settings and /.well-known/…: what this server offers, and where clients find its keys."""

from __future__ import annotations

from minato.auth.oauth_server.access import require_oauth_server
from minato.auth.providers.records import RECORDS
from minato.auth.request.context import RequestContext
from minato.auth.request.response import Response

# The GoTrue release whose behaviour this is.
VERSION = "v2.196.0"
DESCRIPTION = "GoTrue is a user registration and authentication API"
CACHED = {"Cache-Control": "public, max-age=600"}
CLAIMS = (
    "sub aud iss exp iat auth_time nonce email email_verified phone_number phone_number_verified name picture "
    "preferred_username updated_at"
)


async def settings(context: RequestContext) -> Response:
    chosen = context.settings
    external = {
        "anonymous_users": chosen.external_anonymous_users_enabled,
        **{record.name: _is_enabled(context, record.name) for record in RECORDS if record.listed},
        "email": chosen.external_email_enabled,
        "phone": chosen.external_phone_enabled,
    }
    # GoTrue tells of it last.
    external["zoom"] = external.pop("zoom")
    return Response(
        {
            "external": external,
            "disable_signup": chosen.disable_signup,
            "mailer_autoconfirm": chosen.mailer_autoconfirm,
            "phone_autoconfirm": chosen.sms_autoconfirm,
            "sms_provider": chosen.sms_provider or "",
            "saml_enabled": chosen.saml_enabled,
            "saml_private_key_next_configured": False,
            "passkeys_enabled": context.settings.passkey_enabled,
        }
    )


def _is_enabled(context: RequestContext, name: str) -> bool:
    chosen = context.settings.external.get(name)
    return chosen is not None and chosen.enabled


async def health(context: RequestContext) -> Response:
    return Response({"version": VERSION, "name": "GoTrue", "description": DESCRIPTION})


async def jwks(context: RequestContext) -> Response:
    keys = [{**key, "use": "sig", "key_ops": ["verify"]} for key in context.backend.keys.public_jwks]
    return Response({"keys": keys}, headers=CACHED)


async def openid_configuration(context: RequestContext) -> Response:
    issuer, settings = context.issuer, context.settings
    open_to_all = settings.oauth_server_enabled and settings.oauth_server_allow_dynamic_registration
    registration = {"registration_endpoint": f"{issuer}/oauth/clients/register"} if open_to_all else {}
    document = {
        "issuer": issuer,
        "authorization_endpoint": f"{issuer}/oauth/authorize",
        "token_endpoint": f"{issuer}/oauth/token",
        "jwks_uri": f"{issuer}/.well-known/jwks.json",
        "userinfo_endpoint": f"{issuer}/oauth/userinfo",
        **registration,
        "scopes_supported": ["openid", "profile", "email", "phone", "offline_access"],
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["RS256", "HS256", "ES256"],
        "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post", "none"],
        "claims_supported": CLAIMS.split(),
        "code_challenge_methods_supported": ["S256", "plain"],
    }
    return Response(document, headers=CACHED)


async def oauth_authorization_server(context: RequestContext) -> Response:
    """RFC 8414 asks for the same document elsewhere."""
    require_oauth_server(context)
    return await openid_configuration(context)
