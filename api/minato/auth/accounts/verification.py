"""Redeeming one-time tokens: which account a token belongs to, and what its use changes."""

from __future__ import annotations

import hmac
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from minato.auth.accounts import pending_sign_ups
from minato.auth.accounts.pending_sign_ups import PendingSignUp
from minato.auth.accounts.registration import confirm_email, described_anew
from minato.auth.limits.guesses import count_codes, open_columns
from minato.auth.messages.notifications import Notification, notify
from minato.auth.request.context import Transaction
from minato.auth.request.data import RequestData
from minato.auth.rows import identities, one_time_tokens, users
from minato.auth.rows.identities import Identity
from minato.auth.rows.one_time_tokens import PKCE_PREFIX, token_hash
from minato.auth.rows.reading import only
from minato.auth.rows.users import NO_MAILS, User
from minato.auth.wire.errors import AuthError, CommittedError
from minato.database.wire.messages import Row
from minato.database.wire.session import Command

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

# what a token of the type "email" turns out to be
_KINDS = {"confirmation_token": "signup", "recovery_token": "magiclink"}
SIGN_UPS = frozenset({"signup", "email"})


@dataclass(frozen=True)
class Redeemed:
    """A token that fits: whose it is, in which column it stood, and the type it turned out to be.

    `sign_up` is what its mail was sent for; `is_earlier` says that a later mail took its place in the column.
    """

    user: User
    column: str
    type: str
    identities: list[Identity]
    hashed: str = field(repr=False)
    sign_up: PendingSignUp | None = None
    is_earlier: bool = False


@dataclass(frozen=True)
class _Found:
    """What a token was looked up with. `tokens` and `waiting` are locked: of several who come with one token at once,
    one finds it, and the others find what that one left."""

    user: User | None
    tokens: set[tuple[str, str]] = field(repr=False)
    waiting: list[PendingSignUp]
    identities: list[Identity]


async def find_by_hash(tx: Transaction, link_type: str, hashed: str) -> Redeemed:
    """The token of a mail link."""
    refusal = expired("Email link is invalid or has expired")
    kinds = _columns(link_type)
    owner = f"coalesce({one_time_tokens.owner('$1', kinds)}, {pending_sign_ups.OWNER})"
    found = _read_found(await tx.db.ask(*_asked([hashed], owner, kinds, (hashed,))))
    waits = link_type in SIGN_UPS and pending_sign_ups.fresh(tx, found.waiting) is not None
    if found.user is None or not (found.tokens or waits):
        raise refusal
    return _redeem(tx, found.user, found, link_type, (hashed,), refusal)


async def find_by_code(tx: Transaction, link_type: str, email: str, code: str) -> Redeemed:
    """The token a person typed in, with the address it was sent to."""
    refusal = expired("Token has expired or is invalid")
    key = [email, tx.audience]
    owner = users.WITH_EMAIL_CHANGE if link_type == "email_change" else users.WITH_EMAIL
    hashed = token_hash(email, code, tx.backend.sealing_key)
    hashes = (hashed, PKCE_PREFIX + hashed)
    count = count_codes(tx, key, owner, COLUMNS[link_type])
    *counted, tokens, waiting, user, owned = await tx.db.ask(*count, *_asked(key, owner, _columns(link_type), hashes))
    found = _read_found((tokens, waiting, user, owned))
    if found.user is None:
        raise refusal
    return _redeem(tx, found.user, found, link_type, hashes, refusal, _open(tx, link_type, counted))


def _open(tx: Transaction, link_type: str, counted: Sequence[list[Row]]) -> Collection[str]:
    """The columns whose code was not guessed at too often; all where nobody counts."""
    return open_columns(tx, counted[0]) if counted else _columns(link_type)


def _columns(link_type: str) -> tuple[str, ...]:
    return tuple(column for column, _ in COLUMNS[link_type])


def _asked(key: Sequence[str], owner: str, kinds: Sequence[str], hashes: Sequence[str]) -> list[Command]:
    """What is known of the account that SQL finds by `key`, and of these tokens, which are locked first."""
    return [
        one_time_tokens.held(key, hashes, kinds, owner),
        pending_sign_ups.held(key, hashes, owner),
        users.by_key(key, owner),
        identities.by_key(key, owner),
    ]


