"""One-time tokens: codes sent by mail, kept only as hashes, at most one live per account and kind."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC
from uuid import UUID

from sqlalchemy import delete
from sqlalchemy.dialects.postgresql import insert as upsert

from minato.auth.rows.tables import Writer, one_time_tokens
from minato.database.wire.messages import Row
from minato.database.wire.session import Command
from minato.database.wire.transaction import ServiceTransaction
from minato.database.wire.values import as_text

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


def replace(writer: Writer, user_id: UUID, token: NewToken) -> None:
    """Make `token` the account's one live token of its column."""
    moment = writer.now.astimezone(UTC).replace(tzinfo=None)
    row: dict[str, object] = {"id": writer.new_id(), "token_hash": token.hashed, "relates_to": token.address}
    row |= {"created_at": moment, "updated_at": moment}
    statement = upsert(one_time_tokens).values(**row, user_id=user_id, token_type=token.column)
    writer.db.write(statement.on_conflict_do_update(index_elements=["user_id", "token_type"], set_=row))


def owner(hashed: str, kinds: Iterable[str]) -> str:
    """SQL that finds whose token `hashed` is, if it is live and of one of `kinds`."""
    same = f"token_hash = {hashed} and token_type in ({_literals(kinds)})"
    return f"(select user_id from auth.one_time_tokens where {same} limit 1)"


def held(key: Sequence[str], hashes: Sequence[str], kinds: Iterable[str], user: str) -> Command:
    """Asks which of these tokens are live, of the account that SQL finds by `key`; whoever else does so waits until
    this transaction has ended."""
    same = f"token_hash = any(${len(key) + 1}::text[]) and token_type in ({_literals(kinds)})"
    text = f"select token_type, token_hash from auth.one_time_tokens where user_id = {user} and {same} for update"
    return Command(text, [*key, as_text(list(hashes))])


def read_held(rows: Iterable[Row]) -> set[tuple[str, str]]:
    """Column and hash of each that is live."""
    return {(kind.decode(), hashed.decode()) for kind, hashed in rows if kind is not None and hashed is not None}


def _literals(kinds: Iterable[str]) -> str:
    """Types of tokens, which are words of this program."""
    return ", ".join(f"'{kind}'" for kind in kinds)


async def take(db: ServiceTransaction, user_id: UUID, kind: str, hashed: str) -> bool:
    """Whether this call is the one that uses the token: of several at once, one is."""
    same = (one_time_tokens.c.user_id == user_id) & (one_time_tokens.c.token_type == kind)
    statement = delete(one_time_tokens).where(same, one_time_tokens.c.token_hash == hashed)
    return (await db.execute(statement.returning(one_time_tokens.c.id))).scalar() is not None


def forget(db: ServiceTransaction, user_id: UUID, kind: str | None = None) -> None:
    """Drop the account's tokens, of one kind or all."""
    statement = delete(one_time_tokens).where(one_time_tokens.c.user_id == user_id)
    db.write(statement.where(one_time_tokens.c.token_type == kind) if kind else statement)
