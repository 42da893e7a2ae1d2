"""What leaves after the commit: mails and text messages, and the way back when one of them can't be handed over.

A slow mail server then keeps nobody from the database; a refused message leaves the account as it was before.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import asdict, replace
from datetime import UTC

from sqlalchemy import delete, update

from minato.auth.request.context import Delivery, RequestContext, Transaction
from minato.auth.request.data import RequestData
from minato.auth.rows import one_time_tokens
from minato.auth.rows.one_time_tokens import NewToken
from minato.auth.rows.tables import Writer, users
from minato.auth.rows.tables import one_time_tokens as tokens_table
from minato.auth.rows.users import User
from minato.database.wire.transaction import ServiceTransaction

_NOT_WRITTEN = frozenset({"id", "confirmed_at"})


async def deliver(context: RequestContext) -> None:
    """Hand over what the request has committed; raises what refused a message, with every change for it taken back."""
    committed, context.committed = context.committed, []
    try:
        for tx in committed:
            for delivery in tx.deliveries:
                await delivery.send(context)
    except BaseException:
        # A timeout too: whoever asks again must not be told to wait for a message that never left.
        async with context.transaction() as undoing:
            for delivery in reversed([delivery for tx in committed for delivery in tx.deliveries]):
                await delivery.take_back(undoing.db)
        raise
    for tx in committed:
        for send in tx.after_commit:
            await send(context)


def later(tx: Transaction, send: Callable[[RequestContext], Awaitable[None]], before: User, token: NewToken) -> None:
    """Send a one-time token once it is committed; `before` is the account as it was without it."""

    async def take_back(db: ServiceTransaction) -> None:
        mine = (users.c.id == before.id) & (users.c.updated_at == tx.now)
        if before.id in tx.opened:
            await db.execute(delete(users).where(mine, users.c.confirmed_at.is_(None)))
        else:
            await _restore(db, tx, before, token)

    tx.deliveries.append(Delivery(send, take_back))


async def _restore(db: ServiceTransaction, data: RequestData, before: User, token: NewToken) -> None:
    """The row as it was, unless another request has written to it since."""
    mine = (users.c.id == before.id) & (users.c.updated_at == data.now)
    # The same moment again, so that a second message of this request finds its row too.
    row = asdict(replace(before, updated_at=data.now))
    values = {name: value for name, value in row.items() if name not in _NOT_WRITTEN}
    restored = await db.execute(update(users).where(mine).values(values))
    if not restored.rowcount:
        return
    made = tokens_table.c.created_at == data.now.astimezone(UTC).replace(tzinfo=None)
    await db.execute(delete(tokens_table).where(tokens_table.c.user_id == before.id, made))
    earlier = getattr(before, token.column)
    if earlier:
        writer = Writer(db, before.updated_at or data.now, data.backend.entropy)
        one_time_tokens.replace(writer, before.id, NewToken(token.column, token.address, earlier))
