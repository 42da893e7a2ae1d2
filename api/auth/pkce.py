"""PKCE: the client proves at the end that it is the one that began. A flow state waits between the two."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from api.auth import tables
from api.auth.body import Body
from api.auth.call import Call
from api.auth.errors import internal, invalid

METHODS = ("s256", "plain")
CHALLENGE = re.compile(r"[a-zA-Z._~0-9-]+")
table = tables.flow_state


@dataclass(frozen=True)
class Challenge:
    """What the client will prove to know."""

    value: str
    method: str


@dataclass(frozen=True)
class FlowState:
    """A PKCE flow under way; `user_id` is None until the user is known."""

    id: UUID
    user_id: UUID | None
    code_challenge: str
    code_challenge_method: str
    authentication_method: str
    created_at: datetime
    auth_code_issued_at: datetime | None


def read_challenge(body: Body) -> Challenge | None:
    """The challenge in a request, None when it doesn't use PKCE. Raises validation_failed."""
    value, method = body.text("code_challenge"), body.text("code_challenge_method")
    if not value and not method:
        return None
    if not value or not method:
        raise invalid("PKCE flow requires code_challenge_method and code_challenge")
    if not 43 <= len(value) <= 128:
        raise invalid("code challenge has to be between 43 and 128 characters")
    if not CHALLENGE.fullmatch(value):
        raise invalid(
            "code challenge can only contain alphanumeric characters, hyphens, periods, underscores and tildes"
        )
    if method.lower() not in METHODS:
        # GoTrue answers a plain Go error here: internal/api/pkce.go.
        raise internal()
    return Challenge(value, method.lower())


def proves(verifier: str, flow: FlowState) -> bool:
    """Whether `verifier` is what the flow began with."""
    made = verifier
    if flow.code_challenge_method == "s256":
        made = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    return hmac.compare_digest(made.encode(), flow.code_challenge.encode())


async def begin(call: Call, challenge: Challenge, user_id: UUID, method: str) -> None:
    """Remember the challenge until the mailed link is followed."""
    await call.db.execute(
        insert(table).values(
            id=call.new_id(),
            user_id=user_id,
            auth_code=str(call.new_id()),
            code_challenge=challenge.value,
            code_challenge_method=challenge.method,
            provider_type="email",
            authentication_method=method,
            created_at=call.now,
            updated_at=call.now,
        )
    )


async def issue_code(call: Call, user_id: UUID, method: str) -> str | None:
    """The code that the newest flow of the user is exchanged by; None when there is no flow."""
    conditions = (table.c.user_id == user_id, table.c.authentication_method == method)
    query = select(table.c.id, table.c.auth_code).where(*conditions).order_by(table.c.created_at.desc()).limit(1)
    row = (await call.db.execute(query)).first()
    if row is None:
        return None
    await call.db.execute(update(table).where(table.c.id == row.id).values(auth_code_issued_at=call.now))
    return str(row.auth_code)


async def find_by_code(db: AsyncConnection, code: str) -> FlowState | None:
    """The flow a code belongs to, locked so that it is exchanged once."""
    row = (await db.execute(select(table).where(table.c.auth_code == code).with_for_update())).mappings().first()
    if row is None:
        return None
    return FlowState(**{name: row[name] for name in FlowState.__dataclass_fields__})


async def finish(db: AsyncConnection, flow: FlowState) -> None:
    """Forget the flow."""
    await db.execute(delete(table).where(table.c.id == flow.id))
