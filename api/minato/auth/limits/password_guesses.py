"""Wrong passwords are slowed: by account and address, and by account for addresses it was never signed in from.

No stranger can lock the owner out: the first limit is the stranger's own, and the second spares where the owner is.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import cast, select
from sqlalchemy.dialects.postgresql import CIDR

from minato.auth.request.context import RequestContext
from minato.auth.rows.tables import sessions
from minato.auth.wire.errors import over_request_rate
from minato.http.client_address import subscriber
from minato.limits.buckets import Allowance

MINUTE, WIDER = 60.0, 10


@dataclass(frozen=True)
class Attempt:
    """A try at a password, counted until it turns out right."""

    context: RequestContext
    taken: tuple[tuple[str, Allowance], ...] = ()

    async def forgive(self) -> None:
        """The password was right: it counts no more."""
        for key, allowance in self.taken:
            await self.context.services.limits.buckets.give(key, allowance)


async def require_attempt(context: RequestContext, account: str, user_id: UUID | None) -> Attempt:
    """Refuses with 429 one wrong password too many; `account` is what was typed in, whether or not it exists."""
    tries = context.settings.security_password_tries
    if not tries or context.services.limits.is_spared(context.http.scope):
        return Attempt(context)
    # Hashed: what was typed in may be long.
    key = f"password {hashlib.sha256(account.lower().encode()).hexdigest()}"
    address = subscriber(context.ip)
    here, everywhere = Allowance(1 / MINUTE, tries), Allowance(1 / MINUTE, tries * WIDER)
    mine = (f"{key} {address}", here)
    wait = await context.services.limits.buckets.take(*mine)
    if wait:
        raise over_request_rate(wait)
    wait = await context.services.limits.buckets.take(key, everywhere)
    if not wait:
        return Attempt(context, (mine, (key, everywhere)))
    if await _is_at_home(context, user_id, address):
        return Attempt(context, (mine,))
    raise over_request_rate(wait)


async def _is_at_home(context: RequestContext, user_id: UUID | None, address: str) -> bool:
    """Whether the account has a session that was opened or refreshed from there."""
    if user_id is None:
        return False
    near = sessions.c.ip.op("<<=")(cast(address, CIDR))
    statement = select(sessions.c.id).where(sessions.c.user_id == user_id, near).limit(1)
    async with context.read() as tx:
        return (await tx.db.execute(statement)).first() is not None
