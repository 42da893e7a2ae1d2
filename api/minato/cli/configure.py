"""Hands the operator's settings to SQL at every start, so that a changed environment needs no migration.

They stand in `minato.operator_settings`; what a project makes of them is in its `startup.sql`.
"""

from __future__ import annotations

import json

import psycopg2

from minato.cli.target import OWNER, Target
from minato.config import Settings
from minato.project.folder import Project

_KEEP = """
insert into minato.operator_settings as s (name, value) select name, value from jsonb_each(%s) as given (name, value)
on conflict (name) do update set value = excluded.value where s.value is distinct from excluded.value
"""


def configure(settings: Settings, target: Target) -> None:
    """Keep them in the database, then run the project's script as the owner, with `minato.operator` set."""
    server = settings.server
    known = {"admin_email": server.admin_email, "demo_mode": server.demo_mode, "public_url": server.public_url}
    operator = json.dumps(known)
    script = Project(server.project).startup_script if server.project is not None else None
    _run(target.address.admin, ("set local search_path = pg_catalog, pg_temp", None), (_KEEP, (operator,)))
    if script is not None and script.is_file():
        tell = ("select set_config('minato.operator', %s, true)", (operator,))
        # Without arguments a percent sign in the script is one.
        _run(target.owner, tell, (f"set local role {OWNER}", None), (script.read_text(encoding="utf-8"), None))


def _run(dsn: str, *statements: tuple[str, tuple[str] | None]) -> None:
    """In one transaction."""
    connection = psycopg2.connect(dsn)
    try:
        with connection, connection.cursor() as cursor:
            for statement, arguments in statements:
                cursor.execute(statement, arguments)
    finally:
        connection.close()
