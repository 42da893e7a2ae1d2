"""`GET /reauthenticate`: a mailed code that confirms a change of password."""

from __future__ import annotations

from api.auth import audit
from api.auth.call import Answer, Call
from api.auth.emails import send_reauthentication
from api.auth.errors import AuthError, invalid, not_implemented


async def reauthenticate(call: Call) -> Answer:
    """`{}`."""
    user = call.user
    if not user.email and not user.phone:
        raise invalid("Reauthentication requires the user to have an email or a phone number")
    if not user.email:
        raise not_implemented("Reauthentication by phone")
    if not user.email_confirmed:
        raise AuthError(422, "email_not_confirmed", "Please verify your email first.")
    await audit.record(call, "user_reauthenticate_requested", user)
    await send_reauthentication(call, user)
    return Answer(200, {})
