"""What an error of PostgreSQL means where its SQLSTATE alone does not tell.

A server speaks its operator's language (`lc_messages`). English is read as the reference reads it; of any other the
routine that raised the error tells the same, for nobody translates that.
"""

from __future__ import annotations

from collections.abc import Mapping

import asyncpg

Fields = Mapping[str, str]
"""By the letters of the protocol: C is the SQLSTATE, M the message, D its detail, R the routine, t the table."""

_OF_ASYNCPG = {
    "C": "sqlstate",
    "M": "message",
    "D": "detail",
    "R": "server_source_function",
    "t": "table_name",
}


def fields_of(error: asyncpg.PostgresError) -> Fields:
    """The fields of what asyncpg raised."""
    told = error.as_dict()
    return {letter: told[name] for letter, name in _OF_ASYNCPG.items() if told.get(name)}


def is_unknown_role(fields: Fields) -> bool:
    """Whether a role to become is not there.

    >>> is_unknown_role({"C": "22023", "M": 'role "nobody" does not exist'})
    True
    """
    if fields.get("C") != "22023":
        return False
    message = fields.get("M", "")
    if message.startswith("role") and message.endswith("does not exist"):
        return True
    # Of other settings that are looked up so, the message names the setting and what it can't be.
    return fields.get("R") == "call_string_check_hook" and _quoted(message) < 2


def is_refused_by_policy(fields: Fields) -> bool:
    """Whether a policy refused a row, not a missing right the whole statement."""
    return fields.get("C") == "42501" and (
        "row-level security policy" in fields.get("M", "") or fields.get("R") == "ExecWithCheckOptions"
    )


def is_without_partition(fields: Fields) -> bool:
    """Whether a row belongs to a partition that is not there."""
    return fields.get("C") == "23514" and (
        "no partition of relation" in fields.get("M", "") or fields.get("R") == "ExecFindPartition"
    )


def is_still_referenced(fields: Fields) -> bool:
    """Whether others point at what is to go, rather than what is pointed at being missing."""
    message = fields.get("M", "")
    if fields.get("C") != "23503" or message.startswith("insert or update"):
        return False
    # The table that points. The detail names it where it still does, and else the one that lacks the key.
    return "update or delete" in message or fields.get("t", "\x00") in fields.get("D", "")


def _quoted(message: str) -> int:
    """How many things a message quotes, in the marks of PostgreSQL's translations."""
    return max(message.count("»"), message.count('"') // 2)
