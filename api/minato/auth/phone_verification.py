"""Redeeming codes that came by text message: whose they are, and what their use changes."""

from __future__ import annotations

import hmac
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import RowMapping

from minato.auth import identities, one_time_tokens, pending_sign_ups, users
from minato.auth.call import Call
from minato.auth.errors import AuthError, CommittedError
from minato.auth.guesses import require_code_try
from minato.auth.notifications import News, tell
from minato.auth.one_time_tokens import token_hash
from minato.auth.registration import confirm_phone, described_anew
from minato.auth.users import User


async def redeem(call: Call, link_type: str, phone: str, code: str) -> User:
    """Confirm the number, or its change, that `code` was sent for; `link_type` is sms or phone_change."""
    refusal = CommittedError(403, "otp_expired", "Token has expired or is invalid")
    find = {"sms": users.find_by_phone, "phone_change": users.find_by_phone_change}.get(link_type)
    user = await find(call.db, phone, call.audience) if find else None
    column, sent_at = _sent(user, link_type)
    await require_code_try(call, phone, column, sent_at, refusal)
    if user is None:
        raise refusal
    if user.is_banned(call.now):
        raise CommittedError(403, "user_banned", "User is banned")
    sign_up = None
    if not _is_test_code(call, phone, code):
        sign_up = await _take(call, user, link_type, token_hash(phone, code, call.backend.sealing_key), refusal)
    elif user.confirmed_at is None:
        sign_up = await pending_sign_ups.find(call, user.id, (user.confirmation_token or "",))
    if link_type == "phone_change":
        return await change_phone(call, user, phone)
    return await _confirm(call, user, sign_up)


async def _confirm(call: Call, user: User, sign_up: RowMapping | None) -> User:
    """The number is its owner's; the account gets what the answered sign-up asked for."""
    values: dict[str, Any] = {}
    if sign_up is not None:
        values["encrypted_password"] = sign_up["encrypted_password"]
        user = await described_anew(call, user, "phone", sign_up["metadata"])
    await call.record(user, "user_signedup", provider="phone")
    user = await confirm_phone(call, user, is_anonymous=False, **values)
    return await identities.recompute_providers(call.db, user, call.now)


async def change_phone(call: Call, user: User, phone: str) -> User:
    """The account's number is `phone`, confirmed; its phone identity says so too."""
    await call.record(user, "user_modified")
    old_phone = user.phone or ""
    data: dict[str, Any] = {"phone": phone, "phone_verified": True}
    is_new = not await identities.merge_data(call.db, user.id, "phone", data, call.now)
    if is_new:
        identity = {"email_verified": False, **data, "sub": str(user.id)}
        await identities.create(call.db, call.backend.entropy.uuid4(), user.id, "phone", identity, call.now)
    changed = {"phone": phone, "phone_change": "", "is_anonymous": False, "phone_confirmed_at": call.now}
    user = await confirm_phone(call, user, **changed)
    if old_phone != phone:
        await tell(call, user, News("phone_changed", old_phone=old_phone))
    if is_new:
        await tell(call, user, News("identity_linked", provider="phone"))
    return await identities.recompute_providers(call.db, user, call.now)


def _is_test_code(call: Call, phone: str, code: str) -> bool:
    """Whether this is the fixed code of a test number, which is good at any time."""
    test_otp = call.settings.test_otp(phone, call.now)
    return test_otp is not None and hmac.compare_digest(test_otp.encode(), code.encode())


def _sent(user: User | None, link_type: str) -> tuple[str, datetime | None]:
    """The column of the code, and when it was sent."""
    is_change = link_type == "phone_change"
    column, when = (
        ("phone_change_token", "phone_change_sent_at") if is_change else ("confirmation_token", "confirmation_sent_at")
    )
    return column, getattr(user, when, None)


async def _take(call: Call, user: User, link_type: str, hashed: str, refusal: AuthError) -> RowMapping | None:
    """Use up the code, once: the sign-up it was sent for, if it was sent for one. Refuses what is no live code."""
    column, sent_at = _sent(user, link_type)
    is_newest = hmac.compare_digest(getattr(user, column) or "", hashed)
    sign_up = None
    if link_type == "sms" and user.confirmed_at is None:
        sign_up = await pending_sign_ups.find(call, user.id, (hashed,))
    sent_at = sent_at if is_newest or sign_up is None else sign_up["created_at"]
    fresh = sent_at is not None and call.now <= sent_at + timedelta(seconds=call.settings.sms_otp_exp)
    if is_newest:
        taken = fresh and await one_time_tokens.take(call.db, user.id, column, hashed)
    else:
        taken = fresh and sign_up is not None and await pending_sign_ups.take(call, user.id, hashed)
    if not taken:
        raise refusal
    return sign_up
