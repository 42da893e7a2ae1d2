"""What leaves after the commit: mails and text messages, and the way back when one of them can't be handed over.

A slow mail server then keeps nobody from the database; a refused message leaves the account as it was before.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass, replace
from datetime import UTC
from typing import TYPE_CHECKING

from sqlalchemy import delete, update
from sqlalchemy.ext.asyncio import AsyncConnection

from minato.auth import one_time_tokens
from minato.auth.tables import one_time_tokens as tokens_table
from minato.auth.tables import users
from minato.auth.users import User

if TYPE_CHECKING:
    from minato.auth.call import Call

_NOT_WRITTEN = frozenset({"id", "confirmed_at"})


@dataclass(frozen=True)
class Delivery:
    """One message: `send` may refuse, and `take_back` then undoes what the request wrote for it."""

    send: Callable[[], Awaitable[None]]
    take_back: Callable[[AsyncConnection], Awaitable[None]]


async def deliver(call: Call) -> None:
    """Hand over what the request has to send; raises what refused a message, with every change for it taken back."""
    try:
        for delivery in call.deliveries:
            await delivery.send()
    except BaseException:
        # A timeout too: whoever asks again must not be told to wait for a message that never left.
        async with call.connect() as db:
            for delivery in reversed(call.deliveries):
                await delivery.take_back(db)
            await db.commit()
        raise
    for tell in call.afterwards:
        await tell()


def later(call: Call, send: Callable[[], Awaitable[None]], before: User, kind: str, address: str) -> None:
    """Send a one-time token once it is committed; `before` is the account as it was without it.

    `kind` is the column the token is in, `address` where it goes.
    """

    async def take_back(db: AsyncConnection) -> None:
        mine = (users.c.id == before.id) & (users.c.updated_at == call.now)
        if before.id in call.opened:
            await db.execute(delete(users).where(mine, users.c.confirmed_at.is_(None)))
        else:
            await _restore(db, call, before, kind, address)

    call.deliveries.append(Delivery(send, take_back))


async def _restore(db: AsyncConnection, call: Call, before: User, kind: str, address: str) -> None:
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
    earlier = getattr(before, kind)
    if earlier:
        row_id = call.backend.entropy.uuid4()
        sent_at = before.updated_at or call.now
        await one_time_tokens.replace(db, row_id, before.id, kind, address, earlier, sent_at)
