"""Refresh tokens: each session's chain of single-use tokens. Revoked ones stay, so that their reuse is noticed."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from sqlalchemy import update

from minato.auth.rows.reading import only, reader
from minato.auth.rows.tables import refresh_tokens
from minato.auth.rows.users import NIL
from minato.database.wire.session import Command
from minato.database.wire.transaction import ServiceTransaction


@dataclass(frozen=True, slots=True)
class RefreshToken:
    """A row of auth.refresh_tokens."""

    instance_id: UUID | None
    id: int
    token: str = field(repr=False)
    user_id: str
    revoked: bool
    created_at: datetime
    updated_at: datetime
    parent: str | None
    session_id: UUID


read_tokens = reader(RefreshToken)


# SQL that finds the account and the session of the token `$1`.
OWNER = "(select user_id::uuid from auth.refresh_tokens where token = $1)"
SESSION = "(select session_id from auth.refresh_tokens where token = $1)"


def by_token(token: str) -> Command:
    """Asks for the token of version 1."""
    return Command("select pg_catalog.to_json(t) from auth.refresh_tokens t where token = $1", [token])


def issue(
    db: ServiceTransaction, token: str, user_id: UUID, session_id: UUID, now: datetime, parent: str | None = None
) -> str:
    """Insert a live token after `parent`."""
    text = (
        "insert into auth.refresh_tokens"
        " (instance_id, token, user_id, session_id, revoked, parent, created_at, updated_at)"
        " values ($1, $2, $3, $4, false, $5, $6, $6)"
    )
    db.write(Command(text, [str(NIL), token, str(user_id), str(session_id), parent, now.isoformat()]))
    return token


async def find(db: ServiceTransaction, token: str) -> RefreshToken | None:
    return only(read_tokens((await db.ask(by_token(token)))[0]))


async def active(db: ServiceTransaction, session_id: UUID) -> RefreshToken | None:
    """The session's newest live token."""
    mine = "session_id = $1 and revoked is false"
    text = f"select pg_catalog.to_json(t) from auth.refresh_tokens t where {mine} order by id desc limit 1"
    return only(read_tokens((await db.ask(Command(text, [str(session_id)])))[0]))


def revoke(db: ServiceTransaction, token_id: int, now: datetime) -> None:
    text = "update auth.refresh_tokens set revoked = true, updated_at = $2 where id = $1"
    db.write(Command(text, [str(token_id), now.isoformat()]))


async def revoke_family(db: ServiceTransaction, session_id: UUID, now: datetime) -> None:
    """Revoke whatever of the session is still live."""
    live = (refresh_tokens.c.session_id == session_id) & refresh_tokens.c.revoked.is_(False)
    await db.execute(update(refresh_tokens).where(live).values(revoked=True, updated_at=now))
