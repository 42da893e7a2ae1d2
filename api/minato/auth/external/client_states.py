"""PKCE towards providers: the verifier that is kept here while its challenge travels."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from sqlalchemy import Column, DateTime, Table, Text, delete, insert
from sqlalchemy.dialects.postgresql import UUID as UUIDColumn

from minato.auth.rows.tables import Writer, metadata
from minato.database.wire.transaction import ServiceTransaction
from minato.entropy import Entropy

oauth_client_states = Table(
    "oauth_client_states",
    metadata,
    Column("id", UUIDColumn, primary_key=True),
    *(Column(name, Text) for name in ("provider_type", "code_verifier")),
    Column("created_at", DateTime(timezone=True)),
)


@dataclass(frozen=True, slots=True)
class ClientState:
    """A row of auth.oauth_client_states."""

    id: UUID
    provider_type: str
    code_verifier: str | None = field(repr=False)
    created_at: datetime


def new_verifier(entropy: Entropy) -> str:
    """43 characters of RFC 7636's alphabet."""
    return base64.urlsafe_b64encode(entropy.bytes(32)).rstrip(b"=").decode()


def challenge_of(verifier: str) -> str:
    """The S256 challenge."""
    return base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()


async def keep(writer: Writer, state_id: UUID, provider: str, verifier: str) -> None:
    row = {"id": state_id, "provider_type": provider, "code_verifier": verifier, "created_at": writer.now}
    await writer.db.execute(insert(oauth_client_states).values(row))


async def take(db: ServiceTransaction, state_id: UUID) -> ClientState | None:
    """The state, which is gone with this."""
    statement = delete(oauth_client_states).where(oauth_client_states.c.id == state_id)
    row = (await db.execute(statement.returning(oauth_client_states))).mappings().one_or_none()
    return ClientState(**row) if row else None
