"""What each sign-up of an unconfirmed account asked for, kept by the token that was sent for it.

Anybody may sign up anybody's address. So password and metadata wait until a mail or text message is answered, and the
account gets those of the very sign-up that this one was sent for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import Column, DateTime, MetaData, Table, Text, delete, insert, select, update
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.dialects.postgresql import UUID as Uuid

from minato.auth.request.context import Transaction
from minato.auth.rows.reading import reader
from minato.auth.rows.users import User
from minato.database.wire.session import Command
from minato.database.wire.values import as_text
from minato.json_text import JsonObject

# SQL that finds whose sign-up waits for the token `$1`.
OWNER = "(select user_id from minato.pending_sign_ups where token_hash = $1)"
# How many sign-ups of one account may wait for their answer.
MOST = 5

pending = Table(
    "pending_sign_ups",
    MetaData(schema="minato"),
    Column("token_hash", Text, primary_key=True),
    Column("user_id", Uuid),
    Column("encrypted_password", Text),
    Column("metadata", JSONB),
    Column("created_at", DateTime(timezone=True)),
)


@dataclass(frozen=True, slots=True)
class PendingSignUp:
    """A row of minato.pending_sign_ups."""

    token_hash: str = field(repr=False)
    user_id: UUID
    encrypted_password: str = field(repr=False)
    metadata: JsonObject
    created_at: datetime


read_pending = reader(PendingSignUp)


async def keep(tx: Transaction, user: User, hashed: str, metadata: JsonObject) -> None:
    """Remember what the sign-up asked for whose message carries the account's token."""
    token_hash = user.confirmation_token
    if tx.settings.security_keep_first_sign_up or not token_hash:
        return
    row = {"token_hash": token_hash, "user_id": user.id, "encrypted_password": hashed, "metadata": metadata}
    newest = select(pending.c.token_hash).where(pending.c.user_id == user.id)
    newest = newest.order_by(pending.c.created_at.desc()).limit(MOST - 1)
    stale = pending.c.token_hash.not_in(newest) | (pending.c.created_at < _oldest(tx))
    if tx.backend.codes.is_fixed(user.email or user.phone or ""):
        # Every message carries this token: what the last one asked for counts.
        stale |= pending.c.token_hash == token_hash
    tx.db.write(delete(pending).where(pending.c.user_id == user.id, stale))
    tx.db.write(insert(pending).values(**row, created_at=tx.now))


async def carry_on(tx: Transaction, user: User) -> None:
    """A message was sent again: its token stands for the one sign-up that waits. Where several do, nobody can tell
    whose it is, and it brings no password."""
    token_hash = user.confirmation_token
    if tx.settings.security_keep_first_sign_up or not token_hash:
        return
    mine = (pending.c.user_id == user.id) & (pending.c.created_at >= _oldest(tx))
    waiting = (await tx.db.execute(select(pending.c.token_hash).where(mine))).all()
    if len(waiting) == 1:
        values = {"token_hash": token_hash, "created_at": tx.now}
        await tx.db.execute(update(pending).where(mine).values(values))
    elif waiting:
        await keep(tx, user, "", {})


async def find(tx: Transaction, user_id: UUID, hashes: tuple[str, ...]) -> PendingSignUp | None:
    """The account's sign-up that waits for one of these tokens."""
    mine = (pending.c.user_id == user_id) & pending.c.token_hash.in_(hashes)
    rows = await tx.db.execute(select(pending).where(mine, pending.c.created_at >= _oldest(tx)).limit(1))
    row = rows.mappings().one_or_none()
    return PendingSignUp(**row) if row else None


def held(key: Sequence[str], hashes: Sequence[str], user: str) -> Command:
    """Asks for the sign-ups that wait for one of these tokens, of the account that SQL finds by `key`; whoever else
    does so waits until this transaction has ended."""
    text = f"""select pg_catalog.to_json(p) from minato.pending_sign_ups p
        where token_hash = any(${len(key) + 1}::text[]) and user_id = {user} for update"""
    return Command(text, [*key, as_text(list(hashes))])


def fresh(tx: Transaction, found: Iterable[PendingSignUp]) -> PendingSignUp | None:
    """The one whose token is still good."""
    return next((one for one in found if one.created_at >= _oldest(tx)), None)


def use_up(tx: Transaction, user_id: UUID, token_hash: str) -> None:
    """The token, which this transaction holds, is good no more."""
    tx.db.write(delete(pending).where(pending.c.user_id == user_id, pending.c.token_hash == token_hash))


async def take(tx: Transaction, user_id: UUID, token_hash: str) -> bool:
    """Whether this call is the one that uses the token."""
    mine = (pending.c.user_id == user_id) & (pending.c.token_hash == token_hash)
    return bool((await tx.db.execute(delete(pending).where(mine))).rowcount)


async def forget(tx: Transaction, user_id: UUID) -> None:
    """Nothing waits any more."""
    tx.db.write(delete(pending).where(pending.c.user_id == user_id))


def _oldest(tx: Transaction) -> datetime:
    return tx.now - timedelta(seconds=max(tx.settings.mailer_otp_exp, tx.settings.sms_otp_exp))
