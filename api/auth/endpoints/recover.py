"""`POST /recover`: a mail that lets its reader choose a new password."""

from __future__ import annotations

from api.auth import audit, pkce, users
from api.auth.addresses import normal_email
from api.auth.call import Answer, Call
from api.auth.emails import RECOVERY, send_link
from api.auth.errors import AuthError, invalid


async def recover(call: Call) -> Answer:
    """`{}` whether or not the address is known."""
    body = call.body("RecoverParams")
    if not call.settings.external_email_enabled:
        raise AuthError(400, "email_provider_disabled", "Email logins are disabled")
    if not body.text("email"):
        raise invalid("Password recovery requires an email")
    email = normal_email(body.text("email"))
    challenge = pkce.read_challenge(body)
    user = await users.find_by_email(call.db, email, call.audience)
    if user is not None:
        await audit.record(call, "user_recovery_requested", user)
        await send_link(call, user, RECOVERY, challenge)
    return Answer(200, {})
