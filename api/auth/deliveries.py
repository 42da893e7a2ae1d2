"""What leaves after the commit: mails and text messages, and the way back when one of them can't be handed over.

A slow mail server then keeps nobody from the database; a refused message leaves the account as it was before.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from sqlalchemy import delete, update
from sqlalchemy.ext.asyncio import AsyncConnection

from api.auth import one_time_tokens
from api.auth.tables import one_time_tokens as tokens_table
from api.auth.tables import users
from api.auth.users import User

if TYPE_CHECKING:
    from api.auth.call import Call

_NOT_WRITTEN = frozenset({"id", "confirmed_at"})


@dataclass(frozen=True)
class Delivery:
    """One message. `before` is the account without it, None when the account was opened for it; `send` may refuse.

    `kind` and `address` name the one-time token that the message carries.
    """

    send: Callable[[], Awaitable[None]]
    user: User
    before: User | None
    kind: str
    address: str


def later(call: Call, send: Callable[[], Awaitable[None]], user: User, before: User, kind: str, address: str) -> None:
    """Send once this request's changes are committed."""
    known = None if user.id in call.opened else before
    call.deliveries.append(Delivery(send, user, known, kind, address))


async def deliver(call: Call) -> None:
    """Hand over what the request has to send; raises what refused the message, with its account put back."""
    try:
        for delivery in call.deliveries:
            await delivery.send()
    except BaseException:
        # A timeout too: whoever asks again must not be told to wait for a message that never left.
        async with call.connect() as db:
            await _take_back(db, call, call.deliveries)
            await db.commit()
        raise


async def _take_back(db: AsyncConnection, call: Call, deliveries: Sequence[Delivery]) -> None:
    for delivery in reversed(deliveries):
        mine = (users.c.id == delivery.user.id) & (users.c.updated_at == call.now)
        if delivery.before is None:
            await db.execute(delete(users).where(mine, users.c.confirmed_at.is_(None)))
        else:
            await _restore(db, call, delivery, delivery.before)


async def _restore(db: AsyncConnection, call: Call, delivery: Delivery, before: User) -> None:
    """The row as it was, unless another request has written to it since."""
    mine = (users.c.id == before.id) & (users.c.updated_at == call.now)
    # The same moment again, so that a second message of this request finds its row too.
    row = asdict(replace(before, updated_at=call.now))
    values = {name: value for name, value in row.items() if name not in _NOT_WRITTEN}
    restored = await db.execute(update(users).where(mine).values(values))
    if not restored.rowcount:
        return
    made = tokens_table.c.created_at == call.now.astimezone(UTC).replace(tzinfo=None)
    await db.execute(delete(tokens_table).where(tokens_table.c.user_id == before.id, made))
    earlier = getattr(before, delivery.kind, "")
    if earlier:
        sent_at: datetime = before.updated_at or call.now
        row_id = call.backend.entropy.uuid4()
        await one_time_tokens.replace(db, row_id, before.id, delivery.kind, delivery.address, earlier, sent_at)
