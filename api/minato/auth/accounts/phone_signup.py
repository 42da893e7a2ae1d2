"""Accounts by phone number: what signup and a code to sign in with have in common."""

from __future__ import annotations

from minato.auth.accounts import pending_sign_ups
from minato.auth.accounts.registration import confirm_phone, taken_over
from minato.auth.messages import text_messages
from minato.auth.request.context import ReadTransaction, Transaction
from minato.auth.request.data import RequestData
from minato.auth.rows import users
from minato.auth.rows.users import User
from minato.auth.wire.errors import AuthError


def require_phone_signups(data: RequestData) -> None:
    """Refuses while nobody may open an account by phone."""
    if data.settings.disable_signup:
        raise AuthError(422, "signup_disabled", "Signups not allowed for this instance")
    if not data.settings.external_phone_enabled:
        raise AuthError(400, "phone_provider_disabled", "Phone signups are disabled")


async def confirm_or_ask(
    tx: Transaction, user: User, phone: str, hashed: str, data: dict[str, object], channel: str
) -> User:
    """The account of `phone`, which nobody has confirmed: confirmed here when no code is asked for, else sent one.

    An account that exists already keeps its password until the code is answered: whoever asks has not shown that the
    number is theirs.
    """
    if tx.settings.sms_autoconfirm:
        await tx.record(user, "user_signedup", provider="phone", channel=channel)
        user, values = await taken_over(tx, user, "phone", hashed, data)
        return await confirm_phone(tx, user, **values)
    await tx.record(user, "user_confirmation_requested", provider="phone")
    user, _ = await text_messages.send(tx, user, text_messages.CONFIRMATION, phone, channel)
    await pending_sign_ups.keep(tx, user, hashed, data)
    return user


async def find_by_phone(tx: ReadTransaction, phone: str) -> User | None:
    """The account with the stored number `phone`."""
    return await users.find_by_phone(tx.db, phone, tx.audience)
