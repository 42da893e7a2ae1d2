"""The password grant: an address and its password for a session."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from minato.auth import users
from minato.auth.call import Answer, Call
from minato.auth.errors import AuthError, WeakPassword, invalid
from minato.auth.hooks.points import judge_password
from minato.auth.password_guesses import require_attempt
from minato.auth.sign_in import answer_session
from minato.auth.users import User
from minato.auth.validation import phone_digits, require_strong


@dataclass
class PasswordGrantParams:
    email: str = ""
    phone: str = ""
    password: str = ""


async def grant_password(call: Call) -> Answer:
    params = call.params(PasswordGrantParams)
    user = await _find(call, params)
    if call.settings.security_tell_banned:
        _require_no_ban(call, user)
    hashed = user.encrypted_password if user else None
    attempt = await require_attempt(call, params.email or params.phone, user.id if user else None)
    right = await call.verify_password(params.password, hashed)
    if right:
        await attempt.forgive()
    if user is not None and hashed:
        await judge_password(call, user.id, right)
    if not right or user is None:
        raise AuthError(400, "invalid_credentials", "Invalid login credentials")
    _require_no_ban(call, user)
    # Only whoever knows the password learns that the address is unconfirmed.
    if params.email and user.email_confirmed_at is None:
        raise AuthError(400, "email_not_confirmed", "Email not confirmed")
    if params.phone and user.phone_confirmed_at is None:
        raise AuthError(400, "phone_not_confirmed", "Phone not confirmed")
    await call.record(user, "login", provider="email" if params.email else "phone")
    return await answer_session(call, user, "password", **_weakness(call, params.password))


def _require_no_ban(call: Call, user: User | None) -> None:
    if user is not None and user.is_banned(call.now):
        raise AuthError(400, "user_banned", "User is banned")


async def _find(call: Call, params: PasswordGrantParams) -> User | None:
    if params.email and params.phone:
        raise invalid("Only an email address or phone number should be provided on login.")
    if params.email:
        if not call.settings.external_email_enabled:
            raise AuthError(422, "email_provider_disabled", "Email logins are disabled")
        return await users.find_by_email(call.db, params.email, call.audience)
    if params.phone:
        if not call.settings.external_phone_enabled:
            raise AuthError(422, "phone_provider_disabled", "Phone logins are disabled")
        return await users.find_by_phone(call.db, phone_digits(params.phone), call.audience)
    raise invalid("missing email or phone")


def _weakness(call: Call, password: str) -> dict[str, Any]:
    """What the password lacks by today's rules."""
    try:
        require_strong(password, call.settings)
    except WeakPassword as weak:
        return {"weak_password": {"message": weak.message, "reasons": weak.reasons}}
    return {}
