"""Queries on auth.users: finding, making and changing accounts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, RowMapping, delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from api.auth import identities, tables
from api.auth.user import OPTIONAL_TIMES, Factor, User

NIL = UUID(int=0)
EMPTY_TOKENS = {
    "confirmation_token": "",
    "recovery_token": "",
    "email_change_token_new": "",
    "email_change_token_current": "",
    "phone_change_token": "",
    "reauthentication_token": "",
}
users = tables.users


async def find_by_id(db: AsyncConnection, user_id: UUID) -> User | None:
    """The user with all relations."""
    return await _find(db, users.c.id == user_id)


async def find_by_email(db: AsyncConnection, email: str, audience: str) -> User | None:
    """The user of an address; accounts of single sign-on don't count."""
    return await _find(
        db, func.lower(users.c.email) == email.lower(), users.c.aud == audience, users.c.is_sso_user.is_(False)
    )


async def find_by_phone(db: AsyncConnection, phone: str, audience: str) -> User | None:
    """The user of a phone number."""
    return await _find(db, users.c.phone == phone, users.c.aud == audience, users.c.is_sso_user.is_(False))


async def find_by_column(db: AsyncConnection, column: str, value: str) -> User | None:
    """The user whose token column holds `value`."""
    return await _find(db, users.c[column] == value)


async def create(db: AsyncConnection, values: Mapping[str, Any]) -> None:
    """Insert a user. Triggers see what GoTrue's do: an empty role, unconfirmed, only the posted metadata."""
    await db.execute(insert(users).values({"instance_id": NIL, "role": "", **EMPTY_TOKENS, **values}))


async def change(db: AsyncConnection, user_id: UUID, **values: Any) -> None:
    """Set columns of one user."""
    await db.execute(update(users).where(users.c.id == user_id).values(**values))


async def remove(db: AsyncConnection, user_id: UUID) -> None:
    """Delete a user and all that hangs on it."""
    await db.execute(delete(users).where(users.c.id == user_id))


async def reload(db: AsyncConnection, user: User) -> User:
    """The user as it is in the database now."""
    found = await find_by_id(db, user.id)
    assert found is not None, "a user of this transaction can't be gone"
    return found


async def find_page(db: AsyncConnection, audience: str, offset: int, limit: int) -> tuple[list[User], int]:
    """One page of all users, newest first, without identities, and how many there are."""
    condition = users.c.aud == audience
    total = await db.scalar(select(func.count()).select_from(users).where(condition))
    rows = await db.execute(
        select(users).where(condition).order_by(users.c.created_at.desc()).offset(offset).limit(limit)
    )
    return [replace(from_row(row), identities=None) for row in rows.mappings()], total or 0


async def _find(db: AsyncConnection, *conditions: ColumnElement[bool]) -> User | None:
    row = (await db.execute(select(users).where(*conditions).limit(1))).mappings().first()
    if row is None:
        return None
    return replace(
        from_row(row), identities=await identities.of_user(db, row["id"]), factors=await _factors(db, row["id"])
    )


async def _factors(db: AsyncConnection, user_id: UUID) -> list[Factor]:
    table = tables.mfa_factors
    rows = await db.execute(select(table).where(table.c.user_id == user_id).order_by(table.c.created_at))
    return [Factor(**{name: row[name] for name in Factor.__dataclass_fields__}) for row in rows.mappings()]


def from_row(row: RowMapping) -> User:
    """A user without its relations."""
    texts: dict[str, Any] = {name: row[name] or "" for name in _TEXTS}
    return User(
        id=row["id"],
        aud=row["aud"] or "",
        role=row["role"] or "",
        email=row["email"],
        phone=row["phone"],
        encrypted_password=row["encrypted_password"],
        app_metadata=row["raw_app_meta_data"] or {},
        user_metadata=row["raw_user_meta_data"] or {},
        created_at=row["created_at"],
        updated_at=row["updated_at"],
        times={name: row[name] for name in OPTIONAL_TIMES},
        **texts,
        email_change_confirm_status=row["email_change_confirm_status"] or 0,
        is_anonymous=bool(row["is_anonymous"]),
        is_sso_user=bool(row["is_sso_user"]),
    )


_TEXTS = (
    "confirmation_token",
    "recovery_token",
    "email_change",
    "email_change_token_new",
    "email_change_token_current",
    "phone_change",
    "reauthentication_token",
)
