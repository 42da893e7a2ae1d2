"""The audit log: who did what to which account."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from api.auth.tables import audit_log_entries
from api.auth.users import NIL, User

_KINDS = {
    **dict.fromkeys(("login", "logout"), "account"),
    **dict.fromkeys(("user_signedup", "user_repeated_signup", "user_confirmation_requested"), "team"),
    **dict.fromkeys(("token_refreshed", "token_revoked"), "token"),
}


async def record(
    db: AsyncConnection, entry_id: UUID, user: User, action: str, now: datetime, ip: str, traits: dict[str, Any]
) -> None:
    """Append an entry about `user`, who also acted."""
    payload: dict[str, Any] = {
        "action": action,
        "actor_id": str(user.id),
        "actor_username": user.email or user.phone or "",
    }
    payload |= {"actor_via_sso": user.is_sso_user, "log_type": _KINDS.get(action, "user")}
    if traits:
        payload["traits"] = traits
    row = {"instance_id": NIL, "id": entry_id, "payload": payload, "created_at": now, "ip_address": ip}
    await db.execute(insert(audit_log_entries).values(row))
