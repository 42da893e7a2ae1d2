"""OAuth clients: their rows, their secrets (kept as SHA-256), and how they are shown."""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import RowMapping, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from minato.auth.json_format import render_time
from minato.auth.oauth_server.tables import clients
from minato.entropy import Entropy

METHODS = {"public": ("none",), "confidential": ("client_secret_basic", "client_secret_post")}


async def find(db: AsyncConnection, client_id: UUID) -> RowMapping | None:
    """The client, unless it was deleted."""
    live = (clients.c.id == client_id) & clients.c.deleted_at.is_(None)
    return (await db.execute(select(clients).where(live))).mappings().one_or_none()


async def find_all(db: AsyncConnection) -> Sequence[RowMapping]:
    """Newest first."""
    statement = select(clients).where(clients.c.deleted_at.is_(None))
    return (await db.execute(statement.order_by(clients.c.created_at.desc(), clients.c.id))).mappings().all()


async def create(db: AsyncConnection, client_id: UUID, now: datetime, **values: Any) -> RowMapping:
    row = {"id": client_id, "created_at": now, "updated_at": now, **values}
    created: RowMapping = (await db.execute(insert(clients).values(row).returning(clients))).mappings().one()
    return created


async def change(db: AsyncConnection, client_id: UUID, now: datetime, **values: Any) -> RowMapping:
    statement = update(clients).where(clients.c.id == client_id).values(updated_at=now, **values)
    changed: RowMapping = (await db.execute(statement.returning(clients))).mappings().one()
    return changed


def new_secret(entropy: Entropy) -> str:
    """43 characters, 256 bits."""
    return base64.urlsafe_b64encode(entropy.bytes(32)).rstrip(b"=").decode()


def hash_secret(secret: str) -> str:
    """A fast hash is enough for 256 random bits."""
    return base64.urlsafe_b64encode(hashlib.sha256(secret.encode()).digest()).rstrip(b"=").decode()


def secret_matches(client: RowMapping, secret: str) -> bool:
    return hmac.compare_digest(hash_secret(secret), client["client_secret_hash"] or "")


def redirect_uris(client: RowMapping) -> list[str]:
    return _items(client["redirect_uris"])


def grant_types(client: RowMapping) -> list[str]:
    return _items(client["grant_types"])


def client_json(client: RowMapping, secret: str = "") -> dict[str, Any]:
    """The client as it is shown; its secret only once."""
    shown = {
        "client_id": str(client["id"]),
        "client_secret": secret,
        "client_type": client["client_type"],
        "redirect_uris": redirect_uris(client),
        "token_endpoint_auth_method": client["token_endpoint_auth_method"],
        "grant_types": grant_types(client),
        "response_types": ["code"],
        "client_name": client["client_name"],
        "client_uri": client["client_uri"],
        "logo_uri": client["logo_uri"],
        "registration_type": client["registration_type"],
        "created_at": render_time(client["created_at"]),
        "updated_at": render_time(client["updated_at"]),
    }
    return {name: value for name, value in shown.items() if value}


def client_summary(client: RowMapping) -> dict[str, Any]:
    """What users see of a client."""
    shown = {"name": client["client_name"], "uri": client["client_uri"], "logo_uri": client["logo_uri"]}
    return {"id": str(client["id"]), **{name: value for name, value in shown.items() if value}}


def _items(text: str) -> list[str]:
    return [item for item in text.split(",") if item]
