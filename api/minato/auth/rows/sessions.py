"""Sessions and the methods they were authenticated by: queries on auth.sessions and auth.mfa_amr_claims."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from uuid import UUID

from sqlalchemy import delete, insert, select, update
from sqlalchemy.dialects.postgresql import insert as upsert

from minato.auth.rows.reading import only, reader
from minato.auth.rows.tables import Writer, amr_claims, sessions
from minato.database.wire.session import Command
from minato.database.wire.transaction import ServiceTransaction


@dataclass(frozen=True, slots=True)
class Session:
    """A row of auth.sessions. `refreshed_at` has no zone and is UTC."""

    id: UUID
    user_id: UUID
    created_at: datetime
    updated_at: datetime
    factor_id: UUID | None
    aal: str
    not_after: datetime | None
    refreshed_at: datetime | None
    user_agent: str | None
    ip: object
    tag: str | None
    oauth_client_id: UUID | None
    refresh_token_hmac_key: str | None = field(repr=False)
    refresh_token_counter: int | None
    scopes: str | None


@dataclass(frozen=True, slots=True)
class Method:
    """A row of auth.mfa_amr_claims: how a session was authenticated, and when last."""

    session_id: UUID
    created_at: datetime
    updated_at: datetime
    authentication_method: str
    id: UUID


read_sessions = reader(Session)
read_methods = reader(Method)


# SQL that finds the account of the session `$1`.
OWNER = "(select user_id from auth.sessions where id = $1)"


def by_id(key: object) -> Command:
    """Asks for the session with this id."""
    return Command("select pg_catalog.to_json(s) from auth.sessions s where id = $1", [str(key)])


def locked(key: object, session: str = "$1") -> Command:
    """Asks for the session with this id, or with the id that the SQL `session` finds by `key`; whoever else does so
    waits until this transaction has ended."""
    return Command(f"select pg_catalog.to_json(s) from auth.sessions s where id = {session} for update", [str(key)])


def methods_of(key: object, session: str = "$1") -> Command:
    """Asks for the methods of a session, newest first; as `locked` does."""
    text = (
        f"select pg_catalog.to_json(m) from auth.mfa_amr_claims m where session_id = {session} order by updated_at desc"
    )
    return Command(text, [str(key)])


async def create(writer: Writer, session_id: UUID, user_id: UUID, **values: object) -> None:
    """A session of the first level; `values` are `user_agent`, `ip` and what its refresh tokens need."""
    times = {"created_at": writer.now, "updated_at": writer.now}
    row = {"id": session_id, "user_id": user_id, **times, "aal": "aal1", **values}
    writer.db.write(insert(sessions).values(row))


async def find(db: ServiceTransaction, session_id: UUID, lock: bool = False) -> Session | None:
    """A session; `lock` makes a second refresh wait until this one has committed."""
    return only(read_sessions((await db.ask(locked(session_id) if lock else by_id(session_id)))[0]))


async def of_user(db: ServiceTransaction, user_id: UUID) -> list[Session]:
    """The account's sessions."""
    rows = await db.execute(select(sessions).where(sessions.c.user_id == user_id))
    return [Session(**row) for row in rows.mappings()]


async def change(db: ServiceTransaction, session_id: UUID, **values: object) -> Session:
    """The session with new values."""
    statement = update(sessions).where(sessions.c.id == session_id).values(**values)
    return Session(**(await db.execute(statement.returning(sessions))).mappings().one())


async def add_method(writer: Writer, session_id: UUID, method: str) -> None:
    """Note that the session was authenticated by `method`; again only moves its time."""
    now = writer.now
    row = {"id": writer.new_id(), "session_id": session_id, "authentication_method": method}
    statement = upsert(amr_claims).values(**row, created_at=now, updated_at=now)
    key = ["session_id", "authentication_method"]
    writer.db.write(statement.on_conflict_do_update(index_elements=key, set_={"updated_at": now}))


async def methods(db: ServiceTransaction, session_id: UUID) -> list[Method]:
    """The session's methods, newest first."""
    return read_methods((await db.ask(methods_of(session_id)))[0])


def note_refresh(db: ServiceTransaction, session_id: UUID, now: datetime, user_agent: str, ip: str) -> None:
    """Note when and by whom the session was refreshed last. `refreshed_at` has no zone and is UTC."""
    moment = now.astimezone(UTC).replace(tzinfo=None)
    text = "update auth.sessions set refreshed_at = $2, updated_at = $3, user_agent = $4, ip = $5::inet where id = $1"
    db.write(Command(text, [str(session_id), moment.isoformat(), now.isoformat(), user_agent, ip]))


async def end_all(db: ServiceTransaction, user_id: UUID) -> None:
    """End every session of the account; their refresh tokens go with them."""
    db.write(delete(sessions).where(sessions.c.user_id == user_id))


async def end(db: ServiceTransaction, session_id: UUID) -> None:
    db.write(delete(sessions).where(sessions.c.id == session_id))


async def end_others(db: ServiceTransaction, user_id: UUID, session_id: UUID | None) -> None:
    """End all the account's sessions but one."""
    statement = delete(sessions).where(sessions.c.user_id == user_id)
    db.write(statement.where(sessions.c.id != session_id) if session_id else statement)


async def end_of_client(db: ServiceTransaction, user_id: UUID, client_id: UUID) -> None:
    """End what an OAuth client opened for the account."""
    this = (sessions.c.user_id == user_id) & (sessions.c.oauth_client_id == client_id)
    db.write(delete(sessions).where(this))


def end_all_of_client(db: ServiceTransaction, client_id: UUID) -> None:
    """End what an OAuth client opened for anybody."""
    db.write(delete(sessions).where(sessions.c.oauth_client_id == client_id))


async def strengthen(writer: Writer, session_id: UUID, user_id: UUID, factor_id: UUID) -> None:
    """The session has passed a second factor; weaker ones of the account end."""
    this = sessions.c.id == session_id
    strong = {"aal": "aal2", "factor_id": factor_id, "updated_at": writer.now}
    await writer.db.execute(update(sessions).where(this).values(strong))
    await writer.db.execute(delete(sessions).where(sessions.c.user_id == user_id, ~this, sessions.c.aal == "aal1"))
