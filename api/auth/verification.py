"""Redeeming one-time tokens: which account a token belongs to, and what its use changes."""

from __future__ import annotations

import hmac
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from api.auth import identities, one_time_tokens, users
from api.auth.call import Call
from api.auth.errors import AuthError
from api.auth.notifications import News, tell
from api.auth.one_time_tokens import PKCE_PREFIX, token_hash
from api.auth.registration import confirm_email
from api.auth.users import User

FIRST_HALF = "Confirmation link accepted. Please proceed to confirm link sent to the other email"
_CONFIRMATION, _RECOVERY = ("confirmation_token", "confirmation_sent_at"), ("recovery_token", "recovery_sent_at")
_NEW = ("email_change_token_new", "email_change_sent_at")
_CURRENT = ("email_change_token_current", "email_change_sent_at")

# link type → the columns its token may be in, each with the time it was sent
COLUMNS = {
    "signup": (_CONFIRMATION,),
    "invite": (_CONFIRMATION,),
    "magiclink": (_RECOVERY,),
    "recovery": (_RECOVERY,),
    "email_change": (_NEW, _CURRENT),
    "email": (_CONFIRMATION, _RECOVERY),
}


@dataclass(frozen=True)
class Redeemed:
    """A token that fits: whose it is, in which column it stood, and the type it turned out to be."""

    user: User
    column: str
    type: str


async def find_by_hash(call: Call, link_type: str, hashed: str) -> Redeemed:
    """The token of a mail link."""
    refusal = AuthError(403, "otp_expired", "Email link is invalid or has expired")
    columns = COLUMNS[link_type]
    owner = await one_time_tokens.owner(call.db, hashed, tuple(column for column, _ in columns))
    user = await users.find(call.db, owner) if owner else None
    if user is None:
        raise refusal
    return _redeem(call, user, link_type, (hashed,), refusal)


async def find_by_code(call: Call, link_type: str, email: str, code: str) -> Redeemed:
    """The token a person typed in, with the address it was sent to."""
    refusal = AuthError(403, "otp_expired", "Token has expired or is invalid")
    find = users.find_by_email_change if link_type == "email_change" else users.find_by_email
    user = await find(call.db, email, call.audience)
    if user is None:
        raise refusal
    hashed = token_hash(email, code)
    return _redeem(call, user, link_type, (hashed, PKCE_PREFIX + hashed), refusal)


def _redeem(call: Call, user: User, link_type: str, hashes: tuple[str, ...], refusal: AuthError) -> Redeemed:
    if user.is_banned(call.now):
        raise AuthError(403, "user_banned", "User is banned")
    for column, sent_column in COLUMNS[link_type]:
        stored, sent_at = getattr(user, column) or "", getattr(user, sent_column)
        if any(hmac.compare_digest(stored, hashed) for hashed in hashes) and _is_fresh(call, sent_at):
            found = {"confirmation_token": "signup", "recovery_token": "magiclink"}
            return Redeemed(user, column, found[column] if link_type == "email" else link_type)
    raise refusal


def _is_fresh(call: Call, sent_at: datetime | None) -> bool:
    return sent_at is not None and call.now <= sent_at + timedelta(seconds=call.settings.mailer_otp_exp)


async def use(call: Call, token: Redeemed) -> User | None:
    """Do what the token is for; None after the first half of a change that both mailboxes must confirm."""
    user = token.user
    if token.type == "email_change":
        return await _change_email(call, token)
    values = {}
    if token.type == "invite" and not user.encrypted_password:
        values["encrypted_password"] = await call.unguessable_password()
    if user.email_confirmed_at is None:
        await call.record(user, "user_signedup", provider="email")
    else:
        await call.record(user, "login")
    user = await confirm_email(call, user, **values)
    return await identities.recompute_providers(call.db, user, call.now)


async def _change_email(call: Call, token: Redeemed) -> User | None:
    user, settings = token.user, call.settings
    both = settings.mailer_secure_email_change_enabled and not settings.mailer_autoconfirm and bool(user.email)
    if both and not user.email_change_confirm_status:
        await one_time_tokens.forget(call.db, user.id, token.column)
        await users.change(call.db, user, call.now, **{token.column: "", "email_change_confirm_status": 1})
        return None
    return await change_email(call, user)


async def change_email(call: Call, user: User) -> User:
    """The pending address becomes the account's; whoever was anonymous is no more."""
    await call.record(user, "user_modified")
    old_email, new_email = user.email or "", user.email_change or ""
    data = {"email": new_email, "email_verified": True}
    if not await identities.merge_data(call.db, user.id, "email", data, call.now):
        identity = {**data, "phone_verified": False, "sub": str(user.id)}
        await identities.create(call.db, call.backend.entropy.uuid4(), user.id, "email", identity, call.now)
    metadata = {**user.user_metadata, "email": new_email}
    user = await confirm_email(
        call,
        replace(user, raw_user_meta_data=metadata),
        email=new_email,
        email_change="",
        email_change_confirm_status=0,
        is_anonymous=False,
    )
    if old_email and old_email != new_email:
        await tell(call, user, News("email_changed", old_email=old_email), to=old_email)
    return await identities.recompute_providers(call.db, user, call.now)
