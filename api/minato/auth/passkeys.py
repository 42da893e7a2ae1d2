"""Passkeys and the ceremonies under way: queries on auth.webauthn_credentials and auth.webauthn_challenges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import RowMapping, delete, func, insert, select, update
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.ext.asyncio import AsyncConnection

from minato.auth.tables import webauthn_challenges as challenges
from minato.auth.tables import webauthn_credentials as credentials
from minato.auth.webauthn import Credential

REGISTRATION, AUTHENTICATION = "registration", "authentication"


async def of_user(db: AsyncConnection, user_id: UUID) -> Sequence[RowMapping]:
    """The account's passkeys, oldest first."""
    statement = select(credentials).where(credentials.c.user_id == user_id).order_by(credentials.c.created_at)
    return (await db.execute(statement)).mappings().all()


async def count(db: AsyncConnection, user_id: UUID) -> int:
    statement = select(func.count()).select_from(credentials).where(credentials.c.user_id == user_id)
    return int((await db.execute(statement)).scalar_one())


async def find(db: AsyncConnection, user_id: UUID, passkey_id: UUID) -> RowMapping | None:
    """The account's passkey with this id."""
    statement = select(credentials).where(credentials.c.id == passkey_id, credentials.c.user_id == user_id)
    return (await db.execute(statement)).mappings().one_or_none()


async def find_claimed(db: AsyncConnection, user_id: UUID, credential_id: bytes) -> RowMapping | None:
    """The account's passkey that an authenticator names, locked until its use is noted."""
    same = (credentials.c.credential_id == credential_id) & (credentials.c.user_id == user_id)
    return (await db.execute(select(credentials).where(same).with_for_update())).mappings().one_or_none()


async def create(
    db: AsyncConnection, passkey_id: UUID, user_id: UUID, credential: Credential, name: str, now: datetime
) -> RowMapping | None:
    """The new passkey; None where the credential is registered already, by whomever."""
    row = asdict(credential) | {"id": passkey_id, "user_id": user_id, "credential_id": credential.id}
    row |= {"friendly_name": name, "created_at": now, "updated_at": now}
    statement = upsert(credentials).values(**row).on_conflict_do_nothing(index_elements=["credential_id"])
    created: RowMapping | None = (await db.execute(statement.returning(credentials))).mappings().one_or_none()
    return created


async def change(db: AsyncConnection, passkey_id: UUID, now: datetime, **values: Any) -> RowMapping:
    """The passkey with new values."""
    statement = update(credentials).where(credentials.c.id == passkey_id).values(**values, updated_at=now)
    changed: RowMapping = (await db.execute(statement.returning(credentials))).mappings().one()
    return changed


async def remove(db: AsyncConnection, passkey_id: UUID) -> None:
    await db.execute(delete(credentials).where(credentials.c.id == passkey_id))


async def remove_all(db: AsyncConnection, user_id: UUID) -> None:
    await db.execute(delete(credentials).where(credentials.c.user_id == user_id))


async def ask(
    db: AsyncConnection,
    challenge_id: UUID,
    kind: str,
    user_id: UUID | None,
    session: dict[str, Any],
    **moments: datetime,
) -> None:
    """Remember a ceremony; `moments` are `created_at` and `expires_at`."""
    row = {"id": challenge_id, "challenge_type": kind, "user_id": user_id, "session_data": session, **moments}
    await db.execute(insert(challenges).values(row))


async def consume(db: AsyncConnection, challenge_id: UUID, kind: str, user_id: UUID | None) -> RowMapping | None:
    """The ceremony, which nobody can finish a second time."""
    statement = delete(challenges).where(challenges.c.id == challenge_id, challenges.c.challenge_type == kind)
    if user_id is not None:
        statement = statement.where(challenges.c.user_id == user_id)
    return (await db.execute(statement.returning(challenges))).mappings().one_or_none()
