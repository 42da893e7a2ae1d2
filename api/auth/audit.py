"""The audit log: who did what to whom."""

from __future__ import annotations

from typing import Any

from sqlalchemy import insert

from api.auth import tables
from api.auth.call import Call
from api.auth.user import User
from api.auth.users import NIL

KINDS = {
    "login": "account",
    "logout": "account",
    "token_refreshed": "token",
    "token_revoked": "token",
    "user_signedup": "team",
    "user_repeated_signup": "user",
    "user_confirmation_requested": "user",
    "user_recovery_requested": "user",
    "user_reauthenticate_requested": "user",
    "user_modified": "user",
    "user_deleted": "team",
    "user_invited": "team",
}


async def record(call: Call, action: str, actor: User, traits: dict[str, Any] | None = None) -> None:
    """Note `action`, one of `KINDS`, in the request's transaction."""
    payload: dict[str, Any] = {
        "action": action,
        "actor_id": str(actor.id),
        "actor_username": actor.email or actor.phone or "",
        "actor_via_sso": actor.is_sso_user,
        "log_type": KINDS[action],
    }
    name = actor.user_metadata.get("full_name")
    if isinstance(name, str):
        payload["actor_name"] = name
    if traits:
        payload["traits"] = traits
    await call.db.execute(
        insert(tables.audit_log_entries).values(
            instance_id=NIL, id=call.new_id(), payload=payload, created_at=call.now, ip_address=call.client_ip
        )
    )
