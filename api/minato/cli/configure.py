"""Hands the operator's settings to SQL at every start, so that a changed environment needs no migration.

They stand in `minato.operator_settings`; what a project makes of them is in its `startup.sql`.
"""

from __future__ import annotations

import json

import psycopg2

from minato.cli.target import OWNER
from minato.config import Settings
from minato.project.folder import Project

_KEEP = """
insert into minato.operator_settings as s (name, value) select name, value from jsonb_each(%s) as given (name, value)
on conflict (name) do update set value = excluded.value where s.value is distinct from excluded.value
"""


def configure(settings: Settings, dsn: str) -> None:
    """Keep them in the database at `dsn`, then run the project's script as the owner, with `minato.operator` set."""
    server = settings.server
    known = {"admin_email": server.admin_email, "demo_mode": server.demo_mode, "public_url": server.public_url}
    operator = json.dumps(known)
    script = Project(server.project).startup_script if server.project is not None else None
    connection = psycopg2.connect(dsn)
    try:
        with connection, connection.cursor() as cursor:
            cursor.execute(_KEEP, (operator,))
            if script is not None and script.is_file():
                cursor.execute("select set_config('minato.operator', %s, true)", (operator,))
                cursor.execute(f"set local role {OWNER}")
                cursor.execute(script.read_text(encoding="utf-8"))
    finally:
        connection.close()
