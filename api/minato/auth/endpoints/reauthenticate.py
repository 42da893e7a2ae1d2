"""GET /reauthenticate: sends a nonce that a password change may ask for, by mail or else by text message."""

from __future__ import annotations

from minato.auth import emails, text_messages
from minato.auth.authentication import require_user
from minato.auth.call import Answer, Call
from minato.auth.errors import AuthError, invalid


async def reauthenticate(call: Call) -> Answer:
    user = (await require_user(call)).user
    if not user.email and not user.phone:
        raise invalid("Reauthentication requires the user to have an email or a phone number")
    if user.email and not user.is_confirmed:
        raise AuthError(422, "email_not_confirmed", "Please verify your email first.")
    if not user.email and user.phone_confirmed_at is None:
        raise AuthError(422, "phone_not_confirmed", "Please verify your phone first.")
    await call.record(user, "user_reauthenticate_requested")
    if user.email:
        await emails.send(call, user, emails.REAUTHENTICATION)
        return Answer({})
    _, message_id = await text_messages.send(call, user, text_messages.REAUTHENTICATION, user.phone or "")
    return Answer(text_messages.message_body(message_id))
