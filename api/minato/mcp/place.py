"""Where a tool acts: main, or a branch. By SQL as `postgres`, by HTTP as any client would."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple, Protocol, TypeVar

import asyncpg
import httpx
import orjson
import psycopg2
from psycopg2.extensions import connection as Connection

from minato.backend import Backend
from minato.http.asgi import ASGIApp
from minato.json_text import JsonObject
from minato.project.folder import Project
from minato.project.statements import split_statements

TIMEOUT: Final = "30s"
# What a client that waits for an answer has patience for.
SECONDS: Final = 60.0
OURSELVES: Final = ("127.0.0.1", 0)
MOST_ROWS: Final = 1000
_JSON: Final = {"content-type": "application/json"}
T = TypeVar("T")


class ToolError(Exception):
    """Why a tool did not do what was asked, in words for the assistant."""


class Ran(NamedTuple):
    """What a statement gave: its rows, or what it says of itself where it has none; `is_cut`: there are more."""

    rows: list[dict[str, object]]
    status: str
    is_cut: bool = False


class Bench(Protocol):
    """What the commands know how to do with a database, by the name it has on main's server."""

    def owner_url(self, database: str) -> str:
        """How `postgres` logs in there."""
        ...

    def types(self, connection: Connection, schemas: Sequence[str]) -> str:
        """The TypeScript types of its schemas."""
        ...


@dataclass(frozen=True)
class Place:
    """One backend. `prefix` is where `front` has it, `database` its database's name; `branch` is None for main."""

    front: ASGIApp = field(repr=False)
    backend: Backend = field(repr=False)
    bench: Bench = field(repr=False)
    database: str
    branch: str | None = None
    read_only: bool = False

    @property
    def prefix(self) -> str:
        return f"/b/{self.branch}" if self.branch is not None else ""

    @property
    def project(self) -> Project | None:
        """The project's folder; None where there is none."""
        root = self.backend.settings.server.project
        return Project(root) if root is not None else None

    async def sql(self, script: str, read_only: bool) -> Ran:
        """Run statements, all or none; what the last one gave. What is `read_only` can't be made
        otherwise: each statement has a transaction of its own, which none that came before may have changed. Raises
        ToolError."""
        statements = [each.text for each in split_statements(script) if not each.is_comment]
        if not statements:
            raise ToolError("There is no statement to run.")
        try:
            connection = await self._connected()
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
            raise ToolError(f"The database can't be reached: {error}") from None
        try:
            return await _run(connection, statements, read_only)
        except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError) as error:
            raise ToolError(_failed(error)) from None
        finally:
            await connection.close()

    async def one(self, query: str, *values: object) -> JsonObject | None:
        """The first row of a query. Raises asyncpg.PostgresError."""
        connection = await self._connected()
        try:
            found = await connection.fetchrow(query, *values)
            return dict(found) if found is not None else None
        finally:
            await connection.close()

    async def ask(
        self,
        method: str,
        path: str,
        body: object = None,
        headers: Mapping[str, str] | None = None,
        of_host: bool = False,
    ) -> httpx.Response:
        """The answer to a request, as the service; below `/_dev` as the developer. `of_host`: it is not a branch's."""
        key = self.backend.api_keys.service_role
        sent = {"apikey": key, "authorization": f"Bearer {key}"} if headers is None else dict(headers)
        token = self.backend.settings.server.dev_token
        if path.startswith("/_dev"):
            sent = {"authorization": f"Bearer {token.get_secret_value()}"} if token is not None else {}
        transport = httpx.ASGITransport(self.front, raise_app_exceptions=False, client=OURSELVES)
        base = f"http://127.0.0.1{'' if of_host else self.prefix}"
        async with httpx.AsyncClient(transport=transport, timeout=SECONDS) as client:
            content = None if body is None else orjson.dumps(body)
            try:
                return await client.request(method, f"{base}{path}", headers={**_JSON, **sent}, content=content)
            except httpx.InvalidURL as error:
                raise ToolError(f"{path[:200]} is no path: {error}") from None

    async def told(self, method: str, path: str, body: object = None, of_host: bool = False) -> JsonObject:
        """The JSON of an answer. Raises ToolError for one that refuses, in its own words."""
        answer = await self.ask(method, path, body, of_host=of_host)
        if not answer.is_success:
            raise ToolError(refusal(answer))
        return answer.json() if answer.content else {}

    async def in_session(self, work: Callable[[Connection], T]) -> T:
        """What `work` gives, done in a session of `postgres` and in a thread. Raises ToolError."""

        def working() -> T:
            connection: Connection = psycopg2.connect(self.bench.owner_url(self.database))
            connection.autocommit = True
            try:
                with connection.cursor() as cursor:
                    cursor.execute(f"set role postgres; set statement_timeout = '{TIMEOUT}'")
                return work(connection)
            finally:
                connection.close()

        try:
            return await asyncio.to_thread(working)
        except psycopg2.Error as error:
            raise ToolError(f"PostgreSQL refused: {str(error).strip()}") from None

    async def _connected(self) -> asyncpg.Connection:
        settings = {"statement_timeout": TIMEOUT, "application_name": "minato mcp"}
        connection = await asyncpg.connect(
            self.bench.owner_url(self.database), timeout=10, server_settings=settings, statement_cache_size=0
        )
        try:
            await connection.execute("set role postgres")
            for name in ("json", "jsonb"):
                await connection.set_type_codec(name, schema="pg_catalog", encoder=str, decoder=orjson.loads)
        except BaseException:
            await connection.close()
            raise
        return connection


async def _run(connection: asyncpg.Connection, statements: Sequence[str], read_only: bool) -> Ran:
    if read_only:
        ran = Ran([], "")
        for statement in statements:
            # Within a savepoint nothing can be set to read and write any more.
            async with connection.transaction(readonly=True), connection.transaction():
                ran = await _one(connection, statement)
        return ran
    if len(statements) == 1:
        # VACUUM and the like want no transaction around them.
        return await _one(connection, statements[0])
    async with connection.transaction():
        for statement in statements[:-1]:
            await _one(connection, statement)
        return await _one(connection, statements[-1])


async def _one(connection: asyncpg.Connection, statement: str) -> Ran:
    prepared = await connection.prepare(statement)
    if not prepared.get_attributes():
        await prepared.fetch()
        return Ran([], prepared.get_statusmsg())
    async with connection.transaction():
        cursor = await prepared.cursor()
        rows = await cursor.fetch(MOST_ROWS + 1)
    return Ran([dict(row) for row in rows[:MOST_ROWS]], "", len(rows) > MOST_ROWS)


def _failed(error: Exception) -> str:
    """PostgreSQL's words, with its code and what it says beside."""
    if not isinstance(error, asyncpg.PostgresError):
        return f"Failed to run the query: {error}"
    beside = [f"{name}: {text}" for name in ("detail", "hint") if (text := getattr(error, name, None))]
    return "\n".join([f"ERROR:  {error.sqlstate}: {error.args[0]}", *beside])


def refusal(answer: httpx.Response) -> str:
    """What an answer says went wrong.

    >>> refusal(httpx.Response(404, json={"code": "x", "message": "None.", "hint": "Known: main."}))
    'x: None. Known: main.'
    """
    try:
        told = answer.json()
    except ValueError:
        return f"{answer.status_code}: {answer.text[:500]}"
    if not isinstance(told, dict):
        return f"{answer.status_code}: {told}"
    message = told.get("message") or told.get("msg") or told.get("error_description") or told.get("error") or told
    code = told.get("code") or told.get("error_code") or answer.status_code
    return f"{code}: {message} {told.get('hint') or ''}".strip()
