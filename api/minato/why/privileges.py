"""Which privileges a role lacks for an attempt."""

from __future__ import annotations

from collections.abc import Iterable

from minato.why.attempt import Attempt
from minato.why.facts import Facts


def missing_privileges(attempt: Attempt, facts: Facts) -> tuple[str, ...]:
    """What lacks, as SQL's GRANT writes it: `INSERT on public.cars`, `SELECT (price) on public.cars`."""
    if not facts.usage:
        return (f"USAGE on schema {attempt.table.schema}",)
    wanted: list[tuple[str, Iterable[str]]] = []
    if attempt.command == "INSERT":
        wanted.append(("INSERT", attempt.written or _all_names(facts)))
        if attempt.upsert is not None:
            wanted.append(("SELECT", attempt.upsert.key))
            wanted.append(("UPDATE", attempt.written if attempt.upsert.merges else ()))
    elif attempt.command == "UPDATE":
        wanted.append(("UPDATE", attempt.written))
    elif attempt.command == "DELETE" and not facts.delete:
        return (f"DELETE on {attempt.table}",)
    if attempt.reads is not None:
        wanted.append(("SELECT", _all_names(facts) if "*" in attempt.reads else attempt.reads))
    missing = [lack for right, names in wanted if (lack := _lack(right, set(names), facts)) is not None]
    return tuple(dict.fromkeys(missing))


def _all_names(facts: Facts) -> list[str]:
    return [column.name for column in facts.columns]


def _lack(right: str, names: set[str], facts: Facts) -> str | None:
    """What lacks of a right on these columns; on the table where none of its columns has it."""
    lacking = [column.name for column in facts.columns if column.name in names and right not in column.rights]
    if not lacking:
        return None
    if not any(right in column.rights for column in facts.columns):
        return f"{right} on {facts.table}"
    return f"{right} ({', '.join(lacking)}) on {facts.table}"
