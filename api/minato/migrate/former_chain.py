"""Databases of release 0.1: one chain of revisions held the platform and the marketplace.

Such a database stands at a number that the platform's chain may not have. It is put at the newest of the platform's
revisions that it has run, and `minato.former_chain` remembers the number: the marketplace's migrations up to it count
as applied (`minato.project.history`).
"""

from __future__ import annotations

from sqlalchemy import Connection, text

from minato.migrate.revisions import VERSION_SCHEMA, VERSION_TABLE, revisions

_TABLE = f"{VERSION_SCHEMA}.{VERSION_TABLE}"
# The last number that the one chain ever gave.
LAST_FORMER = "0099"


def adopt_former_chain(connection: Connection) -> None:
    """Put a database of the one chain on the platform's; any other is left as it is."""
    if connection.scalar(text("select to_regclass(:name)"), {"name": _TABLE}) is None:
        return
    stands_at = connection.scalar(text(f"select version_num from {_TABLE}"))
    if stands_at is not None and stands_at <= LAST_FORMER and _knew_the_marketplace(connection):
        _adopt(connection, stands_at)


def _knew_the_marketplace(connection: Connection) -> bool:
    """Its first revision made this schema; one that was adopted already says so itself."""
    adopted = connection.scalar(text("select to_regclass('minato.former_chain')"))
    return adopted is None and connection.scalar(text("select to_regnamespace('private')")) is not None


def _adopt(connection: Connection, stands_at: str) -> None:
    connection.execute(text("create table minato.former_chain (revision text primary key)"))
    connection.execute(text("insert into minato.former_chain (revision) values (:at)"), {"at": stands_at})
    ran = max(revision for revision in revisions() if revision <= stands_at)
    connection.execute(text(f"update {_TABLE} set version_num = :ran"), {"ran": ran})
