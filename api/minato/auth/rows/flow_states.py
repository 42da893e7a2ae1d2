"""PKCE flows under way: a challenge that left with a mail, and the code that comes back for it."""

from __future__ import annotations

import base64
import hashlib
import hmac
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from sqlalchemy import delete, insert, select, update

from minato.auth.rows.tables import Writer, flow_states
from minato.database.wire.transaction import ServiceTransaction

# what a mail link's type is called as an authentication method
METHODS = {
    "signup": "email/signup",
    "invite": "invite",
    "magiclink": "magiclink",
    "recovery": "recovery",
    "email_change": "email_change",
}


@dataclass(frozen=True, slots=True)
class FlowState:
    """A row of auth.flow_state."""

    id: UUID
    user_id: UUID | None
    auth_code: str | None = field(repr=False)
    code_challenge_method: str | None
    code_challenge: str | None
    provider_type: str
    provider_access_token: str | None = field(repr=False)
    provider_refresh_token: str | None = field(repr=False)
    created_at: datetime
    updated_at: datetime
    authentication_method: str
    auth_code_issued_at: datetime | None
    invite_token: str | None = field(repr=False)
    referrer: str | None
    oauth_client_state_id: UUID | None
    linking_target_id: UUID | None
    email_optional: bool


def challenge_matches(method: str | None, challenge: str | None, verifier: str) -> bool:
    """Whether the verifier is the one the challenge was made from.

    >>> challenge_matches("plain", "abc", "abc"), challenge_matches("s256", "abc", "abc")
    (True, False)
    """
    if method == "s256":
        digest = hashlib.sha256(verifier.encode()).digest()
        verifier = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
    return hmac.compare_digest(verifier.encode(), (challenge or "").encode())


async def begin(
    db: ServiceTransaction,
    ids: tuple[UUID, UUID],
    user_id: UUID,
    method: str,
    pkce: tuple[str, str],
    now: datetime,
    provider: str = "",
) -> None:
    """A flow for `user_id`; `ids` are the row's and the code's, `pkce` is challenge and challenge method."""
    row = {"id": ids[0], "auth_code": str(ids[1]), "user_id": user_id, "provider_type": provider or method}
    row |= {"authentication_method": method, "code_challenge": pkce[0], "code_challenge_method": pkce[1].lower()}
    db.write(insert(flow_states).values(**row, created_at=now, updated_at=now))


async def begin_external(
    db: ServiceTransaction,
    flow_id: UUID,
    provider: str,
    code: UUID | None,
    pkce: tuple[str, str],
    now: datetime,
    **values: object,
) -> None:
    """A sign-in that leaves for `provider`, its id being the state. With a code it is a PKCE flow, else implicit.

    `values` are `referrer`, `invite_token`, `oauth_client_state_id`, `linking_target_id` and `email_optional`.
    """
    row: dict[str, object] = {"id": flow_id, "provider_type": provider, "authentication_method": "oauth", **values}
    if code is not None:
        row |= {"auth_code": str(code), "code_challenge": pkce[0], "code_challenge_method": pkce[1].lower()}
    await db.execute(insert(flow_states).values(**row, created_at=now, updated_at=now))


async def find_by_state(db: ServiceTransaction, flow_id: UUID, lock: bool = False) -> FlowState | None:
    """The flow that left with this state; locked where it ends, because it comes back once."""
    statement = select(flow_states).where(flow_states.c.id == flow_id)
    row = (await db.execute(statement.with_for_update() if lock else statement)).mappings().one_or_none()
    return FlowState(**row) if row else None


async def claim(writer: Writer, flow_id: UUID, user_id: UUID, tokens: tuple[str, str]) -> bool:
    """The flow came back as `user_id`, unless it already had; `tokens` are the provider's access and refresh token."""
    values = {"user_id": user_id, "provider_access_token": tokens[0], "provider_refresh_token": tokens[1]}
    statement = update(flow_states).where(flow_states.c.id == flow_id, flow_states.c.user_id.is_(None))
    statement = statement.values(**values, auth_code_issued_at=writer.now, updated_at=writer.now)
    return bool((await writer.db.execute(statement)).rowcount)


async def issue_code(db: ServiceTransaction, user_id: UUID, method: str, now: datetime) -> str | None:
    """The code of the account's newest flow of this method; None when none is open."""
    mine = (flow_states.c.user_id == user_id) & (flow_states.c.authentication_method == method)
    newest = select(flow_states.c.id).where(mine).order_by(flow_states.c.created_at.desc()).limit(1)
    statement = update(flow_states).where(flow_states.c.id == newest.scalar_subquery())
    result = await db.execute(statement.values(auth_code_issued_at=now).returning(flow_states.c.auth_code))
    code: str | None = result.scalar()
    return code


async def find(db: ServiceTransaction, code: str) -> FlowState | None:
    """The flow of a code; locked, because a code is good for one exchange."""
    result = await db.execute(select(flow_states).where(flow_states.c.auth_code == code).with_for_update())
    row = result.mappings().one_or_none()
    return FlowState(**row) if row else None


def forget(db: ServiceTransaction, user_id: UUID) -> None:
    """End every flow of the account, also those that would link an identity to it."""
    mine = (flow_states.c.user_id == user_id) | (flow_states.c.linking_target_id == user_id)
    db.write(delete(flow_states).where(mine))


async def end(db: ServiceTransaction, flow_id: UUID) -> None:
    await db.execute(delete(flow_states).where(flow_states.c.id == flow_id))
