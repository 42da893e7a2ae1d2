"""`POST /magiclink` and `POST /otp`: signing in by a mailed link or code."""

from __future__ import annotations

from api.auth import audit, pkce, users
from api.auth.accounts import confirm_email, create_email_user
from api.auth.addresses import normal_email
from api.auth.body import Body
from api.auth.call import Answer, Call
from api.auth.emails import MAGIC_LINK, SIGNUP, send_link
from api.auth.errors import AuthError, invalid

RANDOM_PASSWORD_BYTES = 32


async def magiclink(call: Call) -> Answer:
    """`{}`; an unknown address is signed up, its first mail confirms it."""
    body = call.body("MagicLinkParams")
    if not call.settings.external_email_enabled:
        raise AuthError(422, "email_provider_disabled", "Email logins are disabled")
    if not body.text("email"):
        raise invalid("Password recovery requires an email", 422)
    return await send_magic_link(call, body)


async def otp(call: Call) -> Answer:
    """As magiclink for an address; the user is only made when `create_user` is not false."""
    body = call.body("OtpParams")
    email, phone = body.text("email"), body.text("phone")
    if email and phone:
        raise invalid("Only an email address or phone number should be provided")
    if email and body.text("channel"):
        raise invalid("Channel should only be specified with Phone OTP")
    pkce.read_challenge(body)
    if not email and not phone:
        raise invalid("One of email or phone must be set")
    if phone:
        raise AuthError(400, "phone_provider_disabled", "Unsupported phone provider")
    if not body.flag("create_user", True) and await users.find_by_email(call.db, email, call.audience) is None:
        raise AuthError(422, "otp_disabled", "Signups not allowed for otp")
    if not call.settings.external_email_enabled:
        raise AuthError(422, "email_provider_disabled", "Email logins are disabled")
    return await send_magic_link(call, body)


async def send_magic_link(call: Call, body: Body) -> Answer:
    """Mail a sign-in link, or the confirmation of a new account."""
    email = normal_email(body.text("email"))
    challenge = pkce.read_challenge(body)
    user = await users.find_by_email(call.db, email, call.audience)
    if user is None or not user.email_confirmed:
        if call.settings.disable_signup:
            raise AuthError(422, "signup_disabled", "Signups not allowed for this instance")
        if user is None:
            password = call.services.backend.entropy.bytes(RANDOM_PASSWORD_BYTES).hex()
            hashed = await call.services.passwords.hash(password)
            user = await create_email_user(call, email, hashed, body.mapping("data") or {})
        if not call.settings.mailer_autoconfirm:
            await send_link(call, user, SIGNUP, challenge)
            return Answer(200, {})
        user = await confirm_email(call, user)
    await audit.record(call, "user_recovery_requested", user)
    await send_link(call, user, MAGIC_LINK, challenge)
    return Answer(200, {})
