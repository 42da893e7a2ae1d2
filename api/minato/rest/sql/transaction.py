"""How the transaction of one request begins: its isolation, and everything that is set until it ends."""

from __future__ import annotations

from collections.abc import Sequence

from minato.config.rest import RestSettings
from minato.database.as_caller import Setting
from minato.database.identifiers import quote_identifier
from minato.rest.schema_cache.model import RoleSettings, Routine

DEFAULT_ISOLATION = "read committed"
ISOLATION_LEVELS = ("read uncommitted", "read committed", "repeatable read", "serializable")


def begin(read_only: bool, isolation: str | None) -> str:
    """The BEGIN of a transaction that can't be implicit.

    >>> begin(True, None)
    'BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY'
    """
    level = isolation if isolation in ISOLATION_LEVELS else DEFAULT_ISOLATION
    return f"BEGIN ISOLATION LEVEL {level.upper()} READ {'ONLY' if read_only else 'WRITE'}"


def transaction_settings(
    schema: str,
    settings: RestSettings,
    role: RoleSettings | None,
    caller: Sequence[Setting],
    timezone: str | None,
    routine: Routine | None,
) -> list[Setting]:
    """All settings in the reference's order; later ones win. `caller`: role and what SQL may know of the request."""
    path = ", ".join(quote_identifier(name) for name in (schema, *settings.extra_search_path))
    hoisted = [pair for pair in routine.settings if pair[0] in settings.hoisted_settings] if routine else []
    return [
        ("search_path", path),
        *(role.settings if role else ()),
        *caller,
        *settings.app_setting_pairs,
        *([("timezone", timezone)] if timezone else []),
        *hoisted,
    ]
