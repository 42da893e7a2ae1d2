"""OAuth clients: their rows, their secrets (kept as SHA-256), and how they are shown."""

from __future__ import annotations

import base64
import hashlib
import hmac
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from sqlalchemy import insert, select, update

from minato.auth.oauth_server.tables import clients
from minato.auth.wire.json_format import render_time
from minato.database.wire.transaction import ServiceTransaction
from minato.entropy import Entropy

METHODS = {"public": ("none",), "confidential": ("client_secret_basic", "client_secret_post")}


@dataclass(frozen=True, slots=True)
class OAuthClient:
    """A row of auth.oauth_clients."""

    id: UUID
    client_secret_hash: str | None = field(repr=False)
    registration_type: str
    redirect_uris: str
    grant_types: str
    client_name: str | None
    client_uri: str | None
    logo_uri: str | None
    created_at: datetime
    updated_at: datetime
    deleted_at: datetime | None
    client_type: str
    token_endpoint_auth_method: str


async def find(db: ServiceTransaction, client_id: UUID) -> OAuthClient | None:
    """The client, unless it was deleted."""
    live = (clients.c.id == client_id) & clients.c.deleted_at.is_(None)
    row = (await db.execute(select(clients).where(live))).mappings().one_or_none()
    return OAuthClient(**row) if row else None


async def find_all(db: ServiceTransaction) -> list[OAuthClient]:
    """Newest first."""
    statement = select(clients).where(clients.c.deleted_at.is_(None))
    rows = await db.execute(statement.order_by(clients.c.created_at.desc(), clients.c.id))
    return [OAuthClient(**row) for row in rows.mappings()]


async def create(db: ServiceTransaction, client_id: UUID, now: datetime, **values: object) -> OAuthClient:
    row = {"id": client_id, "created_at": now, "updated_at": now, **values}
    return OAuthClient(**(await db.execute(insert(clients).values(row).returning(clients))).mappings().one())


async def change(db: ServiceTransaction, client_id: UUID, now: datetime, **values: object) -> OAuthClient:
    statement = update(clients).where(clients.c.id == client_id).values(updated_at=now, **values)
    return OAuthClient(**(await db.execute(statement.returning(clients))).mappings().one())


def new_secret(entropy: Entropy) -> str:
    """43 characters, 256 bits."""
    return base64.urlsafe_b64encode(entropy.bytes(32)).rstrip(b"=").decode()


def hash_secret(secret: str) -> str:
    """A fast hash is enough for 256 random bits."""
    return base64.urlsafe_b64encode(hashlib.sha256(secret.encode()).digest()).rstrip(b"=").decode()


def secret_matches(client: OAuthClient, secret: str) -> bool:
    return hmac.compare_digest(hash_secret(secret), client.client_secret_hash or "")


def redirect_uris(client: OAuthClient) -> list[str]:
    return _items(client.redirect_uris)


def grant_types(client: OAuthClient) -> list[str]:
    return _items(client.grant_types)


def client_json(client: OAuthClient, secret: str = "") -> dict[str, object]:
    """The client as it is shown; its secret only once."""
    shown = {
        "client_id": str(client.id),
        "client_secret": secret,
        "client_type": client.client_type,
        "redirect_uris": redirect_uris(client),
        "token_endpoint_auth_method": client.token_endpoint_auth_method,
        "grant_types": grant_types(client),
        "response_types": ["code"],
        "client_name": client.client_name,
        "client_uri": client.client_uri,
        "logo_uri": client.logo_uri,
        "registration_type": client.registration_type,
        "created_at": render_time(client.created_at),
        "updated_at": render_time(client.updated_at),
    }
    return {name: value for name, value in shown.items() if value}


def client_summary(client: OAuthClient) -> dict[str, object]:
    """What users see of a client."""
    shown = {"name": client.client_name, "uri": client.client_uri, "logo_uri": client.logo_uri}
    return {"id": str(client.id), **{name: value for name, value in shown.items() if value}}


def _items(text: str) -> list[str]:
    return [item for item in text.split(",") if item]
