"""GET /settings, /health: what this server offers, and that it is there."""

from __future__ import annotations

from minato.auth.providers.records import RECORDS
from minato.auth.request.context import RequestContext
from minato.auth.request.response import Response

# The GoTrue release whose behaviour this is.
VERSION = "v2.196.0"
DESCRIPTION = "GoTrue is a user registration and authentication API"


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
