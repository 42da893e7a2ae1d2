"""The proof of a comparison: what it prints, run on the one database, leaves nothing to tell from the other."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from itertools import permutations

import psycopg2
import pytest
from minato.database.address import DatabaseAddress
from minato.project.statements import split_statements
from minato.schema_diff.diff import compare, script
from minato.schema_diff.scope import Scope

from tests.integration.schema_diff.schemas import ALL
from tests.support.postgres import Cluster

WHOLE = Scope()


def run(dsn: str, statements: str | list[str], role: str = "postgres") -> None:
    """In one transaction, as a migration runs."""
    found = [s.text for s in split_statements(statements)] if isinstance(statements, str) else statements
    connection = psycopg2.connect(dsn)
    try:
        with connection, connection.cursor() as cursor:
            cursor.execute(f"set role {role}")
            for statement in found:
                try:
                    cursor.execute(statement)
                except psycopg2.Error as error:
                    raise AssertionError(f"{statement}: {error}") from None
    finally:
        connection.close()


@pytest.fixture(scope="module")
async def platform(cluster: Cluster) -> AsyncIterator[Cluster]:
    """A cluster whose databases are cloned from the platform alone."""
    async with cluster.platform_database() as address:
        name = address.admin.rpartition("/")[2].partition("?")[0]
        yield Cluster(cluster.postgres, name, "minato_diff")


@pytest.mark.parametrize(("before", "after"), list(permutations(ALL, 2)))
async def test_any_schema_is_reached_from_any_other(platform: Cluster, before: str, after: str) -> None:
    async with platform.fresh_database() as source, platform.fresh_database() as target:
        await asyncio.to_thread(converge, source, target, ALL[before], ALL[after])


def converge(source: DatabaseAddress, target: DatabaseAddress, before: str, after: str) -> None:
    run(source.admin, before)
    run(target.admin, after)
    run(source.admin, compare(source.admin, target.admin, WHOLE))
    assert script(compare(source.admin, target.admin, WHOLE)) == ""
