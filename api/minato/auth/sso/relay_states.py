"""SAML sign-ins under way: what comes back as RelayState, once. And unrequested assertions, which serve once too."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import delete, insert, select
from sqlalchemy.dialects.postgresql import insert as upsert

from minato.auth.rows.tables import Writer
from minato.auth.sso.tables import relay_states
from minato.database.wire.transaction import ServiceTransaction


@dataclass(frozen=True, slots=True)
class RelayState:
    """A row of auth.saml_relay_states."""

    id: UUID
    sso_provider_id: UUID
    flow_state_id: UUID | None
    request_id: str
    for_email: str | None
    redirect_to: str | None
    created_at: datetime
    updated_at: datetime


async def keep(db: ServiceTransaction, state_id: UUID, now: datetime, **values: object) -> None:
    await db.execute(insert(relay_states).values(id=state_id, created_at=now, updated_at=now, **values))


async def find(db: ServiceTransaction, state_id: UUID) -> RelayState | None:
    statement = select(relay_states).where(relay_states.c.id == state_id)
    row = (await db.execute(statement)).mappings().one_or_none()
    return RelayState(**row) if row else None


async def take(db: ServiceTransaction, state_id: UUID) -> RelayState | None:
    """The state, which is gone with this."""
    statement = delete(relay_states).where(relay_states.c.id == state_id).returning(relay_states)
    row = (await db.execute(statement)).mappings().one_or_none()
    return RelayState(**row) if row else None


async def note_use(writer: Writer, key: str, provider_id: UUID, assertion_id: str, until: datetime) -> bool:
    """Remember that an assertion came that is good `until` then; False if it had come before.

    It is a row as of a sign-in under way, of which no other is known: the id follows from `key` and nobody can name it.
    Such rows are cleaned up by the age they have, this one's begins with the end of what it is about.
    """
    named = hmac.new(key.encode(), f"{provider_id}\0{assertion_id}".encode(), hashlib.sha256).digest()
    row = {"id": UUID(bytes=named[:16]), "sso_provider_id": provider_id, "request_id": assertion_id}
    statement = upsert(relay_states).values(**row, created_at=max(until, writer.now), updated_at=writer.now)
    return bool((await writer.db.execute(statement.on_conflict_do_nothing())).rowcount)
