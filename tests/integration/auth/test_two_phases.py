"""The two phases of a request to auth: what a transaction keeps, and what must not run while it is open."""

from __future__ import annotations

import pytest
from minato.auth.app import AuthRoom
from minato.auth.request.context import RequestContext
from minato.auth.wire.errors import AuthError, CommittedError
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from starlette.requests import Request

from tests.support.server import Minato

NOTE = text("insert into minato.guesses (subject, kind, tries, tried_at) values (:subject, 'phase', 1, now())")
COUNT = "select count(*) from minato.guesses where subject = $1 and kind = 'phase'"


@pytest.fixture
def context(minato: Minato) -> RequestContext:
    room = minato.application.rooms["/auth/v1"]
    assert isinstance(room, AuthRoom)
    return room.context(Request({"type": "http", "headers": [], "query_string": b"", "client": None}), b"")


async def note(context: RequestContext, subject: str, refusal: Exception | None = None) -> None:
    async with context.transaction() as tx:
        await tx.db.execute(NOTE, {"subject": subject})
        if refusal is not None:
            raise refusal


async def test_nothing_is_hashed_while_a_transaction_is_open(context: RequestContext) -> None:
    async with context.transaction():
        with pytest.raises(AssertionError, match="a transaction is open"):
            await context.hash_password("secret")
    assert (await context.hash_password("secret")).startswith("$2a$")


async def test_nobody_is_called_while_a_transaction_is_open(context: RequestContext) -> None:
    async with context.read():
        with pytest.raises(AssertionError, match="a transaction is open"):
            await context.services.oidc.discover("https://provider.example")


async def test_a_request_holds_one_connection_at_a_time(context: RequestContext) -> None:
    async with context.transaction():
        with pytest.raises(AssertionError, match="a transaction is open"):
            async with context.read():
                pytest.fail("a second connection was taken")


async def test_postgresql_refuses_to_write_where_a_request_only_reads(context: RequestContext) -> None:
    with pytest.raises(DBAPIError) as refused:
        async with context.read() as tx:
            await tx.db.execute(NOTE, {"subject": "reading"})
    assert getattr(refused.value.orig, "sqlstate", None) == "25006"


async def test_the_same_connection_writes_after_it_has_read(minato: Minato, context: RequestContext) -> None:
    async with context.read() as tx:
        assert (await tx.db.execute(text("show transaction_read_only"))).scalar() == "on"
    await note(context, "after reading")
    assert await minato.db.fetchval(COUNT, "after reading") == 1


async def test_a_refusal_leaves_nothing_unless_it_is_a_mark(minato: Minato, context: RequestContext) -> None:
    with pytest.raises(AuthError):
        await note(context, "refused", AuthError(400, "unknown", "no"))
    with pytest.raises(CommittedError):
        await note(context, "marked", CommittedError(400, "unknown", "no"))
    with pytest.raises(ZeroDivisionError):
        await note(context, "broken", ZeroDivisionError())
    kept = [await minato.db.fetchval(COUNT, subject) for subject in ("refused", "marked", "broken")]
    assert kept == [0, 1, 0]
    assert len(context.committed) == 1
