"""What stands in a database and in no dump of it: whose extensions are, and the rights on their members that were
there when they were created, as default privileges gave them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import asyncpg

from minato.database.address import DatabaseAddress

STATEMENTS = """
with members as (
    select 'pg_class'::regclass as class, oid, relowner as owner, relacl as acl, format('%s %s',
        case relkind when 'S' then 'sequence' else 'table' end, oid::regclass) as named
        from pg_class where relkind in ('r', 'v', 'm', 'p', 'f', 'S')
    union all select 'pg_proc'::regclass, oid, proowner, proacl, format('routine %s', oid::regprocedure) from pg_proc
    union all select 'pg_namespace'::regclass, oid, nspowner, nspacl, format('schema %I', nspname) from pg_namespace
    union all select 'pg_type'::regclass, oid, typowner, typacl, format('type %s', oid::regtype) from pg_type
    union all select 'pg_foreign_data_wrapper'::regclass, oid, fdwowner, fdwacl,
        format('foreign data wrapper %I', fdwname) from pg_foreign_data_wrapper)
select format('grant %s on %s to %s%s', a.privilege_type, m.named,
    case a.grantee when 0 then 'public' else a.grantee::regrole::text end,
    case when a.is_grantable then ' with grant option' else '' end)
from members m
join pg_depend d on d.classid = m.class and d.objid = m.oid and d.objsubid = 0 and d.deptype = 'e',
    aclexplode(m.acl) a
where d.refclassid = 'pg_extension'::regclass and a.grantee <> m.owner
union all
select format('select minato.give_extension(%L, %L)', extname, pg_get_userbyid(extowner))
from pg_extension where extowner <> current_user::regrole
"""


async def undumped(address: DatabaseAddress) -> list[str]:
    """The statements that say it to a database which a dump has filled."""
    async with _session(address) as session:
        return [statement for (statement,) in await session.fetch(STATEMENTS)]


async def say(address: DatabaseAddress, statements: Sequence[str]) -> None:
    """Carry them out, all or none."""
    async with _session(address) as session, session.transaction():
        for statement in statements:
            await session.execute(statement)


@asynccontextmanager
async def _session(address: DatabaseAddress) -> AsyncIterator[asyncpg.Connection]:
    # Names are written with their schemas where none is searched.
    own = {"application_name": "minato branches", "search_path": "pg_catalog"}
    session = await asyncpg.connect(address.admin, server_settings=own)
    try:
        yield session
    finally:
        await session.close()
