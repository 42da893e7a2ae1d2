"""Accounts by phone number: what signup and a code to sign in with have in common."""

from __future__ import annotations

from typing import Any

from minato.auth import pending_sign_ups, text_messages, users
from minato.auth.call import Call
from minato.auth.errors import AuthError
from minato.auth.registration import confirm_phone, open_account, taken_over
from minato.auth.users import User


def require_phone_signups(call: Call) -> None:
    """Refuses while nobody may open an account by phone."""
    if call.settings.disable_signup:
        raise AuthError(422, "signup_disabled", "Signups not allowed for this instance")
    if not call.settings.external_phone_enabled:
        raise AuthError(400, "phone_provider_disabled", "Phone signups are disabled")


async def open_by_phone(
    call: Call, existing: User | None, phone: str, hashed: str, data: dict[str, Any], channel: str
) -> User:
    """The account of `phone`, which nobody has confirmed: confirmed here when no code is asked for, else sent one.

    An account that exists already keeps its password until the code is answered: whoever asks has not shown that the
    number is theirs.
    """
    user = existing
    if user is None:
        user = await open_account(call, "phone", phone, data, hashed)
    if call.settings.sms_autoconfirm:
        await call.record(user, "user_signedup", provider="phone", channel=channel)
        user, values = await taken_over(call, user, "phone", hashed, data)
        return await confirm_phone(call, user, **values)
    await call.record(user, "user_confirmation_requested", provider="phone")
    user, _ = await text_messages.send(call, user, text_messages.CONFIRMATION, phone, channel)
    await pending_sign_ups.keep(call, user, user.confirmation_token, hashed, data)
    return user


async def find_by_phone(call: Call, phone: str) -> User | None:
    """The account with the stored number `phone`."""
    return await users.find_by_phone(call.db, phone, call.audience)
