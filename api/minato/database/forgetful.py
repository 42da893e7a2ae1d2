"""Whether a pooler lets its sessions forget what one transaction's SQL left in them for the next, another caller's."""

from __future__ import annotations

from typing import Final

from minato.database.wire.session import Command, Session

# The pooler gives us the session that was used last, unless others take it first.
ATTEMPTS: Final = 50
MARK: Final = Command("select pg_backend_pid(),set_config('minato.left_behind','yes',false)")
LOOK: Final = Command("select pg_backend_pid(),coalesce(current_setting('minato.left_behind',true),'')")


class PoolerKeepsState(Exception):
    """What a caller's SQL sets would be the next caller's."""

    def __init__(self) -> None:
        super().__init__(
            "The pooler of DATABASE_URL does not reset sessions between transactions, so what one caller's SQL sets "
            "would reach the next: set server_reset_query = DISCARD ALL and server_reset_query_always = 1 in PgBouncer."
        )


async def require_forgetful(session: Session) -> None:
    """Raises PoolerKeepsState where a setting outlives its transaction."""
    (((marked, _),),) = await session.run([MARK])
    for _ in range(ATTEMPTS):
        (((process, left),),) = await session.run([LOOK])
        if left:
            raise PoolerKeepsState
        if process == marked:
            return