def _read_found(results: Sequence[list[Row]]) -> _Found:
    tokens, waiting, owners, owned = results
    return _Found(
        only(users.read_users(owners)),
        one_time_tokens.read_held(tokens),
        pending_sign_ups.read_pending(waiting),
        identities.read_identities(owned),
    )


def expired(message: str) -> CommittedError:
    """The refusal of a token that is wrong, used or too old; the try stays counted."""
    return CommittedError(403, "otp_expired", message)


def _redeem(
    tx: Transaction,
    user: User,
    found: _Found,
    link_type: str,
    hashes: tuple[str, ...],
    refusal: AuthError,
    columns: Collection[str] | None = None,
) -> Redeemed:
    """Of `columns` if they are given: codes that were guessed at too often are void, their links are not."""
    if user.is_banned(tx.now):
        raise CommittedError(403, "user_banned", "User is banned")
    sign_up = None if user.confirmed_at else pending_sign_ups.fresh(tx, found.waiting)
    allowed = _columns(link_type) if columns is None else columns
    for column, sent_column in COLUMNS[link_type]:
        if column not in allowed:
            continue
        stored, sent_at = getattr(user, column) or "", getattr(user, sent_column)
        if any(hmac.compare_digest(stored, hashed) for hashed in hashes) and _is_fresh(tx, sent_at):
            if (column, stored) not in found.tokens:
                raise expired("Token has expired or is invalid")
            kind = _KINDS[column] if link_type == "email" else link_type
            return Redeemed(user, column, kind, found.identities, stored, sign_up)
    waits = sign_up is not None and link_type in SIGN_UPS and "confirmation_token" in allowed
    if sign_up is not None and waits and _is_fresh(tx, sign_up.created_at):
        hashed = sign_up.token_hash
        return Redeemed(user, "confirmation_token", "signup", found.identities, hashed, sign_up, is_earlier=True)
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
    _take(tx, token)
    if token.sign_up is not None:
        user = await described_anew(tx, user, "email", token.sign_up.metadata)
        values["raw_user_meta_data"] = user.user_metadata
    if user.email_confirmed_at is None:
        await tx.record(user, "user_signedup", provider="email")
    else:
        await tx.record(user, "login")
    user = await confirm_email(tx, user, **values)
    return identities.write_providers(tx.db, user, tx.now, token.identities)


def _password(data: RequestData, token: Redeemed, unguessable: str) -> dict[str, object]:
    """The columns of the password that a confirmation leaves: that of the sign-up its mail was sent for, else none.

    A mail that belongs to no sign-up we know of confirms the account as it stands, but for a recovery.
    """
    user = token.user
    if token.sign_up is not None:
        return {"encrypted_password": token.sign_up.encrypted_password}
    invited = token.type == "invite" or (token.type == "signup" and user.invited_at is not None)
    if invited and not user.encrypted_password:
        return {**NO_MAILS, "encrypted_password": unguessable}
    strange = token.column == "recovery_token" and user.confirmed_at is None and bool(user.encrypted_password)
    if strange and not data.settings.security_keep_first_sign_up:
        return {"encrypted_password": unguessable}
    return {}


def _take(tx: Transaction, token: Redeemed) -> None:
    """Use up the token, which this transaction holds."""
    if token.is_earlier:
        pending_sign_ups.use_up(tx, token.user.id, token.hashed)
    else:
        one_time_tokens.forget(tx.db, token.user.id, token.column)


async def _change_email(tx: Transaction, token: Redeemed) -> User | None:
    _take(tx, token)
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
        user,
        raw_user_meta_data=metadata,
        email=new_email,
        email_change="",
        email_change_confirm_status=0,
        is_anonymous=False,
    )
    if old_email and old_email != new_email:
        await notify(tx, user, Notification("email_changed", old_email=old_email), to=old_email)
    return await identities.recompute_providers(tx.db, user, tx.now)
