"""The password grant: an address and its password for a session."""

from __future__ import annotations

from dataclasses import dataclass

from minato.auth.hooks.points import judge_password
from minato.auth.limits.password_guesses import require_attempt
from minato.auth.request.context import ReadTransaction, RequestContext
from minato.auth.request.data import RequestData
from minato.auth.request.response import Response
from minato.auth.rows import users
from minato.auth.rows.users import User
from minato.auth.sessions.sign_in import answer_session
from minato.auth.wire.errors import AuthError, WeakPassword, invalid
from minato.auth.wire.validation import phone_digits, require_strong
from minato.json_text import JsonObject


@dataclass
class PasswordGrantParams:
    email: str = ""
    phone: str = ""
    password: str = ""


async def grant_password(context: RequestContext) -> Response:
    params = context.params(PasswordGrantParams)
    async with context.read() as reading:
        user = await _find(reading, params)
    if context.settings.security_tell_banned:
        _require_no_ban(context, user)
    hashed = user.encrypted_password if user else None
    attempt = await require_attempt(context, params.email or params.phone, user.id if user else None)
    right = await context.verify_password(params.password, hashed)
    if right:
        await attempt.forgive()
    if user is not None and hashed:
        await judge_password(context, user.id, right)
    if not right or user is None:
        raise AuthError(400, "invalid_credentials", "Invalid login credentials")
    _require_no_ban(context, user)
    # Only whoever knows the password learns that the address is unconfirmed.
    if params.email and user.email_confirmed_at is None:
        raise AuthError(400, "email_not_confirmed", "Email not confirmed")
    if params.phone and user.phone_confirmed_at is None:
        raise AuthError(400, "phone_not_confirmed", "Phone not confirmed")
    async with context.transaction() as tx:
        await tx.record(user, "login", provider="email" if params.email else "phone")
        return await answer_session(tx, user, "password", **_weakness(tx, params.password))


def _require_no_ban(data: RequestData, user: User | None) -> None:
    if user is not None and user.is_banned(data.now):
        raise AuthError(400, "user_banned", "User is banned")


async def _find(tx: ReadTransaction, params: PasswordGrantParams) -> User | None:
    if params.email and params.phone:
        raise invalid("Only an email address or phone number should be provided on login.")
    if params.email:
        if not tx.settings.external_email_enabled:
            raise AuthError(422, "email_provider_disabled", "Email logins are disabled")
        return await users.find_by_email(tx.db, params.email, tx.audience)
    if params.phone:
        if not tx.settings.external_phone_enabled:
            raise AuthError(422, "phone_provider_disabled", "Phone logins are disabled")
        return await users.find_by_phone(tx.db, phone_digits(params.phone), tx.audience)
    raise invalid("missing email or phone")


def _weakness(data: RequestData, password: str) -> JsonObject:
    """What the password lacks by today's rules."""
    try:
        require_strong(password, data.settings)
    except WeakPassword as weak:
        return {"weak_password": {"message": weak.message, "reasons": weak.reasons}}
    return {}
