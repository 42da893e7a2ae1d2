"""Migrations that name the version of a hosted project's image get an extension that does its work."""

from __future__ import annotations

import asyncpg
import pytest

PGMQ = "select pgmq.create('jobs'); select pgmq.send('jobs', '{}'); select pgmq.read('jobs', 1, 1)"
PGTAP = "select extensions.plan(1); select extensions.pass()"
HTTP = "select extensions.urlencode('a b')"


@pytest.mark.parametrize(
    ("extension", "schema", "version", "use"),
    [
        ("pgmq", "pgmq", "1.4.4", PGMQ),
        ("pgmq", "pgmq", "1.5.1", PGMQ),
        ("pgtap", "extensions", "1.2.0", PGTAP),
        ("pgtap", "extensions", "1.3.3", PGTAP),
        ("http", "extensions", "1.5", HTTP),
        ("http", "extensions", "1.6", HTTP),
        ("pgjwt", "extensions", "0.2.0", "select extensions.sign('{}', 'secret')"),
        ("pg_jsonschema", "extensions", "0.2.0", "select extensions.json_matches_schema('{}', '1')"),
        ("pg_jsonschema", "extensions", "0.3.1", "select extensions.json_matches_schema('{}', '1')"),
        ("pg_net", "extensions", "0.14.0", "select net.http_get('http://127.0.0.1:9/')"),
        ("pg_graphql", "graphql", "1.5.9", "select graphql.resolve('')"),
        ("supabase_vault", "vault", "0.3.1", "select vault.create_secret('x')"),
    ],
)
async def test_the_version_of_an_image_is_taken(
    owner: asyncpg.Connection, extension: str, schema: str, version: str, use: str
) -> None:
    if schema == "pgmq":
        await owner.execute("create schema pgmq")
    await owner.execute(f'create extension if not exists "{extension}" with schema "{schema}" version \'{version}\'')
    found = await owner.fetchval("select extversion from pg_extension where extname = $1", extension)
    assert found == version
    await owner.execute(use)


@pytest.mark.parametrize("version", ["0.5.1", "0.8.0"])
async def test_so_is_one_of_vector_where_the_server_has_it(owner: asyncpg.Connection, version: str) -> None:
    statement = f"create extension vector with schema extensions version '{version}'"
    if not await owner.fetchval("select true from pg_available_extensions where name = 'vector'"):
        with pytest.raises(asyncpg.FeatureNotSupportedError, match='extension "vector" is not available'):
            await owner.execute(statement)
        return
    await owner.execute(statement)
    assert await owner.fetchval("select extversion from pg_extension where extname = 'vector'") == version
    await owner.execute("select '[1,2]'::extensions.vector")


@pytest.mark.parametrize("version", ["1.4-1", "1.5", "1.6"])
async def test_so_is_one_of_cron_which_is_one_database_s_own(owner: asyncpg.Connection, version: str) -> None:
    ways = "select path from pg_extension_update_paths('pg_cron') where source = '1.6.4' and target = $1"
    assert await owner.fetchval(ways, version) == f"1.6.4--{version}"


async def test_a_version_nobody_has_is_refused(owner: asyncpg.Connection) -> None:
    with pytest.raises(asyncpg.InvalidParameterValueError, match="no installation script"):
        await owner.execute("create extension pgmq version '99'")
