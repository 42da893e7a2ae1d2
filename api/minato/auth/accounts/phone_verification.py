"""Redeeming codes that came by text message: whose they are, and what their use changes."""

from __future__ import annotations

import hmac
from datetime import datetime, timedelta

from minato.auth.accounts import pending_sign_ups
from minato.auth.accounts.pending_sign_ups import PendingSignUp
from minato.auth.accounts.registration import confirm_phone, described_anew
from minato.auth.limits.guesses import require_code_try
from minato.auth.messages.notifications import Notification, notify
from minato.auth.request.context import Transaction
from minato.auth.rows import identities, one_time_tokens, users
from minato.auth.rows.one_time_tokens import token_hash
from minato.auth.rows.users import User
from minato.auth.wire.errors import AuthError, CommittedError


async def redeem(tx: Transaction, link_type: str, phone: str, code: str) -> User:
    """Confirm the number, or its change, that `code` was sent for; `link_type` is sms or phone_change."""
    refusal = CommittedError(403, "otp_expired", "Token has expired or is invalid")
    find = {"sms": users.find_by_phone, "phone_change": users.find_by_phone_change}.get(link_type)
    user = await find(tx.db, phone, tx.audience) if find else None
    column, sent_at = _sent(user, link_type)
    await require_code_try(tx, phone, column, sent_at, refusal)
    if user is None:
        raise refusal
    if user.is_banned(tx.now):
        raise CommittedError(403, "user_banned", "User is banned")
    sign_up = None
    if not _is_test_code(tx, phone, code):
        sign_up = await _take(tx, user, link_type, token_hash(phone, code, tx.backend.sealing_key), refusal)
    elif user.confirmed_at is None:
        sign_up = await pending_sign_ups.find(tx, user.id, (user.confirmation_token or "",))
    if link_type == "phone_change":
        return await change_phone(tx, user, phone)
    return await _confirm(tx, user, sign_up)


async def _confirm(tx: Transaction, user: User, sign_up: PendingSignUp | None) -> User:
    """The number is its owner's; the account gets what the answered sign-up asked for."""
    values: dict[str, object] = {}
    if sign_up is not None:
        values["encrypted_password"] = sign_up.encrypted_password
        user = await described_anew(tx, user, "phone", sign_up.metadata)
        values["raw_user_meta_data"] = user.user_metadata
    await tx.record(user, "user_signedup", provider="phone")
    user = await confirm_phone(tx, user, is_anonymous=False, **values)
    return await identities.recompute_providers(tx.db, user, tx.now)


async def change_phone(tx: Transaction, user: User, phone: str) -> User:
    """The account's number is `phone`, confirmed; its phone identity says so too."""
    await tx.record(user, "user_modified")
    old_phone = user.phone or ""
    data: dict[str, object] = {"phone": phone, "phone_verified": True}
    is_new = not await identities.merge_data(tx.writer, user.id, "phone", data)
    if is_new:
        identity = {"email_verified": False, **data, "sub": str(user.id)}
        await identities.create(tx.writer, user.id, "phone", identity)
    changed = {"phone": phone, "phone_change": "", "is_anonymous": False, "phone_confirmed_at": tx.now}
    user = await confirm_phone(tx, user, **changed)
    if old_phone and old_phone != phone:
        await notify(tx, user, Notification("phone_changed", old_phone=old_phone))
    if is_new:
        await notify(tx, user, Notification("identity_linked", provider="phone"))
    return await identities.recompute_providers(tx.db, user, tx.now)


def _is_test_code(tx: Transaction, phone: str, code: str) -> bool:
    """Whether this is the fixed code of a test number, which is good at any time."""
    test_otp = tx.settings.test_otp(phone, tx.now)
    return test_otp is not None and hmac.compare_digest(test_otp.encode(), code.encode())


def _sent(user: User | None, link_type: str) -> tuple[str, datetime | None]:
    """The column of the code, and when it was sent."""
    is_change = link_type == "phone_change"
    column, when = (
        ("phone_change_token", "phone_change_sent_at") if is_change else ("confirmation_token", "confirmation_sent_at")
    )
    return column, getattr(user, when, None)


async def _take(tx: Transaction, user: User, link_type: str, hashed: str, refusal: AuthError) -> PendingSignUp | None:
    """Use up the code, once: the sign-up it was sent for, if it was sent for one. Refuses what is no live code."""
    column, sent_at = _sent(user, link_type)
    is_newest = hmac.compare_digest(getattr(user, column) or "", hashed)
    sign_up = None
    if link_type == "sms" and user.confirmed_at is None:
        sign_up = await pending_sign_ups.find(tx, user.id, (hashed,))
    sent_at = sent_at if is_newest or sign_up is None else sign_up.created_at
    fresh = sent_at is not None and tx.now <= sent_at + timedelta(seconds=tx.settings.sms_otp_exp)
    if is_newest:
        taken = fresh and await one_time_tokens.take(tx.db, user.id, column, hashed)
    else:
        taken = fresh and sign_up is not None and await pending_sign_ups.take(tx, user.id, hashed)
    if not taken:
        raise refusal
    return sign_up
