"""What waits for a processor or another server can't be reached where auth's transactions are open (0019)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from minato.auth.external.catalogue import find_provider
from minato.auth.hooks.invocation import invoke
from minato.auth.request.context import ReadTransaction, RequestContext, Transaction
from minato.auth.rows import users
from minato.auth.rows.users import User

AUTH = Path(__file__).parents[3] / "api" / "minato" / "auth"
OPENERS = frozenset({"read", "transaction"})


async def a_transaction_reaches_nothing_that_waits(tx: Transaction) -> None:
    """Never run: mypy reads it, and an error below that is none any more is one itself (warn_unused_ignores)."""
    await tx.hash_password("x")  # type: ignore[attr-defined]
    await tx.verify_password("x", None)  # type: ignore[attr-defined]
    await tx.unguessable_password()  # type: ignore[attr-defined]
    await tx.require_rate("user")  # type: ignore[attr-defined]
    tx.services  # type: ignore[attr-defined]  # noqa: B018
    tx.backend.outgoing  # type: ignore[attr-defined]  # noqa: B018
    tx.backend.mailer  # type: ignore[attr-defined]  # noqa: B018
    tx.backend.sms  # type: ignore[attr-defined]  # noqa: B018
    tx.backend.buckets  # type: ignore[attr-defined]  # noqa: B018
    tx.backend.database  # type: ignore[attr-defined]  # noqa: B018
    tx.transaction()  # type: ignore[attr-defined]
    await find_provider(tx, "google")  # type: ignore[arg-type]
    await invoke(tx, "send_email", {})  # type: ignore[arg-type]


async def a_request_outside_of_a_transaction_reaches_no_row(context: RequestContext, user: User) -> None:
    """Never run, as above."""
    await users.change(context.db, user, context.now)  # type: ignore[attr-defined]
    await context.record(user, "login")  # type: ignore[attr-defined]


async def a_transaction_that_reads_sends_and_records_nothing(tx: ReadTransaction, user: User) -> None:
    """Never run, as above."""
    await tx.record(user, "login")  # type: ignore[attr-defined]
    tx.deliveries.clear()  # type: ignore[attr-defined]


def opened(tree: ast.Module) -> Iterator[tuple[str, ast.AsyncWith]]:
    """Each `async with context.read()` or `.transaction()`, with the name of the request it is opened by."""
    for block in ast.walk(tree):
        for item in block.items if isinstance(block, ast.AsyncWith) else ():
            called = item.context_expr.func if isinstance(item.context_expr, ast.Call) else None
            if isinstance(called, ast.Attribute) and called.attr in OPENERS and isinstance(called.value, ast.Name):
                assert isinstance(block, ast.AsyncWith)
                yield called.value.id, block


def leaks(tree: ast.Module) -> list[int]:
    """The lines that speak of the request itself while a transaction of it is open."""
    return [
        node.lineno
        for name, block in opened(tree)
        for statement in block.body
        for node in ast.walk(statement)
        if isinstance(node, ast.Name) and node.id == name
    ]


@pytest.mark.parametrize("file", sorted(AUTH.rglob("*.py")), ids=lambda file: file.relative_to(AUTH).as_posix())
def test_while_a_transaction_is_open_only_it_is_spoken_of(file: Path) -> None:
    """The types hold functions; this holds a function that has both, the request and its transaction, at hand."""
    assert leaks(ast.parse(file.read_text())) == []


def test_hashing_within_a_transaction_is_found() -> None:
    written = """
async def endpoint(context):
    async with context.transaction() as tx:
        await users.change(tx.db, await context.hash_password("x"))
"""
    assert leaks(ast.parse(written)) == [4]


def test_hooks_alone_call_out_of_a_transaction() -> None:
    """The one way out of a transaction is for the two hooks that GoTrue calls there, too."""
    users_of_it = {
        file.relative_to(AUTH).as_posix()
        for file in AUTH.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text()))
        if (isinstance(node, ast.Attribute) and node.attr == "web_hooks")
        or (isinstance(node, ast.Name) and node.id == "invoke_within")
    }
    assert users_of_it == {"request/context.py", "hooks/invocation.py", "hooks/points.py"}
