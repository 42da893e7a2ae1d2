"""What the database knows of published tables, asked as the owner, statement by statement."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import RowMapping
from sqlalchemy.exc import DBAPIError

from minato.database.database import Database
from minato.database.engines import OWNER, cause_of

PUBLISHED = """
select c.oid, n.nspname as schema, c.relname as table,
       (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::bigint as lsn
  from minato.published_tables($1) as p(oid)
  join pg_class c using (oid)
  join pg_namespace n on n.oid = c.relnamespace
 where n.nspname like (case $2 when '*' then '%' else $2 end) escape ''
   and c.relname like (case $3 when '*' then '%' else $3 end) escape ''
"""

COLUMNS = """
select c.relrowsecurity as row_security, a.attname as name, t.typname as type_name,
       format_type(a.atttypid, null) as type_label, a.atttypid as type_oid,
       quote_ident(base_schema.nspname) || '.' || quote_ident(base.typname) as cast_type, base.typname as base_name,
       coalesce(a.attnum = any (k.indkey), false) as is_key,
       array(select r.rolname from pg_roles r
              where r.rolname = any ($2::text[]) and has_column_privilege(r.oid, c.oid, a.attnum, 'SELECT')) as readers
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  join pg_type t on t.oid = a.atttypid
  left join pg_index k on k.indrelid = c.oid and k.indisprimary
  cross join lateral (
        with recursive chain as (
             select t.oid, t.typtype, t.typbasetype
              union all
             select b.oid, b.typtype, b.typbasetype from chain join pg_type b on b.oid = chain.typbasetype
              where chain.typtype = 'd')
        select oid from chain where typtype <> 'd') plain
  join pg_type base on base.oid = plain.oid
  join pg_namespace base_schema on base_schema.oid = base.typnamespace
 where c.oid = $1
 order by a.attnum
"""

# Longer than a statement of the owner's may take: nobody answers any more, though nothing said so.
ANSWER_SECONDS = 20.0
# A client's pattern may take PostgreSQL for ever, and everybody's changes wait for a batch.
PATTERN_SECONDS = 1.0


@dataclass(frozen=True)
class ColumnFacts:
    """A column now: its type's name as clients see it, what to cast its text to, and the roles that may SELECT it.

    A domain is cast to its base type: the value passed its checks already, and they are users' code.
    """

    name: str
    type_name: str
    type_label: str
    type_oid: int
    cast_type: str
    base_name: str
    is_key: bool
    readers: frozenset[str]


@dataclass(frozen=True)
class TableFacts:
    """A table now. `columns` by name, in attnum order."""

    row_security: bool
    columns: dict[str, ColumnFacts]

    @property
    def key(self) -> list[ColumnFacts]:
        """The primary key's columns, empty without one."""
        return [column for column in self.columns.values() if column.is_key]

    def readable_by(self, role: str) -> frozenset[str]:
        """The names of the columns `role` may SELECT."""
        return frozenset(column.name for column in self.columns.values() if role in column.readers)


@dataclass(frozen=True)
class PublishedTable:
    """A table of the publication; `lsn` is the write-ahead log's end when it was asked."""

    oid: int
    name: tuple[str, str]
    lsn: int


class Catalog:
    """Catalog questions and casts of values; they run one after the other, so that one session is enough."""

    def __init__(self, database: Database) -> None:
        self._transactions = database.engine(OWNER)
        self._engine = self._transactions.execution_options(isolation_level="AUTOCOMMIT")
        self._lock = asyncio.Lock()

    async def fetch(self, statement: str, *values: object) -> Sequence[RowMapping]:
        """Run a statement. Raises DATABASE_ERRORS, and what PostgreSQL refuses as asyncpg does."""
        try:
            async with self._lock, asyncio.timeout(ANSWER_SECONDS), self._engine.connect() as connection:
                return (await connection.exec_driver_sql(statement, values)).mappings().all()
        except DBAPIError as error:
            raise cause_of(error) from error

    async def fetch_by_pattern(self, statement: str, *values: object) -> Sequence[RowMapping]:
        """The same with a pattern of a client's in it; raises asyncpg.QueryCanceledError after PATTERN_SECONDS."""
        limit = f"set local statement_timeout = {PATTERN_SECONDS * 1000:.0f}"
        try:
            async with self._lock, asyncio.timeout(ANSWER_SECONDS), self._transactions.begin() as connection:
                await connection.exec_driver_sql(limit)
                return (await connection.exec_driver_sql(statement, values)).mappings().all()
        except DBAPIError as error:
            raise cause_of(error) from error

    async def published(self, publication: str, schema: str, table: str) -> list[PublishedTable]:
        """The tables of `publication` whose names match the patterns."""
        rows = await self.fetch(PUBLISHED, publication, schema, table)
        return [PublishedTable(row["oid"], (row["schema"], row["table"]), row["lsn"]) for row in rows]

    async def table_facts(self, oid: int, roles: Iterable[str]) -> TableFacts | None:
        """What holds now for the table and `roles`; None once it is gone."""
        rows = await self.fetch(COLUMNS, oid, sorted(roles))
        if not rows:
            return None
        names = ("name", "type_name", "type_label", "type_oid", "cast_type", "base_name", "is_key")
        columns = {
            row["name"]: ColumnFacts(**{name: row[name] for name in names}, readers=frozenset(row["readers"]))
            for row in rows
        }
        return TableFacts(rows[0]["row_security"], columns)
