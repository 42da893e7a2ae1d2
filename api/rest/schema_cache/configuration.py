"""Settings of the data API kept in the database: `ALTER ROLE authenticator SET pgrst.db_max_rows = '100'`."""

from __future__ import annotations

from collections.abc import Mapping

import asyncpg

from api.config.rest import RestSettings
from api.rest.schema_cache import queries

PREFIX = "pgrst."


async def load_settings(connection: asyncpg.Connection, given: RestSettings) -> RestSettings:
    """`given`, overruled by what the login role's settings say. Raises ValueError for a value that can't be."""
    if not given.db_config:
        return given
    rows = await connection.fetch(queries.CONFIGURATION)
    return overruled(given, {row["name"].removeprefix(PREFIX): row["value"] for row in rows})


def overruled(given: RestSettings, stored: Mapping[str, str]) -> RestSettings:
    """`given` with the stored values that we know.

    >>> overruled(RestSettings(), {"db_max_rows": "5", "unknown": "x"}).db_max_rows
    5
    """
    known = {name: value for name, value in stored.items() if name in RestSettings.model_fields}
    return RestSettings(**{**given.model_dump(), **known}) if known else given
