"""How soon an account may be sent the same kind of message again, who may be mailed, and how much leaves in all."""

from __future__ import annotations

import re
from datetime import datetime
from math import ceil
from uuid import UUID

from sqlalchemy import text

from minato.auth.request.context import Transaction
from minato.auth.request.data import RequestData
from minato.auth.rows import users
from minato.auth.rows.reading import only
from minato.auth.rows.users import User
from minato.auth.wire.errors import AuthError
from minato.database.wire.session import Command

DEFAULT_FREQUENCY = 60.0
TOO_MANY_MAILS = "over_email_send_rate_limit"
# Not the row itself: whoever answers a message locks its token first and the account after it.
_TAKE_TURN = text("select pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('minato turn ' || :subject, 0))")
_TAKE_TURN_OF_FOUND = f"""
    select pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('minato turn ' || id::text, 0))
    from (select {users.WITH_EMAIL} as id) as found where id is not null"""
_LABEL = re.compile(r"\+[^@]+@")


async def require_interval(tx: Transaction, user: User, column: str, frequency: float | None, code: str) -> None:
    """Refuses with 429 `code` what comes sooner than `frequency` seconds after the time in the account's `column`.

    Those who ask at the same moment wait for each other, so that the second one meets what the first one wrote.
    """
    if seconds_apart(tx, frequency) == 0:
        return
    if user.id not in tx.opened and user.id not in tx.turns:
        user = await find_in_turn(tx, user.id) or user
    refuse_too_soon(tx, getattr(user, column), frequency, code)


async def find_in_turn(tx: Transaction, user_id: UUID) -> User | None:
    """The account as it is once nobody else has its turn."""
    await take_turn(tx, user_id)
    tx.turns.add(user_id)
    return await users.find(tx.db, user_id)


async def find_by_email_in_turn(tx: Transaction, email: str) -> tuple[User | None, bool]:
    """The account with this address, as `find_in_turn` finds it, and whether it is another audience's: then the address
    is taken, and there is no account."""
    turn = Command(_TAKE_TURN_OF_FOUND, [email.lower(), tx.audience])
    _, found = await tx.db.ask(turn, users.by_any_email(email, tx.audience))
    user = only(users.read_users(found))
    if user is None or user.aud != tx.audience:
        return None, user is not None
    tx.turns.add(user.id)
    return user, False


async def take_turn(tx: Transaction, subject: UUID) -> None:
    """Wait until no other transaction has the turn of this account or factor; it ends with ours."""
    tx.db.write(_TAKE_TURN, {"subject": str(subject)})


def refuse_too_soon(data: RequestData, sent_at: datetime | None, frequency: float | None, code: str) -> None:
    """Refuses with 429 `code` what comes sooner than `frequency` seconds after `sent_at`."""
    apart = seconds_apart(data, frequency)
    passed = (data.now - sent_at).total_seconds() if sent_at else apart
    if passed < apart:
        seconds = ceil(apart - passed)
        message = f"For security purposes, you can only request this after {seconds} seconds."
        raise AuthError(429, code, message, retry_after=seconds)


def seconds_apart(data: RequestData, frequency: float | None) -> float:
    """The setting, or its default: none in development."""
    return (0 if data.backend.development else DEFAULT_FREQUENCY) if frequency is None else frequency


async def require_mail_interval(tx: Transaction, user: User, column: str) -> None:
    """Refuses (429) the same kind of mail too soon after the last one."""
    await require_interval(tx, user, column, tx.settings.smtp_max_frequency, TOO_MANY_MAILS)


def require_mail(data: RequestData, *addresses: str) -> None:
    """Refuses addresses that mail may not go to (400), and one mail more than the whole server may send (429)."""
    allowed = data.settings.authorized_addresses
    for address in addresses:
        # anna+news@ is anna@
        if allowed and address and _LABEL.sub("@", address).lower() not in allowed:
            message = f'Email address "{address}" cannot be used as it is not authorized'
            raise AuthError(400, "email_address_not_authorized", message)
    limited = not data.settings.mailer_autoconfirm
    if data.quotas.forbids_mail or (limited and not data.quotas.allows_mail()):
        raise AuthError(429, TOO_MANY_MAILS, "email rate limit exceeded")
