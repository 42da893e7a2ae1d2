"""PKCE towards providers: the verifier that is kept here while its challenge travels."""

from __future__ import annotations

import base64
import hashlib
from datetime import datetime
from uuid import UUID

from sqlalchemy import RowMapping, delete, insert
from sqlalchemy.ext.asyncio import AsyncConnection

from minato.auth.external.tables import oauth_client_states
from minato.entropy import Entropy


def new_verifier(entropy: Entropy) -> str:
    """43 characters of RFC 7636's alphabet."""
    return base64.urlsafe_b64encode(entropy.bytes(32)).rstrip(b"=").decode()


def challenge_of(verifier: str) -> str:
    """The S256 challenge."""
    return base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()


async def keep(db: AsyncConnection, state_id: UUID, provider: str, verifier: str, now: datetime) -> None:
    row = {"id": state_id, "provider_type": provider, "code_verifier": verifier, "created_at": now}
    await db.execute(insert(oauth_client_states).values(row))


async def take(db: AsyncConnection, state_id: UUID) -> RowMapping | None:
    """The state, which is gone with this."""
    statement = delete(oauth_client_states).where(oauth_client_states.c.id == state_id)
    return (await db.execute(statement.returning(oauth_client_states))).mappings().one_or_none()
