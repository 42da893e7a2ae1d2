"""A hook in the database: a function that takes and returns JSON, within two seconds, in the caller's transaction."""

from __future__ import annotations

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from minato.database.identifiers import quote_qualified

TIMEOUT_MS = 2000


async def call_function(db: AsyncConnection, function: tuple[str, str], payload: bytes) -> str | None:
    """The JSON that the function answers `payload` with. Raises DBAPIError when it fails or takes too long."""
    await db.execute(text(f"set local statement_timeout to {TIMEOUT_MS}"))
    # Not bound as text: PostgreSQL then takes the type from the function, which may say json or jsonb.
    result = await db.exec_driver_sql(f"select {quote_qualified(*function)}($1)::text", (payload.decode(),))
    answer = result.scalar()
    await db.execute(text("set local statement_timeout to default"))
    return None if answer is None else str(answer)
