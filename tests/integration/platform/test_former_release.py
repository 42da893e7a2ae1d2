"""A database of release 0.1, whose one chain of migrations held platform and marketplace, goes on with nothing lost.

`release_0_1.sql.gz` is its `pg_dump --no-comments` with the small sample data and rows in nearly every table.
"""

from __future__ import annotations

import asyncio
import gzip
import re
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from pathlib import Path

import asyncpg
import pytest
from minato.database.address import DatabaseAddress
from minato.migrate.revisions import head
from minato.migrate.run import current
from minato.postgres.binaries import find_binaries

from tests.support.postgres import MARKETPLACE, Cluster

DUMP = Path(__file__).parents[2] / "fixtures" / "release_0_1.sql.gz"
LAST_OF_THE_ONE_CHAIN = "20261122000091"

HISTORY = "select version, statements from supabase_migrations.schema_migrations order by version"
TABLES = """
select format('%I.%I', n.nspname, c.relname) from pg_class c join pg_namespace n on n.oid = c.relnamespace
where c.relkind = 'r' and n.nspname in ('public', 'private', 'minato', 'auth', 'storage', 'realtime')
order by 1
"""
# What SQL may see of the schema, a line each; who owns and who was granted what included.
SCHEMA = """
with spaces as (select oid, nspname, nspacl from pg_namespace where nspname in
    ('public', 'private', 'minato', 'auth', 'storage', 'realtime', 'extensions', 'graphql_public', 'vault'))
select format('schema %s %s', nspname, (select array_agg(a::text order by a::text) from unnest(nspacl) a)) from spaces
union all select format('column %s.%s.%s %s %s %s %s', nspname, relname, attname, format_type(atttypid, atttypmod),
    attnotnull, attgenerated, pg_get_expr(adbin, adrelid))
from spaces join pg_class c on relnamespace = spaces.oid join pg_attribute a on attrelid = c.oid and attnum > 0
    left join pg_attrdef on adrelid = c.oid and adnum = attnum
where not attisdropped and relkind in ('r', 'v', 'm', 'p', 'c') and not relispartition
union all select format('relation %s.%s %s rls %s %s owner %s %s', nspname, relname, relkind, relrowsecurity,
    relforcerowsecurity, relowner::regrole, (select array_agg(a::text order by a::text) from unnest(
        coalesce(relacl, acldefault(case relkind when 'S' then 's' else 'r' end::"char", relowner))) a))
from spaces join pg_class on relnamespace = spaces.oid where relkind in ('r', 'v', 'm', 'p', 'S') and not relispartition
union all select format('constraint %s.%s %s', conrelid::regclass, conname, pg_get_constraintdef(k.oid))
from spaces join pg_constraint k on connamespace = spaces.oid
    left join pg_class c on c.oid = conrelid where not coalesce(relispartition, false)
union all select format('index %s', pg_get_indexdef(i.oid))
from spaces join pg_class i on i.relnamespace = spaces.oid and i.relkind = 'i' and not i.relispartition
    join pg_index on indexrelid = i.oid join pg_class t on t.oid = indrelid and not t.relispartition
union all select format('policy %s %s %s %s %s %s %s', polrelid::regclass, polname, polcmd, polpermissive,
    (select array_agg(r::regrole::text order by r::regrole::text) from unnest(polroles) r),
    pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid))
from pg_policy
union all select format('trigger %s', pg_get_triggerdef(t.oid))
from pg_trigger t join pg_class c on c.oid = tgrelid join spaces on spaces.oid = relnamespace
where not tgisinternal and not relispartition
union all select format('function %s owner %s %s', pg_get_functiondef(p.oid), proowner::regrole,
    (select array_agg(a::text order by a::text) from unnest(coalesce(proacl, acldefault('f', proowner))) a))
from spaces join pg_proc p on pronamespace = spaces.oid where prokind in ('f', 'p')
union all select format('published %s.%s %s %s', schemaname, tablename, attnames, pubname) from pg_publication_tables
order by 1
"""
# What only a database with a past has: its number in the one chain, the sample data it was given.
PASSING = re.compile(r"minato\.(former_chain|seeds)\b")
# What the marketplace's schema kept for the platform until then, and where it is now.
MOVED = {
    "private.pending_sign_ups": "minato.pending_sign_ups",
    "private.administrators": "minato.administrators",
    "private.answered_mails": "minato.answered_mails",
}


@pytest.fixture
async def former(cluster: Cluster) -> AsyncIterator[DatabaseAddress]:
    async with cluster.bare_database() as address:
        psql = find_binaries(None).program("psql")
        command = [str(psql), address.admin, "--quiet", "--set", "ON_ERROR_STOP=1", "--output", "/dev/null"]
        # The rights to the database itself are not in a dump of one.
        rights = b"select format('grant all on database %I to postgres', current_database()) \\gexec\n"
        script = rights + for_server(gzip.decompress(DUMP.read_bytes()), await cluster.version())
        restoring = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stderr=PIPE)
        _, said = await restoring.communicate(script)
        assert restoring.returncode == 0, said.decode()
        yield address


def for_server(dump: bytes, version: int) -> bytes:
    """The dump without what older servers don't know: before 17 one setting, which is off anyway, and one right. Those
    with pgcrypto and uuid-ossp of their own have none of the helpers of ours."""
    known = dump if version >= 17 else dump.replace(b"SET transaction_timeout = 0;\n", b"").replace(b",MAINTAIN", b"")
    return re.sub(
        rb"^(GRANT ALL ON FUNCTION extensions\.(pgcrypto_\w+|uuid_sha1)\(.*);$",
        rb"do $$ begin if exists (select from pg_catalog.pg_proc where proname = '\2') then \1; end if; end $$;",
        known,
        flags=re.MULTILINE,
    )


async def rows_by_table(db: asyncpg.Connection) -> dict[str, int]:
    names = [name for (name,) in await db.fetch(TABLES)]
    return {name: await db.fetchval(f"select count(*) from {name}") for name in names}


async def test_no_row_of_the_former_release_is_lost_and_nothing_runs_twice(
    cluster: Cluster, former: DatabaseAddress
) -> None:
    db = await asyncpg.connect(former.admin)
    try:
        before = await rows_by_table(db)
        assert sum(count > 0 for count in before.values()) > 60
        await cluster.upgrade(former)
        after = await rows_by_table(db)
        assert {MOVED.get(name, name): count for name, count in before.items()}.items() <= after.items()
        assert after["minato.pending_sign_ups"] == after["minato.answered_mails"] == 1
        history = await db.fetch(
            "select version, statements from supabase_migrations.schema_migrations order by version"
        )
        assert [version for version, _ in history] == [file.version for file in MARKETPLACE.migrations()]
        ran = [version for version, statements in history if statements is not None]
        assert all(version > LAST_OF_THE_ONE_CHAIN for version in ran)
        assert current(former.admin) == head()
        await cluster.upgrade(former)
    finally:
        await db.close()


async def test_its_schema_is_then_the_one_a_new_database_has(cluster: Cluster, former: DatabaseAddress) -> None:
    await cluster.upgrade(former)
    async with cluster.fresh_database() as fresh:
        adopted, new = await asyncpg.connect(former.admin), await asyncpg.connect(fresh.admin)
        try:
            has = {line for (line,) in await adopted.fetch(SCHEMA) if not PASSING.search(line)}
            wants = {line for (line,) in await new.fetch(SCHEMA)}
        finally:
            await adopted.close()
            await new.close()
    assert (sorted(has - wants), sorted(wants - has)) == ([], [])
