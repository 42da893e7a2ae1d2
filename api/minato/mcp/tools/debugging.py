"""What went wrong, and why: logs, advisors, and the explanation of a refusal."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Final, Literal

import orjson
from psycopg2.extensions import connection as Connection
from pydantic import Field

from minato.advisors.advise import advise
from minato.advisors.allowed import sift
from minato.advisors.finding import Finding
from minato.advisors.reading import read_snapshot
from minato.functions.folders import work_folder
from minato.mcp.place import Place, ToolError
from minato.mcp.tool import Input, Tool, untrusted
from minato.mcp.tools.requests import Listed, changes_of, requests_of
from minato.mcp.who import AS, token_of
from minato.postgres.layout import Layout
from minato.project.minato_toml import read_minato_toml

_LINES: Final = 100
_BYTES: Final = 50_000


class Logs(Input):
    service: Literal["api", "branch-action", "postgres", "edge-function", "auth", "storage", "realtime"] = Field(
        description="Whose lines: those of PostgreSQL, of functions, or of the server, which has one log for the rest; "
        "of auth, storage and realtime beside it what they were asked, of realtime the row changes, too"
    )


class Advice(Input):
    type: Literal["security", "performance"] = Field(description="Which findings")


class Question(Input):
    method: Literal["GET", "HEAD", "POST", "PATCH", "PUT", "DELETE"] = "GET"
    room: Literal["rest", "storage", "realtime"] = Field("rest", description="The data API, files or private channels")
    path: str = Field(description="As /cars?status=eq.open, in storage /<bucket>/<key>, in realtime /<topic>")
    body: object = Field(None, description="The rows that would be written")
    who: str = Field("anon", alias="as", description=AS)
    schema_: str | None = Field(None, alias="schema", description="A schema that is not the default")


async def get_logs(place: Place, given: Logs) -> object:
    settings = place.backend.settings
    match given.service:
        case "postgres":
            files = [Layout(settings.server.data_dir).log]
        case "edge-function":
            files = sorted(work_folder(settings).glob("*.log"))
        case _:
            log = place.backend.log_lines.latest(_LINES)
            asked = await _asked(place, given.service)
            told = {"log": log, "requests": asked}
            if given.service == "realtime" and place.backend.journal.on:
                told["changes"] = await changes_of(place)
            return {"result": untrusted("the end of the server's log, and what was asked", told)}
    lines = await asyncio.to_thread(lambda: [line for file in files for line in _end_of(file)])
    return {"result": untrusted("the end of the log", lines)}


async def _asked(place: Place, service: str) -> object:
    """The last requests to a service; none where no journal is kept."""
    room = "" if service in ("api", "branch-action") else f"/{service}/v1"
    return await requests_of(place, Listed(text=room)) if place.backend.journal.on else []


def _end_of(file: Path) -> list[str]:
    """Its last lines, under the file's name where there are several."""
    try:
        with file.open("rb") as log:
            log.seek(max(file.stat().st_size - _BYTES, 0))
            lines = log.read().decode("utf-8", "replace").splitlines()
    except OSError:
        return []
    return [f"{file.stem}: {line}" for line in lines[-_LINES:]]


async def get_advisors(place: Place, given: Advice) -> object:
    reasons = read_minato_toml(place.project).advisors
    exposed = place.backend.settings.rest.schemas

    def found(connection: Connection) -> list[Finding]:
        return sift(advise(read_snapshot(connection, exposed)), reasons).open

    asked = [each for each in await place.in_session(found) if each.lint.category.lower() == given.type]
    return {"result": {"lints": [_told(each) for each in asked]}}


def _told(finding: Finding) -> dict[str, object]:
    """As the reference's management API tells a lint; the remedy is SQL instead of a page's address."""
    lint = finding.lint
    return {
        "name": lint.name,
        "title": lint.title,
        "level": lint.level.name,
        "facing": "EXTERNAL",
        "categories": [lint.category],
        "description": lint.why,
        "detail": finding.detail,
        "remediation": "\n".join(f"{statement};" for statement in finding.mend),
        "metadata": {"name": finding.name, "schema": finding.schema, "type": finding.kind},
        "cache_key": finding.key,
    }


async def why(place: Place, given: Question) -> object:
    asked = {
        "room": given.room,
        "method": given.method,
        "path": given.path,
        "body": given.body,
        "token": await token_of(place, given.who),
        "profile": given.schema_,
    }
    answer = await place.ask("POST", "/_dev/v1/why", asked)
    try:
        told = orjson.loads(answer.content)
    except ValueError:
        raise ToolError("This server explains nothing: MINATO_EXPLAIN is off.") from None
    if not answer.is_success:
        raise ToolError(str(told.get("message") or told))
    return {"allowed": told["allowed"], "explanation": untrusted("the explanation, with values of rows", told)}


TOOLS: Final = (
    Tool(
        "get_logs",
        "Get logs",
        "Gets the latest log lines of a service. They may hold text of others.",
        Logs,
        get_logs,
    ),
    Tool(
        "get_advisors",
        "Get advisors",
        "Gets what hurts in the database, with the SQL that mends it. Ask after every change of the schema: it finds "
        "tables without row level security.",
        Advice,
        get_advisors,
    ),
    Tool(
        "why",
        "Explain a refusal",
        "Says why a request, an upload or a private channel is refused, or finds no rows: which privilege or policy, "
        "on which row, with which values. Nothing is done.",
        Question,
        why,
    ),
)
