"""POST /recover: a mail that lets the owner choose a new password; says nothing about who has an account."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from minato.auth import emails, users
from minato.auth.call import Answer, Call
from minato.auth.discretion import discreetly
from minato.auth.emails import Challenge
from minato.auth.errors import AuthError, invalid
from minato.auth.validation import validate_email, validate_pkce


@dataclass
class RecoverParams:
    email: str = ""
    code_challenge: str = ""
    code_challenge_method: str = ""


async def recover(call: Call) -> Answer:
    params = call.params(RecoverParams)
    if not call.settings.external_email_enabled:
        raise AuthError(400, "email_provider_disabled", "Email logins are disabled")
    if not params.email:
        raise invalid("Password recovery requires an email")
    email = validate_email(params.email)
    validate_pkce(params.code_challenge, params.code_challenge_method)
    challenge = Challenge(params.code_challenge, params.code_challenge_method)
    return await discreetly(call, partial(_send, email=email, challenge=challenge))


async def _send(call: Call, email: str, challenge: Challenge) -> Answer:
    user = await users.find_by_email(call.db, email, call.audience)
    if user is not None:
        await call.record(user, "user_recovery_requested")
        await emails.send(call, user, emails.RECOVERY, challenge)
    return Answer({})
