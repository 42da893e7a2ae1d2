"""POST /magiclink: a sign-in link by mail; an unknown address gets an account first."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from api.auth import emails, users
from api.auth.body import parse_first
from api.auth.call import Answer, Call
from api.auth.emails import Challenge
from api.auth.errors import AuthError, invalid
from api.auth.registration import confirm_email, open_account
from api.auth.validation import validate_email, validate_pkce


@dataclass
class MagicLinkParams:
    email: str = ""
    data: dict[str, Any] | None = None
    code_challenge: str = ""
    code_challenge_method: str = ""


async def magiclink(call: Call) -> Answer:
    return await send_magic_link(call, parse_first(MagicLinkParams, call.body, "Could not read verification params: "))


async def send_magic_link(call: Call, params: MagicLinkParams) -> Answer:
    """Always `{}`."""
    if not call.settings.external_email_enabled:
        raise AuthError(422, "email_provider_disabled", "Email logins are disabled")
    if not call.settings.external_email_magic_link_enabled:
        raise AuthError(422, "email_provider_disabled", "Login with magic link is disabled")
    if not params.email:
        raise invalid("Password recovery requires an email", 422)
    email = validate_email(params.email)
    validate_pkce(params.code_challenge, params.code_challenge_method)
    challenge = Challenge(params.code_challenge, params.code_challenge_method)
    user = await users.find_by_email(call.db, email, call.audience)
    if user is None:
        if call.settings.disable_signup:
            raise AuthError(422, "signup_disabled", "Signups not allowed for this instance")
        user = await open_account(call, "email", email, params.data or {}, await call.unguessable_password())
    if not user.is_confirmed:
        if not call.settings.mailer_autoconfirm:
            await call.record(user, "user_confirmation_requested", provider="email")
            await emails.send(call, user, emails.CONFIRMATION, replace(challenge, provider="email"))
            return Answer({})
        user = await confirm_email(call, user)
    await call.record(user, "user_recovery_requested")
    await emails.send(call, user, emails.MAGIC_LINK, challenge)
    return Answer({})
