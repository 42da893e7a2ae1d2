"""GET /reauthenticate: mails a nonce that a password change may ask for."""

from __future__ import annotations

from api.auth import emails
from api.auth.authentication import require_user
from api.auth.call import Answer, Call
from api.auth.errors import AuthError, invalid, not_implemented


async def reauthenticate(call: Call) -> Answer:
    user = (await require_user(call)).user
    if not user.email and not user.phone:
        raise invalid("Reauthentication requires the user to have an email or a phone number")
    if not user.email:
        raise not_implemented("Text messages")
    if not user.is_confirmed:
        raise AuthError(422, "email_not_confirmed", "Please verify your email first.")
    await call.record(user, "user_reauthenticate_requested")
    await emails.send(call, user, emails.REAUTHENTICATION)
    return Answer({})
