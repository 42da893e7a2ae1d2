"""How the transaction of one request begins and ends, as simple-query text.

Everything is set for the transaction only. The values are literals because one simple query with all of them saves a
round trip over parameters; `quote_literal` is the one place that writes them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from api.config.rest import RestSettings
from api.database.identifiers import quote_identifier
from api.rest.schema_cache.model import RoleSettings, Routine

Setting = tuple[str, str]
ISOLATION_LEVELS = ("read uncommitted", "read committed", "repeatable read", "serializable")


def begin(read_only: bool, isolation: str | None, settings: Iterable[Setting], pre_request: str | None) -> str:
    """BEGIN and the settings, in one simple query.

    >>> begin(True, None, [("role", "an'on")], None)
    "BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY;SELECT set_config('role','an''on',true)"
    """
    level = isolation if isolation in ISOLATION_LEVELS else "read committed"
    access = "READ ONLY" if read_only else "READ WRITE"
    calls = ",".join(f"set_config({quote_literal(name)},{quote_literal(value)},true)" for name, value in settings)
    hook = f";SELECT {quote_dotted(pre_request)}()" if pre_request else ""
    return f"BEGIN ISOLATION LEVEL {level.upper()} {access};SELECT {calls}{hook}"


def end(commits: bool) -> str:
    """COMMIT, or a ROLLBACK that still reports violated deferred constraints."""
    return "COMMIT" if commits else "SET CONSTRAINTS ALL IMMEDIATE;ROLLBACK"


def transaction_settings(
    schema: str,
    settings: RestSettings,
    role: RoleSettings | None,
    caller: Sequence[Setting],
    timezone: str | None,
    routine: Routine | None,
) -> list[Setting]:
    """All settings in the order of the reference, later ones win. `caller`: role and what SQL may know of the request."""
    path = ", ".join(quote_identifier(name) for name in dict.fromkeys((schema, *settings.extra_search_path)))
    hoisted = [pair for pair in routine.settings if pair[0] in settings.hoisted_settings] if routine else []
    return [
        ("search_path", path),
        *(role.settings if role else ()),
        *caller,
        *([("timezone", timezone)] if timezone else []),
        *hoisted,
    ]


def quote_literal(value: str) -> str:
    r"""`value` as a string literal, whatever standard_conforming_strings says.

    >>> print(quote_literal("it's"), quote_literal("a\\b"))
    'it''s'  E'a\\b'
    """
    if "\x00" in value:
        value = value.replace("\x00", "\ufffd")
    quoted = value.replace("'", "''")
    if "\\" in quoted:
        return " E'" + quoted.replace("\\", "\\\\") + "'"
    return f"'{quoted}'"


def quote_dotted(name: str) -> str:
    """`schema.function` with each part quoted."""
    return ".".join(quote_identifier(part) for part in name.split("."))
