"""`grant_type=password`: an address and its password."""

from __future__ import annotations

from api.auth import users
from api.auth.call import Answer, Call
from api.auth.errors import AuthError, invalid
from api.auth.sign_in import open_session

REFUSED = ("invalid_credentials", "Invalid login credentials")


async def password_grant(call: Call) -> Answer:
    """A session. A wrong password and an unknown address are told alike, and take the same time."""
    body = call.body("PasswordGrantParams")
    email, phone = body.text("email"), body.text("phone")
    if email and phone:
        raise invalid("Only an email address or phone number should be provided on login.")
    if phone and not call.settings.external_phone_enabled:
        raise AuthError(422, "phone_provider_disabled", "Phone logins are disabled")
    if not email and not phone:
        raise invalid("missing email or phone")
    if email and not call.settings.external_email_enabled:
        raise AuthError(422, "email_provider_disabled", "Email logins are disabled")
    find = users.find_by_email if email else users.find_by_phone
    user = await find(call.db, email or phone.removeprefix("+"), call.audience)
    if user is not None and user.is_banned(call.now):
        raise AuthError(400, "user_banned", "User is banned")
    matches = await call.services.passwords.verify(body.text("password"), user.encrypted_password if user else None)
    if user is None or not matches:
        raise AuthError(400, *REFUSED)
    if email and not user.email_confirmed:
        raise AuthError(400, "email_not_confirmed", "Email not confirmed")
    if phone and not user.phone_confirmed:
        raise AuthError(400, "phone_not_confirmed", "Phone not confirmed")
    return await open_session(call, user, "password")
