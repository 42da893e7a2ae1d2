"""Where pgvector lies in this database, whether it can be had at all, and how it gets there.

The extension is created with the first index, not before: a migration of the project's may say `create extension
vector` without `if not exists`.
"""

from __future__ import annotations

from sqlalchemy import TextClause, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

from minato.database.identifiers import quote_identifier
from minato.storage.transactions import Transactions
from minato.storage.vectors.errors import no_pgvector, out_of_reach

# Of the type, not of the extension alone: one that was left out has a name and nothing else.
PLACE = """
select n.nspname::text as schema, has_schema_privilege(n.oid, 'usage') as open
from pg_extension e
join pg_depend d on d.refclassid = 'pg_extension'::regclass and d.refobjid = e.oid and d.deptype = 'e'
join pg_type t on d.classid = 'pg_type'::regclass and d.objid = t.oid and t.typname = 'vector'
join pg_namespace n on n.oid = t.typnamespace
where e.extname = 'vector'
"""
# `left-out` is ours: `minato.postgres.extensions`.
AVAILABLE = (
    "select exists (select from pg_available_extensions where name = 'vector' and default_version <> 'left-out')"
)
LOCK = text("select pg_advisory_xact_lock(hashtextextended('minato: create extension vector', 0))")
AS_DEVELOPER = text("set local role postgres")
CREATE = text("create extension if not exists vector with schema extensions")


async def find_pgvector(connection: AsyncConnection) -> str | None:
    """The schema of the type, quoted; None where the extension is not created. Raises NotImplemented (501)."""
    found = (await connection.exec_driver_sql(PLACE)).one_or_none()
    if found is None:
        return None
    if not found.open:
        raise out_of_reach(found.schema)
    return quote_identifier(found.schema)


async def require_pgvector(connection: AsyncConnection) -> None:
    """Raises NotImplemented (501) where the extension neither is nor can be."""
    if await find_pgvector(connection) is None and not (await connection.exec_driver_sql(AVAILABLE)).scalar():
        raise no_pgvector()


async def keep_pgvector(transactions: Transactions, connection: AsyncConnection) -> str:
    """The schema of the type, quoted; the extension is created where it is not. Raises NotImplemented (501)."""
    found = await find_pgvector(connection)
    if found is None:
        # As the developer's own, who may then drop it, which a reset does; where PostgreSQL lets only an administrator
        # create it, as theirs.
        if not await _created(transactions, AS_DEVELOPER):
            await _created(transactions)
        found = await find_pgvector(connection)
    if found is None:
        raise no_pgvector()
    return found


async def _created(transactions: Transactions, *first: TextClause) -> bool:
    """Whether the extension could be created behind these statements; PostgreSQL's log says why not."""
    try:
        async with transactions.as_owner() as owner:
            for statement in (*first, LOCK, CREATE):
                await owner.execute(statement)
    except DBAPIError as error:
        if error.connection_invalidated:
            raise
        return False
    return True
