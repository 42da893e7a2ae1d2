"""Requests of clients that wait for their user's decision, and the consents that came of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from sqlalchemy import delete, insert, select, update
from sqlalchemy.dialects.postgresql import insert as upsert

from minato.auth.oauth_server.tables import authorizations, consents
from minato.auth.rows.tables import Writer
from minato.database.wire.transaction import ServiceTransaction

SCOPES = ("openid", "profile", "email", "phone", "offline_access")


@dataclass(frozen=True, slots=True)
class Authorization:
    """A row of auth.oauth_authorizations."""

    id: UUID
    authorization_id: str
    client_id: UUID
    user_id: UUID | None
    redirect_uri: str
    scope: str
    state: str | None
    resource: str | None
    code_challenge: str | None
    code_challenge_method: str | None
    response_type: str
    status: str
    authorization_code: str | None = field(repr=False)
    created_at: datetime
    expires_at: datetime
    approved_at: datetime | None
    nonce: str | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class Consent:
    """A row of auth.oauth_consents."""

    id: UUID
    user_id: UUID
    client_id: UUID
    scopes: str
    granted_at: datetime
    revoked_at: datetime | None


def split_scopes(text: str | None) -> list[str]:
    """
    >>> split_scopes(" openid  email ")
    ['openid', 'email']
    """
    return [scope for scope in (text or "").split(" ") if scope.strip()]


async def create(db: ServiceTransaction, row_id: UUID, **values: object) -> None:
    """A pending authorization of nobody yet."""
    row = {"id": row_id, "response_type": "code", "status": "pending", **values}
    await db.execute(insert(authorizations).values(row))


async def lock(db: ServiceTransaction, authorization_id: str) -> Authorization | None:
    """The authorization; one that somebody else is deciding right now counts as not there."""
    statement = select(authorizations).where(authorizations.c.authorization_id == authorization_id)
    row = (await db.execute(statement.with_for_update(skip_locked=True))).mappings().one_or_none()
    return Authorization(**row) if row else None


async def lock_approved(db: ServiceTransaction, code: str) -> Authorization | None:
    """The authorization whose code this is; locked, because a code is good for one exchange."""
    approved = (authorizations.c.authorization_code == code) & (authorizations.c.status == "approved")
    result = await db.execute(select(authorizations).where(approved).with_for_update())
    row = result.mappings().one_or_none()
    return Authorization(**row) if row else None


async def change(db: ServiceTransaction, row_id: UUID, **values: object) -> Authorization:
    statement = update(authorizations).where(authorizations.c.id == row_id).values(**values)
    return Authorization(**(await db.execute(statement.returning(authorizations))).mappings().one())


async def remove(db: ServiceTransaction, row_id: UUID) -> None:
    await db.execute(delete(authorizations).where(authorizations.c.id == row_id))


def forget_codes(db: ServiceTransaction, user_id: UUID, client_id: UUID) -> None:
    """Codes that the client holds for the user are good for nothing; one that is being traded is waited for."""
    given = (authorizations.c.user_id == user_id) & (authorizations.c.client_id == client_id)
    db.write(delete(authorizations).where(given & (authorizations.c.status == "approved")))


def forget_all_codes(db: ServiceTransaction, client_id: UUID) -> None:
    """Codes that the client holds for anybody, likewise."""
    given = (authorizations.c.client_id == client_id) & (authorizations.c.status == "approved")
    db.write(delete(authorizations).where(given))


async def lock_consent(db: ServiceTransaction, user_id: UUID, client_id: UUID) -> Consent | None:
    """What the user allows the client at present; locked, so that a revocation sees every code that came of it."""
    given = (consents.c.user_id == user_id) & (consents.c.client_id == client_id) & consents.c.revoked_at.is_(None)
    row = (await db.execute(select(consents).where(given).with_for_update())).mappings().one_or_none()
    return Consent(**row) if row else None


async def consents_of(db: ServiceTransaction, user_id: UUID) -> list[Consent]:
    """All the user allows, newest first."""
    given = (consents.c.user_id == user_id) & consents.c.revoked_at.is_(None)
    rows = await db.execute(select(consents).where(given).order_by(consents.c.granted_at.desc()))
    return [Consent(**row) for row in rows.mappings()]


async def give_consent(writer: Writer, user_id: UUID, client_id: UUID, scopes: Iterable[str]) -> None:
    """The user allows the client these scopes, whatever was before."""
    values = {"scopes": " ".join(scopes), "granted_at": writer.now, "revoked_at": None}
    statement = upsert(consents).values(id=writer.new_id(), user_id=user_id, client_id=client_id, **values)
    await writer.db.execute(statement.on_conflict_do_update(index_elements=["user_id", "client_id"], set_=values))


async def revoke_consent(db: ServiceTransaction, consent_id: UUID, now: datetime) -> None:
    await db.execute(update(consents).where(consents.c.id == consent_id).values(revoked_at=now))
