"""What PostgreSQL remarks while it works (NOTICE, WARNING), on standard error as the Supabase CLI prints it:
`SEVERITY (SQLSTATE): message`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

# The notices about the CLI's own tables, which it makes whether they are there or not.
_IGNORED: Final = (
    'schema "supabase_migrations" already exists',
    'relation "schema_migrations" already exists',
    'relation "seed_files" already exists',
    'of relation "schema_migrations" already exists',
)
# libpq does not say the code of a notice; these are told by their words (errcodes.txt).
_CODES: Final = (
    (re.compile(r'relation ".*" already exists'), "42P07"),
    (re.compile(r'column ".*" of relation ".*" already exists'), "42701"),
    (re.compile(r'schema ".*" already exists'), "42P06"),
    (re.compile(r"already exists"), "42710"),
    (re.compile(r'identifier ".*" will be truncated'), "42622"),
    (re.compile(r"there is no transaction in progress"), "25P01"),
    (re.compile(r"there is already a transaction in progress"), "25001"),
)
_LINE: Final = re.compile(r"(?P<severity>[A-Z]+):\s+(?P<message>.*)", re.DOTALL)


class Notices:
    """What psycopg2 appends its notices to."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell

    def append(self, said: str) -> None:
        line = shown_notice(said)
        if line is not None:
            self._tell(line)


def shown_notice(said: str) -> str | None:
    """One line, without the details that follow it; None for what nobody needs to read.

    >>> shown_notice('NOTICE:  relation "notes" already exists, skipping\\n')
    'NOTICE (42P07): relation "notes" already exists, skipping'
    >>> shown_notice('NOTICE:  schema "supabase_migrations" already exists, skipping\\n') is None
    True
    """
    match = _LINE.match(said.strip())
    if match is None:
        return said.strip() or None
    message = re.split(r"\n(?:DETAIL|HINT|CONTEXT|LINE \d+|QUERY|LOCATION):", match["message"])[0].rstrip()
    if any(words in message for words in _IGNORED):
        return None
    default = "01000" if match["severity"] == "WARNING" else "00000"
    code = next((code for pattern, code in _CODES if pattern.search(message)), default)
    return f"{match['severity']} ({code}): {message}"
