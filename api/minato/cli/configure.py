"""Hands the operator's settings to the schema at every start, so that a changed environment needs no SQL.

What the schema makes of them is in `migrations/startup.sql`; Python only knows that the file exists.
"""

from __future__ import annotations

import json

import psycopg2

from minato.cli.target import Target
from minato.config import Settings
from minato.places import MIGRATIONS

SCRIPT = MIGRATIONS / "startup.sql"


def configure(settings: Settings, target: Target) -> None:
    """Run the script with `minato.operator` set for its transaction."""
    server = settings.server
    known = {"admin_email": server.admin_email, "demo_mode": server.demo_mode, "public_url": server.public_url}
    operator = json.dumps(known)
    connection = psycopg2.connect(target.address.admin)
    try:
        with connection, connection.cursor() as cursor:
            cursor.execute("select set_config('minato.operator', %s, true)", (operator,))
            cursor.execute(SCRIPT.read_text())
    finally:
        connection.close()
