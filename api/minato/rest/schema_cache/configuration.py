"""Settings of the data API kept in the database: `ALTER ROLE authenticator SET pgrst.db_max_rows = '100'`."""

from __future__ import annotations

from collections.abc import Mapping

from minato.config.rest import RestSettings
from minato.database.identifiers import array_literal, quote_dotted
from minato.database.wire.pool import SessionPool
from minato.database.wire.session import Command
from minato.rest.jwt_secret import read_secret
from minato.rest.schema_cache import queries

PREFIX = "pgrst."


async def load_settings(sessions: SessionPool, given: RestSettings, within: float) -> RestSettings:
    """`given`, overruled by what the login role's settings say. Raises ValueError for a value that can't be."""
    if not given.db_config:
        return given
    asking = [*_pre_configured(given), queries.as_json(queries.CONFIGURATION)]
    async with sessions.lent(within) as session:
        answers = await session.run(asking)
    rows = [row for answer in answers[1 if given.db_pre_config else 0 :] for row in queries.rows(answer)]
    settings = overruled(given, {row["name"].removeprefix(PREFIX): row["value"] for row in rows})
    if settings.jwt_secret is not None:
        read_secret(settings.jwt_secret.get_secret_value(), settings.jwt_secret_is_base64)
    return settings


def _pre_configured(given: RestSettings) -> list[Command]:
    """Asks what the function `db-pre-config` sets in its own transaction."""
    if given.db_pre_config is None:
        return []
    names = array_literal(f"{PREFIX}{name}" for name in RestSettings.model_fields)
    return [Command(f"SELECT {quote_dotted(given.db_pre_config)}()"), queries.as_json(queries.PRE_CONFIGURED, names)]


def overruled(given: RestSettings, stored: Mapping[str, str]) -> RestSettings:
    """`given` with the stored values that we know.

    >>> overruled(RestSettings(), {"db_max_rows": "5", "unknown": "x"}).db_max_rows
    5
    """
    known = {name: value for name, value in stored.items() if name in RestSettings.model_fields}
    return RestSettings(**{**given.model_dump(), **known}) if known else given
