"""What clients may know of the service: `/settings`, `/health` and the public keys."""

from __future__ import annotations

from api.auth.call import Answer, Call

VERSION = "v2.180.0"
PROVIDERS = (
    *("apple", "azure", "bitbucket", "discord", "facebook", "snapchat", "figma", "fly", "github", "gitlab", "google"),
    *("keycloak", "kakao", "linkedin", "linkedin_oidc", "notion", "spotify", "slack", "slack_oidc", "workos"),
    *("twitch", "twitter"),
)
PUBLIC = (("cache-control", "public, max-age=600"),)


async def health(call: Call) -> Answer:
    """Name and version."""
    description = "GoTrue is a user registration and authentication API"
    return Answer(200, {"version": VERSION, "name": "GoTrue", "description": description})


async def settings(call: Call) -> Answer:
    """Which ways to sign in are on."""
    own = call.settings
    external = {
        "anonymous_users": own.external_anonymous_users_enabled,
        **dict.fromkeys(PROVIDERS, False),
        "email": own.external_email_enabled,
        "phone": own.external_phone_enabled,
        "zoom": False,
    }
    return Answer(
        200,
        {
            "external": external,
            "disable_signup": own.disable_signup,
            "mailer_autoconfirm": own.mailer_autoconfirm,
            "phone_autoconfirm": False,
            "sms_provider": "",
            "saml_enabled": False,
            "saml_private_key_next_configured": False,
            "passkeys_enabled": False,
        },
    )


async def jwks(call: Call) -> Answer:
    """The public keys; a shared secret has none."""
    return Answer(200, {"keys": call.services.backend.keys.public_jwks}, PUBLIC)


async def openid_configuration(call: Call) -> Answer:
    """Where a client that knows only the issuer finds the rest."""
    issuer = call.services.issuer
    return Answer(
        200,
        {
            "issuer": issuer,
            "authorization_endpoint": f"{issuer}/oauth/authorize",
            "token_endpoint": f"{issuer}/oauth/token",
            "jwks_uri": f"{issuer}/.well-known/jwks.json",
            "userinfo_endpoint": f"{issuer}/oauth/userinfo",
            "scopes_supported": ["openid", "profile", "email", "phone", "offline_access"],
            "response_types_supported": ["code"],
            "response_modes_supported": ["query"],
            "grant_types_supported": ["authorization_code", "refresh_token"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256", "HS256", "ES256"],
            "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post", "none"],
            "code_challenge_methods_supported": ["S256", "plain"],
        },
        PUBLIC,
    )
