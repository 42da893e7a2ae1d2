"""`POST /resend`: the last mail once more."""

from __future__ import annotations

from api.auth import audit, pkce, users
from api.auth.addresses import normal_email
from api.auth.body import Body
from api.auth.call import Answer, Call
from api.auth.emails import SIGNUP, send_email_change, send_link
from api.auth.errors import AuthError, invalid

TYPES = ("signup", "email_change", "sms", "phone_change")


async def resend(call: Call) -> Answer:
    """`{}`, also when there is nothing to send."""
    body = call.body("ResendConfirmationParams")
    kind = _require_kind(call, body)
    email = normal_email(body.text("email"))
    challenge = pkce.read_challenge(body)
    user = await users.find_by_email(call.db, email, call.audience)
    if user is None:
        return Answer(200, {})
    if kind == "signup" and not user.email_confirmed:
        await audit.record(call, "user_confirmation_requested", user)
        await send_link(call, user, SIGNUP, challenge)
    if kind == "email_change" and user.email_change:
        await send_email_change(call, user, user.email_change, challenge)
    return Answer(200, {})


def _require_kind(call: Call, body: Body) -> str:
    kind, email, phone = body.text("type"), body.text("email"), body.text("phone")
    if kind not in TYPES:
        raise invalid(f"Missing one of these types: {', '.join(TYPES)}")
    if kind == "signup" and not email:
        raise invalid("Type provided requires an email address")
    if kind == "sms" and not phone:
        raise invalid("Type provided requires a phone number")
    if email and phone:
        raise invalid("Only an email address or phone number should be provided.")
    if not email and not phone:
        raise invalid("Missing email address or phone number")
    if phone:
        raise AuthError(400, "phone_provider_disabled", "Phone logins are disabled")
    if not call.settings.external_email_enabled:
        raise AuthError(400, "email_provider_disabled", "Email logins are disabled")
    return kind
