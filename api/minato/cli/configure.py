"""Hands the operator's settings to SQL at every start, so that a changed environment needs no migration.

They stand in `minato.operator_settings`; `minato.operator_setting(name)` reads them.
"""

from __future__ import annotations

import json

from minato.cli.target import Target, open_superuser
from minato.config import Settings

# Nothing is written at a start that changes nothing: it would wait for the disk.
_KEEP = """
insert into minato.operator_settings as s (name, value) select name, value from jsonb_each(%s) as given (name, value)
where not exists (select from minato.operator_settings k where k.name = given.name and k.value = given.value)
on conflict (name) do update set value = excluded.value where s.value is distinct from excluded.value
"""


def configure(settings: Settings, target: Target) -> None:
    """Keep them in the database."""
    server = settings.server
    known = {"admin_email": server.admin_email, "demo_mode": server.demo_mode, "public_url": server.public_url}
    connection = open_superuser(target)
    try:
        with connection, connection.cursor() as cursor:
            cursor.execute(_KEEP, (json.dumps(known),))
    finally:
        connection.close()
