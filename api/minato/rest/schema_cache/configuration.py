"""Settings of the data API kept in the database: `ALTER ROLE authenticator SET pgrst.db_max_rows = '100'`."""

from __future__ import annotations

from collections.abc import Mapping

import asyncpg

from minato.config.rest import RestSettings
from minato.database.identifiers import quote_dotted
from minato.rest.jwt_secret import read_secret
from minato.rest.schema_cache import queries

PREFIX = "pgrst."


async def load_settings(connection: asyncpg.Connection, given: RestSettings) -> RestSettings:
    """`given`, overruled by what the login role's settings say. Raises ValueError for a value that can't be."""
    if not given.db_config:
        return given
    rows = [*await _pre_configured(connection, given), *await connection.fetch(queries.CONFIGURATION)]
    settings = overruled(given, {row["name"].removeprefix(PREFIX): row["value"] for row in rows})
    if settings.jwt_secret is not None:
        read_secret(settings.jwt_secret.get_secret_value(), settings.jwt_secret_is_base64)
    return settings


async def _pre_configured(connection: asyncpg.Connection, given: RestSettings) -> list[asyncpg.Record]:
    """What the function `db-pre-config` sets in its own transaction."""
    if given.db_pre_config is None:
        return []
    async with connection.transaction():
        await connection.execute(f"SELECT {quote_dotted(given.db_pre_config)}()")
        names = [f"{PREFIX}{name}" for name in RestSettings.model_fields]
        return list(await connection.fetch(queries.PRE_CONFIGURED, names))


def overruled(given: RestSettings, stored: Mapping[str, str]) -> RestSettings:
    """`given` with the stored values that we know.

    >>> overruled(RestSettings(), {"db_max_rows": "5", "unknown": "x"}).db_max_rows
    5
    """
    known = {name: value for name, value in stored.items() if name in RestSettings.model_fields}
    return RestSettings(**{**given.model_dump(), **known}) if known else given
