"""Checking a one-time token and doing what it confirms, whichever way it came."""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from datetime import timedelta

from api.auth import one_time_tokens, users
from api.auth.accounts import change_email, confirm_email
from api.auth.call import Call
from api.auth.errors import AuthError, invalid
from api.auth.one_time_tokens import PKCE_PREFIX, clear, token_hash
from api.auth.user import User

# type → the columns its token may stand in
COLUMNS = {
    "signup": ("confirmation_token",),
    "invite": ("confirmation_token",),
    "magiclink": ("recovery_token",),
    "recovery": ("recovery_token",),
    "email": ("confirmation_token", "recovery_token"),
    "email_change": ("email_change_token_new", "email_change_token_current"),
}
SENT_AT = {
    "confirmation_token": "confirmation_sent_at",
    "recovery_token": "recovery_sent_at",
    "email_change_token_new": "email_change_sent_at",
    "email_change_token_current": "email_change_sent_at",
}
BAD_CODE = ("otp_expired", "Token has expired or is invalid")
BAD_LINK = ("otp_expired", "Email link is invalid or has expired")


@dataclass(frozen=True)
class Verified:
    """Done; `user` is as it is now."""

    user: User


@dataclass(frozen=True)
class Half:
    """One of the two addresses of an email change is confirmed, the other not yet."""


async def by_code(call: Call, kind: str, address: str, code: str) -> Verified | Half:
    """Verify a code typed in for an address. Raises 403 otp_expired."""
    columns = _require_kind(kind, "Unsupported verification type")
    user = await users.find_by_email(call.db, address, call.audience)
    if user is None and kind == "email_change":
        user = await users.find_by_column(call.db, "email_change", address)
    if user is None:
        raise AuthError(403, *BAD_CODE)
    expected = token_hash(address, code)
    for column in columns:
        stored: str = getattr(user, column)
        if stored and hmac.compare_digest(stored.removeprefix(PKCE_PREFIX).encode(), expected.encode()):
            return await _accept(call, user, column, AuthError(403, *BAD_CODE))
    raise AuthError(403, *BAD_CODE)


async def by_hash(call: Call, kind: str, hashed: str) -> Verified | Half:
    """Verify the hash of a mailed link. Raises 403 otp_expired."""
    columns = _require_kind(kind, "Invalid email verification type")
    owner = await one_time_tokens.owner(call.db, hashed, *columns)
    user = await users.find_by_id(call.db, owner) if owner is not None else None
    column = next((name for name in columns if user is not None and getattr(user, name) == hashed), None)
    if user is None or column is None:
        raise AuthError(403, *BAD_LINK)
    return await _accept(call, user, column, AuthError(403, *BAD_LINK))


def _require_kind(kind: str, refusal: str) -> tuple[str, ...]:
    columns = COLUMNS.get(kind)
    if columns is None:
        raise invalid(refusal)
    return columns


async def _accept(call: Call, user: User, column: str, expired: AuthError) -> Verified | Half:
    if user.is_banned(call.now):
        raise AuthError(403, "user_banned", "User is banned")
    sent = user.times[SENT_AT[column]]
    if sent is None or call.now > sent + timedelta(seconds=call.settings.mailer_otp_exp):
        raise expired
    if column.startswith("email_change"):
        return await _accept_email_change(call, user, column)
    await clear(call.db, user)
    if not user.email_confirmed:
        user = await confirm_email(call, user)
    return Verified(await users.reload(call.db, user))


async def _accept_email_change(call: Call, user: User, column: str) -> Verified | Half:
    other = "email_change_token_current" if column == "email_change_token_new" else "email_change_token_new"
    if getattr(user, other) and user.email_change_confirm_status == 0:
        await one_time_tokens.clear_kind(call.db, user, column)
        await users.change(call.db, user.id, email_change_confirm_status=1)
        return Half()
    new_email = user.email_change
    await clear(call.db, user)
    if await users.find_by_email(call.db, new_email, user.aud) is not None:
        raise AuthError(422, "email_exists", "A user with this email address has already been registered")
    return Verified(await change_email(call, user, new_email))
