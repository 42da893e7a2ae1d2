"""Bring a database to the newest revision, and tell which revision it has.

`head()` reads file names only: a warm start compares it with `current()` and never imports Alembic.
"""

import re
import threading
from pathlib import Path
from typing import Final

import psycopg2

from minato.places import MIGRATIONS

HERE: Final = Path(__file__).parent
TEMPLATE: Final = HERE / "script.py.mako"
VERSIONS: Final = MIGRATIONS / "versions"
VERSION_SCHEMA: Final = "minato"  # ours, and outside everything the API exposes
VERSION_TABLE: Final = "schema_version"

_ALEMBIC = threading.Lock()  # its `op` and `context` belong to the process, so threads take turns
_REVISION_FILE = re.compile(r"\d{8}_(\d{4})_\w+\.py")


def head() -> str:
    """Return the newest revision's id, e.g. `"0009"`."""
    names = (path.name for path in VERSIONS.iterdir())
    return max(match[1] for name in names if (match := _REVISION_FILE.fullmatch(name)))


def current(dsn: str) -> str | None:
    """Return the revision the database stands at, or None when it was never migrated."""
    table = f"{VERSION_SCHEMA}.{VERSION_TABLE}"
    connection = psycopg2.connect(dsn)
    try:
        with connection.cursor() as cursor:
            cursor.execute("select to_regclass(%s) is not null", (table,))
            if not cursor.fetchone()[0]:
                return None
            cursor.execute(f"select version_num from {table}")
            row = cursor.fetchone()
            return row[0] if row else None
    finally:
        connection.close()


def upgrade(dsn: str, revision: str = "head") -> list[str]:
    """Apply every missing revision up to `revision`, each in its own transaction.

    Safe to call from several threads and processes at once. Returns the database's warnings: what the connecting role
    was not allowed to do on a server it does not own. Raises psycopg2/SQLAlchemy errors as they come; the
    failing revision is rolled back, the ones before it stay.
    """
    from alembic import command  # imported late: a warm start must not pay for it
    from alembic.config import Config

    warnings: list[str] = []
    config = Config(attributes={"dsn": dsn, "warnings": warnings})
    config.set_main_option("script_location", str(HERE).replace("%", "%%"))
    config.set_main_option("version_locations", str(VERSIONS).replace("%", "%%"))
    config.set_main_option("path_separator", "newline")
    with _ALEMBIC:
        command.upgrade(config, revision)
    return warnings
