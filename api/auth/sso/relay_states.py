"""SAML sign-ins under way: what comes back as RelayState, once."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import RowMapping, delete, insert
from sqlalchemy.ext.asyncio import AsyncConnection

from api.auth.sso.tables import relay_states


async def keep(db: AsyncConnection, state_id: UUID, now: datetime, **values: Any) -> None:
    await db.execute(insert(relay_states).values(id=state_id, created_at=now, updated_at=now, **values))


async def take(db: AsyncConnection, state_id: UUID) -> RowMapping | None:
    """The state, which is gone with this."""
    statement = delete(relay_states).where(relay_states.c.id == state_id).returning(relay_states)
    return (await db.execute(statement)).mappings().one_or_none()
