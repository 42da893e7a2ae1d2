"""How PostgreSQL would run a request that was asked before: the statement and the settings of its caller, explained."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import orjson

from minato.database.as_caller import Setting, set_locally
from minato.database.outage import CONNECTION_ERRORS
from minato.database.wire.pool import SessionPool
from minato.database.wire.session import Command, StatementError
from minato.json_text import JsonObject
from minato.rest.errors import RestError
from minato.rest.plan.action import Action, ActionPlan
from minato.rest.sql.statement import Statement

WITHIN: Final = 2.0
SECONDS: Final = 10
TIMEOUT: Final = ("statement_timeout", f"{SECONDS}s")
CANCELLED: Final = "57014"
NO_STATEMENT: Final = "The request has no statement of its caller's: it asks for the description of a schema"
IS_A_PLAN: Final = "The request asks for a plan itself: its answer is one"
WRITES: Final = "The request writes, and analyze would run it; with force it is run and rolled back"


async def explained(
    sessions: SessionPool,
    plan: ActionPlan,
    statement: Statement | None,
    settings: Sequence[Setting],
    hook: str | None,
    analyze: bool,
    force: bool,
) -> JsonObject:
    """PostgreSQL's plan of `statement` for the role among `settings`. With `analyze` it is run, and what it did is
    undone, sequences aside; a write only by `force`. Raises RestError."""
    if statement is None or plan.action is Action.INSPECT:
        raise RestError(400, "not_planned", NO_STATEMENT)
    if statement.explains:
        raise RestError(400, "not_planned", IS_A_PLAN)
    if analyze and not plan.read_only and not force:
        raise RestError(400, "writes", WRITES)
    options = "FORMAT JSON, ANALYZE, BUFFERS" if analyze else "FORMAT JSON"
    role = dict(settings)["role"]
    # Only of what reads may PostgreSQL itself refuse that it writes.
    access = [("transaction_read_only", "on")] if plan.read_only else []
    first = [Command(*set_locally([*access, *settings, TIMEOUT]))]
    first += [Command(hook, scope=role)] if hook is not None else []
    try:
        async with sessions.asked(WITHIN) as session:
            await session.run(first, reset=False)
            asked = Command(f"EXPLAIN ({options}) {statement.text}", statement.values, role)
            ((row, *_),) = await session.run([asked], reset=False)
    except StatementError as error:
        raise _refused(error) from None
    except (TimeoutError, *CONNECTION_ERRORS) as error:
        raise RestError(503, "database_unreachable", f"The database did not answer: {type(error).__name__}") from None
    (told,) = orjson.loads(row[0] or b"[{}]")
    return {
        **{"analyzed": analyze, "writes": not plan.read_only, "role": role, "plan": told["Plan"]},
        **{"planning_ms": told.get("Planning Time"), "execution_ms": told.get("Execution Time")},
    }


def _refused(error: StatementError) -> RestError:
    message, hint = error.fields.get("M", ""), error.fields.get("H")
    if error.sqlstate == CANCELLED:
        hint = f"It took longer than {SECONDS} seconds."
    return RestError(400, error.sqlstate, message, error.fields.get("D"), hint)
