"""`/_dev/v1/sql`: statements of a test, run as `postgres`, whom no policy holds back."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from decimal import Decimal
from typing import Annotated, Any, Final

import asyncpg
import orjson
from fastapi import FastAPI, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field

from minato.backend import Backend
from minato.json_text import JsonObject
from minato.project.statements import split_statements

TIMEOUT: Final = "30s"
CONNECT_SECONDS: Final = 10.0
MOST_ROWS: Final = 100_000
# What JSON writes as text, in and out.
TEXTS: Final = ("date", "time", "timetz", "interval", "inet", "cidr")
MOMENTS: Final = ("timestamp", "timestamptz")
FAILURES: Final = (asyncpg.PostgresError, asyncpg.InterfaceError)


class Script(BaseModel, extra="forbid"):
    """Statements, all or none of which are done. `values` stand for `$1`, `$2`, … of the only one; `limit` are the rows
    that are answered at most."""

    query: str = Field(pattern=r"^[^\x00]+$")
    values: list[Any] = []
    limit: Annotated[int, Field(ge=1, le=MOST_ROWS)] = 1000


def add_sql(app: FastAPI, backend: Backend) -> None:
    """The call."""

    @app.post("/v1/sql")
    async def sql(script: Script) -> Response:
        statements = [each.text for each in split_statements(script.query) if not each.is_comment]
        if not statements or (script.values and len(statements) > 1):
            message = "Values are for one statement." if statements else "There is no statement to run."
            return JSONResponse({"code": "bad_request", "message": message}, 400)
        try:
            async with _session(backend.database.admin_dsn) as connection:
                results = await _run(connection, statements, script)
        except FAILURES as error:
            return JSONResponse(_refusal(error), 400)
        except (OSError, TimeoutError) as error:
            message = f"The database cannot be reached: {type(error).__name__}."
            return JSONResponse({"code": "database_unreachable", "message": message}, 503)
        return Response(orjson.dumps({"results": results}, default=_plain), media_type="application/json")


@asynccontextmanager
async def _session(dsn: str) -> AsyncIterator[asyncpg.Connection]:
    settings = {"statement_timeout": TIMEOUT, "application_name": "minato sql", "timezone": "UTC"}
    connection = await asyncpg.connect(dsn, timeout=CONNECT_SECONDS, server_settings=settings, statement_cache_size=0)
    try:
        await connection.execute("set role postgres")
        for name in ("json", "jsonb"):
            await connection.set_type_codec(name, schema="pg_catalog", encoder=_json, decoder=orjson.loads)
        for name in (*TEXTS, *MOMENTS):
            decoder = _moment if name in MOMENTS else str
            await connection.set_type_codec(name, schema="pg_catalog", encoder=str, decoder=decoder)
        yield connection
    finally:
        await connection.close(timeout=CONNECT_SECONDS)


async def _run(connection: asyncpg.Connection, statements: Sequence[str], script: Script) -> list[JsonObject]:
    if len(statements) == 1:
        # VACUUM and the like want no transaction around them.
        return [await _one(connection, statements[0], script)]
    async with connection.transaction():
        return [await _one(connection, statement, script) for statement in statements]


async def _one(connection: asyncpg.Connection, statement: str, script: Script) -> JsonObject:
    began = time.perf_counter()
    prepared = await connection.prepare(statement)
    columns = [{"name": each.name, "type": each.type.name} for each in prepared.get_attributes()]
    rows = [dict(row) for row in await prepared.fetch(*script.values)]
    return {
        **{"command": prepared.get_statusmsg(), "columns": columns, "rows": rows[: script.limit]},
        **{"row_count": len(rows), "truncated": len(rows) > script.limit},
        "ms": round((time.perf_counter() - began) * 1000, 3),
    }


def _refusal(error: Exception) -> JsonObject:
    """PostgreSQL's code and words, or what is wrong with a value."""
    if not isinstance(error, asyncpg.PostgresError):
        return {"code": "bad_request", "message": str(error)}
    beside = {name: text for name in ("detail", "position") if (text := getattr(error, name, None))}
    told = {"code": error.sqlstate, "message": error.args[0], "hint": getattr(error, "hint", None)}
    return {**told, "details": beside or None}


def _json(value: object) -> str:
    return orjson.dumps(value).decode()


def _moment(text: str) -> str:
    """As the data API writes it; what no calendar has, as `infinity`, as it is.

    >>> _moment("2026-11-24 09:00:00+00"), _moment("infinity")
    ('2026-11-24T09:00:00+00:00', 'infinity')
    """
    try:
        return datetime.fromisoformat(text).isoformat()
    except ValueError:
        return text


def _plain(value: object) -> object:
    """What JSON has no form for: a number as near as it gets, a row as its columns, all else as text."""
    if isinstance(value, Decimal):
        return float(value) if value.is_finite() else str(value)
    if isinstance(value, asyncpg.Record):
        return dict(value)
    return f"\\x{value.hex()}" if isinstance(value, bytes) else str(value)
