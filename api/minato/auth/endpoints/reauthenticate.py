"""GET /reauthenticate: sends a nonce that a password change may ask for, by mail or else by text message."""

from __future__ import annotations

from minato.auth.messages import emails, text_messages
from minato.auth.request.context import Transaction
from minato.auth.request.response import Response
from minato.auth.sessions.authentication import require_user
from minato.auth.wire.errors import AuthError, invalid


async def reauthenticate(tx: Transaction) -> Response:
    user = (await require_user(tx)).user
    if not user.email and not user.phone:
        raise invalid("Reauthentication requires the user to have an email or a phone number")
    if user.email and not user.is_confirmed:
        raise AuthError(422, "email_not_confirmed", "Please verify your email first.")
    if not user.email and user.phone_confirmed_at is None:
        raise AuthError(422, "phone_not_confirmed", "Please verify your phone first.")
    await tx.record(user, "user_reauthenticate_requested")
    if user.email:
        await emails.send(tx, user, emails.REAUTHENTICATION)
        return Response({})
    _, message_id = await text_messages.send(tx, user, text_messages.REAUTHENTICATION, user.phone or "")
    return Response(text_messages.message_body(message_id))
