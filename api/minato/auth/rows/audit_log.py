"""The audit log: who did what to which account."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import func, or_, select

from minato.auth.rows.tables import audit_log_entries
from minato.auth.rows.users import NIL, User
from minato.database.wire.session import Command
from minato.database.wire.transaction import ServiceTransaction
from minato.json_text import JsonObject

SCOPES = {
    "author": ("actor_username", "actor_name"),
    "action": ("action",),
    "type": ("log_type",),
}
_FACTOR = "factor_in_progress factor_unenrolled factor_deleted factor_updated challenge_created verification_attempted"
_KINDS = {
    **dict.fromkeys(("login", "logout", "invite_accepted"), "account"),
    **dict.fromkeys(("user_signedup", "user_invited", "user_deleted"), "team"),
    **dict.fromkeys(("token_refreshed", "token_revoked"), "token"),
    **dict.fromkeys(_FACTOR.split(), "factor"),
}


@dataclass(frozen=True, slots=True)
class AuditLogEntry:
    """A row of auth.audit_log_entries."""

    instance_id: UUID | None
    id: UUID
    payload: JsonObject | None
    created_at: datetime | None
    ip_address: str


@dataclass(frozen=True)
class Actor:
    """Who did it; an administrator without an account has the nil id and the role for a name."""

    id: UUID
    username: str
    via_sso: bool = False
    name: object = None


def acting(user: User) -> Actor:
    """The account itself as the one who acts."""
    return Actor(user.id, user.phone or user.email or "", user.is_sso_user, user.user_metadata.get("full_name"))


def record(
    db: ServiceTransaction, entry_id: UUID, actor: Actor, action: str, now: datetime, ip: str, traits: dict[str, object]
) -> None:
    """Append an entry."""
    payload: dict[str, object] = {"action": action, "actor_id": str(actor.id), "actor_username": actor.username}
    payload |= {"actor_via_sso": actor.via_sso, "log_type": _KINDS.get(action, "user")}
    if actor.name is not None:
        payload["actor_name"] = actor.name
    if traits:
        payload["traits"] = traits
    text = (
        "insert into auth.audit_log_entries (instance_id, id, payload, created_at, ip_address)"
        " values ($1, $2, $3, $4, $5)"
    )
    db.write(Command(text, [str(NIL), str(entry_id), json.dumps(payload), now.isoformat(), ip]))


async def find_page(
    db: ServiceTransaction, scope: str, wanted: str, offset: int, limit: int
) -> tuple[list[AuditLogEntry], int]:
    """Entries, newest first, and how many there are; `scope` is empty or one of SCOPES."""
    fields = [audit_log_entries.c.payload[name].as_string() for name in SCOPES.get(scope, ())]
    conditions = [or_(*(field.ilike(f"%{wanted}%") for field in fields))] if fields else []
    total = (await db.execute(select(func.count()).select_from(audit_log_entries).where(*conditions))).scalar_one()
    newest = (audit_log_entries.c.created_at.desc(), audit_log_entries.c.id)
    statement = select(audit_log_entries).where(*conditions).order_by(*newest).offset(offset).limit(limit)
    rows = await db.execute(statement)
    return [AuditLogEntry(**row) for row in rows.mappings()], int(total)
