"""Redeeming one-time tokens: which account a token belongs to, and what its use changes."""

from __future__ import annotations

import hmac
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from minato.auth.accounts import pending_sign_ups
from minato.auth.accounts.pending_sign_ups import PendingSignUp
from minato.auth.accounts.registration import confirm_email, described_anew
from minato.auth.limits.guesses import count_code
from minato.auth.messages.notifications import Notification, notify
from minato.auth.request.context import Transaction
from minato.auth.request.data import RequestData
from minato.auth.rows import identities, one_time_tokens, users
from minato.auth.rows.one_time_tokens import PKCE_PREFIX, token_hash
from minato.auth.rows.users import NO_MAILS, User
from minato.auth.wire.errors import AuthError, CommittedError

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

SIGN_UPS = frozenset({"signup", "email"})


@dataclass(frozen=True)
class Redeemed:
    """A token that fits: whose it is, in which column it stood, and the type it turned out to be.

    `sign_up` is what its mail was sent for; `is_earlier` says that a later mail took its place in the column.
    """

    user: User
    column: str
    type: str
    hashed: str = field(repr=False)
    sign_up: PendingSignUp | None = None
    is_earlier: bool = False


async def find_by_hash(tx: Transaction, link_type: str, hashed: str) -> Redeemed:
    """The token of a mail link."""
    refusal = expired("Email link is invalid or has expired")
    columns = COLUMNS[link_type]
    owner = await one_time_tokens.owner(tx.db, hashed, tuple(column for column, _ in columns))
    if owner is None and link_type in SIGN_UPS:
        owner = await pending_sign_ups.owner(tx, hashed)
    user = await users.find(tx.db, owner) if owner else None
    if user is None:
        raise refusal
    return await _redeem(tx, user, link_type, (hashed,), refusal)


async def find_by_code(tx: Transaction, link_type: str, email: str, code: str) -> Redeemed:
    """The token a person typed in, with the address it was sent to."""
    refusal = expired("Token has expired or is invalid")
    find = users.find_by_email_change if link_type == "email_change" else users.find_by_email
    user = await find(tx.db, email, tx.audience)
    sent = {column: getattr(user, sent_column, None) for column, sent_column in COLUMNS[link_type]}
    open_columns = await count_code(tx, email, sent)
    if user is None:
        raise refusal
    hashed = token_hash(email, code, tx.backend.sealing_key)
    return await _redeem(tx, user, link_type, (hashed, PKCE_PREFIX + hashed), refusal, open_columns)


def expired(message: str) -> CommittedError:
    """The refusal of a token that is wrong, used or too old; the try stays counted."""
    return CommittedError(403, "otp_expired", message)


async def _redeem(
    tx: Transaction,
    user: User,
    link_type: str,
    hashes: tuple[str, ...],
    refusal: AuthError,
    columns: Collection[str] | None = None,
) -> Redeemed:
    """Of `columns` if they are given: codes that were guessed at too often are void, their links are not."""
    if user.is_banned(tx.now):
        raise CommittedError(403, "user_banned", "User is banned")
    sign_up = None if user.confirmed_at else await pending_sign_ups.find(tx, user.id, hashes)
    allowed = {column for column, _ in COLUMNS[link_type]} if columns is None else columns
    for column, sent_column in COLUMNS[link_type]:
        if column not in allowed:
            continue
        stored, sent_at = getattr(user, column) or "", getattr(user, sent_column)
        if any(hmac.compare_digest(stored, hashed) for hashed in hashes) and _is_fresh(tx, sent_at):
            found = {"confirmation_token": "signup", "recovery_token": "magiclink"}
            kind = found[column] if link_type == "email" else link_type
            return Redeemed(user, column, kind, stored, sign_up)
    waits = sign_up is not None and link_type in SIGN_UPS and "confirmation_token" in allowed
    if sign_up is not None and waits and _is_fresh(tx, sign_up.created_at):
        return Redeemed(user, "confirmation_token", "signup", sign_up.token_hash, sign_up, is_earlier=True)
    raise refusal


def _is_fresh(data: RequestData, sent_at: datetime | None) -> bool:
    return sent_at is not None and data.now <= sent_at + timedelta(seconds=data.settings.mailer_otp_exp)


async def use(tx: Transaction, token: Redeemed, unguessable: str) -> User | None:
    """Do what the token is for; None after the first half of a change that both mailboxes must confirm.

    `unguessable` is the hash of a password nobody knows, for accounts that come out without one.
    """
    user = token.user
    if token.type == "email_change":
        return await _change_email(tx, token)
    values = _password(tx, token, unguessable)
    await take(tx, token)
    if token.sign_up is not None:
        user = await described_anew(tx, user, "email", token.sign_up.metadata)
    if user.email_confirmed_at is None:
        await tx.record(user, "user_signedup", provider="email")
    else:
        await tx.record(user, "login")
    user = await confirm_email(tx, user, **values)
    return await identities.recompute_providers(tx.db, user, tx.now)


def _password(data: RequestData, token: Redeemed, unguessable: str) -> dict[str, object]:
    """The columns of the password that a confirmation leaves: that of the sign-up its mail was sent for, else none.

    A mail that belongs to no sign-up we know of confirms the account as it stands, but for a recovery.
    """
    user = token.user
    if token.sign_up is not None:
        return {"encrypted_password": token.sign_up.encrypted_password}
    if token.type == "invite" and not user.encrypted_password:
        return {**NO_MAILS, "encrypted_password": unguessable}
    strange = token.column == "recovery_token" and user.confirmed_at is None and bool(user.encrypted_password)
    if strange and not data.settings.security_keep_first_sign_up:
        return {"encrypted_password": unguessable}
    return {}


async def take(tx: Transaction, token: Redeemed) -> None:
    """Use up the token; refuses all but one of those who come with it at once."""
    if token.is_earlier:
        taken = await pending_sign_ups.take(tx, token.user.id, token.hashed)
    else:
        taken = await one_time_tokens.take(tx.db, token.user.id, token.column, token.hashed)
    if not taken:
        raise expired("Token has expired or is invalid")


async def _change_email(tx: Transaction, token: Redeemed) -> User | None:
    await take(tx, token)
    user, settings = await users.lock(tx.db, token.user), tx.settings
    both = settings.mailer_secure_email_change_enabled and not settings.mailer_autoconfirm and bool(user.email)
    if both and not user.email_change_confirm_status:
        await users.change(tx.db, user, tx.now, **{token.column: "", "email_change_confirm_status": 1})
        return None
    return await change_email(tx, user)


async def change_email(tx: Transaction, user: User) -> User:
    """The pending address becomes the account's; whoever was anonymous is no more."""
    await tx.record(user, "user_modified")
    old_email, new_email = user.email or "", user.email_change or ""
    data = {"email": new_email, "email_verified": True}
    if not await identities.merge_data(tx.writer, user.id, "email", data):
        identity = {**data, "phone_verified": False, "sub": str(user.id)}
        await identities.create(tx.writer, user.id, "email", identity)
    metadata = {**user.user_metadata, **({"email": new_email} if "email" in user.user_metadata else {})}
    user = await confirm_email(
        tx,
        replace(user, raw_user_meta_data=metadata),
        email=new_email,
        email_change="",
        email_change_confirm_status=0,
        is_anonymous=False,
    )
    if old_email and old_email != new_email:
        await notify(tx, user, Notification("email_changed", old_email=old_email), to=old_email)
    return await identities.recompute_providers(tx.db, user, tx.now)
