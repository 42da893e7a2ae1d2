"""Questions about tables that others may drop at the same moment.

Functions of PostgreSQL such as `pg_get_publication_tables` open every table they tell of: they wait for a transaction
that drops one, and then fail over the whole question. Asked again, they see the catalogue without it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

import asyncpg

T = TypeVar("T")

# "could not open relation with OID"; a table, a trigger that is no more; the bare number that stands for a gone name.
GONE = (
    asyncpg.InternalServerError,
    asyncpg.UndefinedTableError,
    asyncpg.UndefinedObjectError,
    asyncpg.PostgresSyntaxError,
)
ATTEMPTS = 5


async def asked_again(ask: Callable[[], Awaitable[T]]) -> T:
    """What `ask` answers, asked anew when a table went meanwhile; after five attempts its error is raised."""
    for _ in range(ATTEMPTS - 1):
        try:
            return await ask()
        except GONE:
            continue
    return await ask()
