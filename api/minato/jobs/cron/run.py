"""One run of a job: a session of its user in its database, its command as one text, and what became of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import asyncpg

from minato.database.outage import CONNECTION_ERRORS
from minato.database.silence import notice_silence
from minato.database.wire.script import Outcome, Script

# How long a session may take to open.
START_SECONDS = 10.0
FAILED = Outcome(False, "connection failed")
TOO_SLOW = Outcome(False, "job startup timeout")

Began = Callable[[int], Awaitable[None]]
"""Is told PostgreSQL's process before the command is sent."""


async def run_command(url: str, command: str, began: Began) -> Outcome:
    """Run `command` at `url`; cancelled, it closes the session and leaves PostgreSQL's process to the caller."""
    try:
        named = {"application_name": "pg_cron"}
        connection = notice_silence(await asyncpg.connect(url, timeout=START_SECONDS, server_settings=named))
    except TimeoutError:
        return TOO_SLOW
    except (*CONNECTION_ERRORS, ValueError):
        return FAILED
    script = Script(connection)
    try:
        await began(script.process)
        return await script.run(command)
    finally:
        script.close()
