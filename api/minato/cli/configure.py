"""Hands the operator's settings to SQL at every start, so that a changed environment needs no migration.

They stand in `minato.operator_settings`; `minato.operator_setting(name)` reads them.
"""

from __future__ import annotations

import json

import psycopg2.errors

from minato.cli.errors import CommandError
from minato.cli.target import Target, open_superuser
from minato.config import Settings

# Nothing is written at a start that changes nothing: it would wait for the disk.
_KEEP = """
insert into minato.operator_settings as s (name, value) select name, value from jsonb_each(%s) as given (name, value)
where not exists (select from minato.operator_settings k where k.name = given.name and k.value = given.value)
on conflict (name) do update set value = excluded.value where s.value is distinct from excluded.value
"""


def configure(settings: Settings, target: Target) -> None:
    """Keep them in the database. Raises `CommandError` where that is another login's to do."""
    server = settings.server
    known = {"admin_email": server.admin_email, "demo_mode": server.demo_mode, "public_url": server.public_url}
    connection = open_superuser(target)
    try:
        with connection, connection.cursor() as cursor:
            cursor.execute(_KEEP, (json.dumps(known),))
    except psycopg2.errors.InsufficientPrivilege as error:
        reason = str(error).strip()
        raise CommandError(f"{reason}: DATABASE_URL must name the login that migrated this database.") from None
    finally:
        connection.close()
