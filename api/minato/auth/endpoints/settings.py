"""GET /settings, /health: what this server offers, and that it is there."""

from __future__ import annotations

from minato.auth.call import Answer, Call

PROVIDERS = (
    "apple azure bitbucket discord facebook snapchat figma fly github gitlab google keycloak kakao linkedin "
    "linkedin_oidc notion spotify slack slack_oidc workos twitch twitter"
).split()
# The GoTrue release whose behaviour this is.
VERSION = "v2.196.0"
DESCRIPTION = "GoTrue is a user registration and authentication API"


async def settings(call: Call) -> Answer:
    chosen = call.settings
    external = {
        "anonymous_users": chosen.external_anonymous_users_enabled,
        **{name: name in chosen.external and chosen.external[name].enabled for name in PROVIDERS},
        "email": chosen.external_email_enabled,
        "phone": chosen.external_phone_enabled,
        "zoom": False,
    }
    return Answer(
        {
            "external": external,
            "disable_signup": chosen.disable_signup,
            "mailer_autoconfirm": chosen.mailer_autoconfirm,
            "phone_autoconfirm": chosen.sms_autoconfirm,
            "sms_provider": chosen.sms_provider or "",
            "saml_enabled": chosen.saml_enabled,
            "saml_private_key_next_configured": False,
            "passkeys_enabled": call.settings.passkey_enabled,
        }
    )


async def health(call: Call) -> Answer:
    return Answer({"version": VERSION, "name": "GoTrue", "description": DESCRIPTION})
