"""The schema `auth` is GoTrue's to the name of each column, index, constraint and label, so that a GoTrue goes on with
a database of ours.

`tests/fixtures/gotrue_schema.txt` is what CATALOGUE gives where the migrations of supabase/auth bc32168 have run.
"""

from __future__ import annotations

from pathlib import Path

import asyncpg

GOTRUES = Path(__file__).parents[2] / "fixtures/gotrue_schema.txt"
CATALOGUE = """
select c.relname || ' column ' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
    || case when a.attnotnull then ' not null' else '' end || case a.attgenerated when '' then '' else ' generated' end
from pg_attribute a join pg_class c on c.oid = a.attrelid
where c.relnamespace = 'auth'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
union all
select tablename || ' index ' || indexdef from pg_indexes where schemaname = 'auth'
union all
select r.relname || ' constraint ' || c.contype::text || ' ' || c.conname
from pg_constraint c join pg_class r on r.oid = c.conrelid
where c.connamespace = 'auth'::regnamespace and c.contype <> 'n'
union all
select t.typname || ' labels ' || string_agg(e.enumlabel, ', ' order by e.enumsortorder)
from pg_enum e join pg_type t on t.oid = e.enumtypid where t.typnamespace = 'auth'::regnamespace group by t.typname
"""


async def test_the_schema_is_that_of_gotrue(db: asyncpg.Connection) -> None:
    found = {row[0] for row in await db.fetch(CATALOGUE)}
    # The table of GoTrue's own tool for migrations is made by whichever program comes first.
    ours = {line for line in found if not line.startswith("schema_migrations ")}
    theirs = set(GOTRUES.read_text().splitlines())
    assert (sorted(ours - theirs), sorted(theirs - ours)) == ([], [])
