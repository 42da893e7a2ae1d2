"""http asks others and waits for their answer: the whole way through the server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import asyncpg
import pytest

from tests.support.loopback import Asked, Loopback, Told, loopback
from tests.support.server import Minato
from tests.support.waiting import PATIENCE, until, until_rows


@pytest.fixture
async def there() -> AsyncIterator[Loopback]:
    """Whom http asks."""
    async with loopback() as there:
        yield there


@pytest.fixture
async def db(own_minato: Minato) -> AsyncIterator[asyncpg.Connection]:
    """The owner of a served database; its requests may take as long as a slow machine wants."""
    connection = await asyncpg.connect(own_minato.backend.database.admin_dsn)
    await connection.execute("set role postgres")
    await connection.execute("create extension if not exists http with schema extensions")
    await connection.execute(f"set http.timeout_msec = {int(PATIENCE * 1000)}")
    await connection.execute("set search_path = public, extensions")
    async with asyncio.timeout(PATIENCE):
        await connection.execute("select net.wait_until_running()")
    try:
        yield connection
    finally:
        await connection.close()


async def test_pg_net_comes_with_http_and_is_the_owners(db: asyncpg.Connection) -> None:
    owners = "select extname, extowner::regrole::text from pg_extension where extname in ('http', 'pg_net') order by 1"
    assert [tuple(row) for row in await db.fetch(owners)] == [("http", "postgres"), ("pg_net", "postgres")]
    await db.execute("create extension if not exists pg_net with schema extensions")
    await db.execute("drop extension pg_net cascade")
    with pytest.raises(asyncpg.FeatureNotSupportedError, match="pg_net, which is not there") as refusal:
        await db.fetchval("select status from http_get('http://127.0.0.1/')")
    assert refusal.value.hint == "create extension pg_net;"


def echo(asked: Asked) -> Told:
    """What was asked, as JSON."""
    told = {"method": asked.method, "path": asked.path, "body": asked.body.decode(), "headers": asked.headers}
    return Told(201, told, headers={"x-told": "yes"})


async def test_an_answer_has_its_status_type_headers_and_content(db: asyncpg.Connection, there: Loopback) -> None:
    there.answer = echo
    row = await db.fetchrow("select *, content::json ->> 'path' as path from http_get($1)", f"{there.url}/a?b=c")
    assert (row["status"], row["content_type"], row["path"]) == (201, "application/json", "/a?b=c")
    found = {pair["field"].lower(): pair["value"] for pair in row["headers"]}
    assert found["x-told"] == "yes"


@pytest.mark.parametrize(
    ("call", "method", "body", "content_type"),
    [
        ('http_get($1, \'{"a": "b c"}\')', "GET", "", None),
        ("http_post($1, '{\"a\": 1}', 'application/json')", "POST", '{"a": 1}', "application/json"),
        ('http_post($1, \'{"a": "b c"}\'::jsonb)', "POST", "a=b%20c", "application/x-www-form-urlencoded"),
        ("http_put($1, 'Grüße', 'text/plain')", "PUT", "Grüße", "text/plain"),
        ("http_patch($1, '[]', 'application/json')", "PATCH", "[]", "application/json"),
        ("http_delete($1)", "DELETE", "", None),
        ("http_delete($1, 'x', 'text/plain')", "DELETE", "x", "text/plain"),
        ("http_head($1)", "HEAD", "", None),
    ],
)
async def test_every_method_arrives_as_it_was_asked(
    db: asyncpg.Connection, there: Loopback, call: str, method: str, body: str, content_type: str | None
) -> None:
    there.answer = lambda _: Told(204, b"", None)
    assert await db.fetchval(f"select status from {call}", f"{there.url}/x") == 204
    (asked,) = there.asked
    assert (asked.method, asked.body.decode(), asked.headers.get("content-type")) == (method, body, content_type)
    assert asked.path == ("/x?a=b%20c" if method == "GET" else "/x")


async def test_headers_of_a_request_are_sent(db: asyncpg.Connection, there: Loopback) -> None:
    """As chatbot-ui deletes a file: the whole row, with a key in a header."""
    await db.fetchval(
        """select status from http((
            'DELETE', $1, array[http_header('Authorization', 'Bearer key'), ('X-A', 'it''s \\')::http_header],
            null, null)::http_request)""",
        f"{there.url}/storage/v1/object/a/b.txt",
    )
    (asked,) = there.asked
    assert (asked.method, asked.path) == ("DELETE", "/storage/v1/object/a/b.txt")
    assert (asked.headers["authorization"], asked.headers["x-a"]) == ("Bearer key", "it's \\")


async def test_it_answers_within_a_transaction_that_is_rolled_back(db: asyncpg.Connection, there: Loopback) -> None:
    transaction = db.transaction(isolation="serializable")
    await transaction.start()
    assert await db.fetchval("select status from http_get($1)", there.url) == 200
    assert await db.fetchval("select status from http_get($1)", there.url) == 200
    await transaction.rollback()
    assert len(there.asked) == 2


async def test_nothing_of_a_request_stays(db: asyncpg.Connection, there: Loopback) -> None:
    await db.fetchval("select status from http_get($1)", there.url)
    for table in ("net.http_request_queue", "net._http_response"):
        assert await db.fetchval(f"select count(*) from {table}") == 0
    # PostgreSQL ends a session a moment after its client has left it.
    await until_rows(db, "select count(*) = 0 from pg_stat_activity where application_name ~ '^[0-9a-f-]{36}$'")


async def test_who_does_not_answer_in_time_is_an_error(db: asyncpg.Connection, there: Loopback) -> None:
    there.answer = lambda _: Told(0)
    await db.execute("select http_set_curlopt('CURLOPT_TIMEOUT_MS', '300')")
    with pytest.raises(asyncpg.RaiseError, match="Operation timed out after 300 milliseconds"):
        await db.fetchval("select status from http_get($1)", there.url)
    there.answer = lambda _: Told(200)
    await db.execute("select http_reset_curlopt()")
    assert await db.fetchval("select status from http_get($1)", there.url) == 200


async def test_a_statement_that_is_cancelled_leaves_no_session(db: asyncpg.Connection, there: Loopback) -> None:
    there.answer = lambda _: Told(0)
    await db.execute("set statement_timeout = '300ms'")
    with pytest.raises(asyncpg.QueryCanceledError):
        await db.fetchval("select status from http_get($1)", there.url)
    await db.execute("reset statement_timeout")
    there.answer = lambda _: Told(200)
    assert await db.fetchval("select status from http_get($1)", there.url) == 200


async def test_who_is_not_there_is_an_error(db: asyncpg.Connection) -> None:
    with pytest.raises(asyncpg.RaiseError, match="Could not connect to server"):
        await db.fetchval("select status from http_get('http://127.0.0.1:1/')")


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        ("(null, 'http://x', null, null, null)", "http_request.method is NULL"),
        ("('GET', null, null, null, null)", "http_request.uri is NULL"),
        ("('POST', 'http://x', null, 'text/plain', null)", "http_request.content is NULL"),
        ("('POST', 'http://x', null, null, 'a')", "http_request.content_type is NULL"),
        ("('G T', 'http://x', null, null, null)", "illegal HTTP method"),
        ("('GET', 'file:///etc/passwd', null, null, null)", 'Protocol "file" not supported'),
    ],
)
async def test_a_request_that_is_none_is_refused(db: asyncpg.Connection, request_: str, message: str) -> None:
    with pytest.raises(asyncpg.RaiseError, match=message):
        await db.fetchval(f"select status from http({request_}::http_request)")


async def test_values_stay_values(db: asyncpg.Connection, there: Loopback) -> None:
    there.answer = echo
    evil = "'); drop table net.http_request_queue; --"
    status = await db.fetchval(
        "select status from http(('POST', $1, array[http_header('X-A', $2)], 'text/plain', $2)::http_request)",
        f"{there.url}/?q=';--",
        evil,
    )
    assert (status, there.asked[0].body.decode(), there.asked[0].headers["x-a"]) == (201, evil, evil)
    assert there.asked[0].path == "/?q=';--"
    assert await db.fetchval("select to_regclass('net.http_request_queue') is not null")


async def test_a_caller_of_the_api_asks_by_a_function_of_the_projects(
    db: asyncpg.Connection, own_minato: Minato, there: Loopback
) -> None:
    await db.execute(
        "create function public.ask(url text) returns int language sql as "
        "$$ select status from extensions.http_get(url) $$; notify pgrst, 'reload schema'"
    )
    async with own_minato.client() as client, asyncio.timeout(PATIENCE):
        while True:
            answer = await client.post("/rest/v1/rpc/ask", json={"url": there.url})
            if answer.status_code != 404:  # the schema cache has not heard of the function yet
                break
    assert (answer.status_code, answer.json()) == (200, 200), answer.text


# What fits better than the extension's own functions: a role's and a database's name are no `text`.
MORE_EXACT = (
    "http_quoted(name)",
    "http_quoted(varchar)",
    "http_dblink_connect(text, varchar)",
    "http_dblink(text, varchar)",
    "http_queue(text, mine.http_request, bigint)",
    "http_answer(text, bigint, bigint)",
)


async def test_a_function_that_fits_better_is_never_called_as_the_superuser(
    db: asyncpg.Connection, there: Loopback
) -> None:
    """Of functions with one name PostgreSQL calls the one whose types fit best, and the schema is its owner's."""
    await db.execute("drop extension http cascade; create schema mine; create extension http with schema mine")
    for signature in MORE_EXACT:
        body = "begin execute 'alter role postgres superuser'; return null; end"
        await db.execute(f"create function mine.{signature} returns text language plpgsql as $$ {body} $$")
    assert await db.fetchval("select status from mine.http_get($1)", there.url) == 200
    assert not await db.fetchval("select rolsuper from pg_roles where rolname = 'postgres'")


async def test_what_a_call_has_looked_at_is_not_exchanged_while_it_waits(
    db: asyncpg.Connection, there: Loopback, own_minato: Minato
) -> None:
    there.answer = lambda _: Told(0)
    call = asyncio.create_task(db.fetchval("select status from http_get($1)", there.url))
    await until(lambda: bool(there.asked))
    other = await asyncpg.connect(own_minato.backend.database.admin_dsn)
    try:
        await other.execute("set role postgres; set lock_timeout = '50ms'")
        with pytest.raises(asyncpg.LockNotAvailableError):
            await other.execute("drop extension pg_net cascade")
    finally:
        call.cancel()
        await other.close()


@pytest.mark.parametrize("table", ["http_request_queue", "_http_response"])
async def test_nobody_hangs_triggers_on_the_tables_that_the_superuser_writes_to(
    db: asyncpg.Connection, table: str
) -> None:
    await db.execute("create function public.mine() returns trigger language plpgsql as 'begin return new; end'")
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await db.execute(f"create trigger mine before insert on net.{table} for each row execute function mine()")
