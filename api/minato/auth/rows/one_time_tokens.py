"""One-time tokens: codes sent by mail, kept only as hashes, at most one live per account and kind."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass, field
from datetime import UTC
from uuid import UUID

from sqlalchemy import delete, select
from sqlalchemy.dialects.postgresql import insert as upsert

from minato.auth.rows.tables import Writer, one_time_tokens
from minato.database.wire.transaction import ServiceTransaction

PKCE_PREFIX = "pkce_"


@dataclass(frozen=True, slots=True)
class NewToken:
    """A token to be written: its column of auth.users, where its code goes, and what is stored of it and linked.

    `otp` is the code itself, where it is known; neither it nor the hash, which opens the account too, is ever shown.
    """

    column: str
    address: str
    hashed: str = field(repr=False)
    otp: str = field(default="", repr=False)


def token_hash(address: str, otp: str, secret: str) -> str:
    """What is stored and linked for a code sent to `address`: 56 hex digits, as GoTrue's SHA-224 of both.

    Keyed: whoever knows the address could otherwise try links instead of codes, which no account is charged for.

    >>> token_hash("Anna@example.com", "123456", "s") == token_hash("anna@example.com", "123456", "s")
    True
    """
    return hmac.new(secret.encode(), (address.lower() + otp).encode(), hashlib.sha224).hexdigest()


async def replace(writer: Writer, user_id: UUID, token: NewToken) -> None:
    """Make `token` the account's one live token of its column."""
    moment = writer.now.astimezone(UTC).replace(tzinfo=None)
    row: dict[str, object] = {"id": writer.new_id(), "token_hash": token.hashed, "relates_to": token.address}
    row |= {"created_at": moment, "updated_at": moment}
    statement = upsert(one_time_tokens).values(**row, user_id=user_id, token_type=token.column)
    await writer.db.execute(statement.on_conflict_do_update(index_elements=["user_id", "token_type"], set_=row))


async def owner(db: ServiceTransaction, hashed: str, kinds: tuple[str, ...]) -> UUID | None:
    """Whose token this is, if it is live and of one of `kinds`."""
    same = (one_time_tokens.c.token_hash == hashed) & one_time_tokens.c.token_type.in_(kinds)
    found: UUID | None = (await db.execute(select(one_time_tokens.c.user_id).where(same).limit(1))).scalar()
    return found


async def take(db: ServiceTransaction, user_id: UUID, kind: str, hashed: str) -> bool:
    """Whether this call is the one that uses the token: of several at once, one is."""
    same = (one_time_tokens.c.user_id == user_id) & (one_time_tokens.c.token_type == kind)
    statement = delete(one_time_tokens).where(same, one_time_tokens.c.token_hash == hashed)
    return (await db.execute(statement.returning(one_time_tokens.c.id))).scalar() is not None


async def forget(db: ServiceTransaction, user_id: UUID, kind: str | None = None) -> None:
    """Drop the account's tokens, of one kind or all."""
    statement = delete(one_time_tokens).where(one_time_tokens.c.user_id == user_id)
    db.write(statement.where(one_time_tokens.c.token_type == kind) if kind else statement)
