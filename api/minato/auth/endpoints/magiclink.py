"""POST /magiclink: a sign-in link by mail; an unknown address gets an account first."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from minato.auth.accounts import pending_sign_ups
from minato.auth.accounts.administrator import require_open
from minato.auth.accounts.discretion import discreetly
from minato.auth.accounts.registration import confirm_email, open_account, taken_over
from minato.auth.messages import emails
from minato.auth.messages.emails import Challenge
from minato.auth.request.call import Answer, Call
from minato.auth.rows import users
from minato.auth.wire.body import parse_first
from minato.auth.wire.errors import AuthError, invalid
from minato.auth.wire.validation import validate_email, validate_pkce


@dataclass
class MagicLinkParams:
    email: str = ""
    data: dict[str, object] | None = None
    code_challenge: str = ""
    code_challenge_method: str = ""


async def magiclink(call: Call) -> Answer:
    return await send_magic_link(call, parse_first(MagicLinkParams, call.body, "Could not read verification params: "))


async def send_magic_link(call: Call, params: MagicLinkParams, create_user: bool = True) -> Answer:
    """Always `{}`. Without `create_user` an address that nobody has is left alone."""
    if not call.settings.external_email_enabled:
        raise AuthError(422, "email_provider_disabled", "Email logins are disabled")
    if not call.settings.external_email_magic_link_enabled:
        raise AuthError(422, "email_provider_disabled", "Login with magic link is disabled")
    if not params.email:
        raise invalid("Password recovery requires an email", 422)
    email = validate_email(params.email)
    validate_pkce(params.code_challenge, params.code_challenge_method)
    challenge = Challenge(params.code_challenge, params.code_challenge_method)
    await require_open(call, email)
    return await discreetly(call, partial(_send, params=params, email=email, challenge=challenge, create=create_user))


async def _send(call: Call, params: MagicLinkParams, email: str, challenge: Challenge, create: bool) -> Answer:
    user = await users.find_by_email(call.db, email, call.audience)
    if user is None and not create:
        raise AuthError(422, "otp_disabled", "Signups not allowed for otp")
    if user is None and call.settings.disable_signup:
        raise AuthError(422, "signup_disabled", "Signups not allowed for this instance")
    hashed = await call.unguessable_password() if user is None or not user.is_confirmed else ""
    if user is None:
        user = await open_account(call, "email", email, params.data or {}, hashed)
    if not user.is_confirmed:
        if not call.settings.mailer_autoconfirm:
            await call.record(user, "user_confirmation_requested", provider="email")
            user = await emails.send(call, user, emails.CONFIRMATION, replace(challenge, provider="email"))
            await pending_sign_ups.keep(call, user, user.confirmation_token, hashed, params.data or {})
            return Answer({})
        user, values = await taken_over(call, user, "email", hashed, params.data or {})
        user = await confirm_email(call, user, **values)
    await call.record(user, "user_recovery_requested")
    await emails.send(call, user, emails.MAGIC_LINK, challenge)
    return Answer({})
