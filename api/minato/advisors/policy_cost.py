"""What policies cost: functions asked once per row, and columns that every request searches without an index."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Final

from minato.advisors.conditions import ways
from minato.advisors.expression import CALLER, calls, wrapped
from minato.advisors.finding import Finding, Level, Lint
from minato.advisors.snapshot import Policy, Routine, Snapshot
from minato.database.identifiers import quote_identifier

CALLER_PER_ROW = Lint(
    "auth_rls_initplan",
    "Auth RLS Initialization Plan",
    Level.WARN,
    "PERFORMANCE",
    "What tells who asks is worked out for every row that a policy looks at; in a subquery it is worked out once.",
)
FUNCTION_PER_ROW = Lint(
    "policy_function_per_row",
    "Policy Function per Row",
    Level.WARN,
    "PERFORMANCE",
    "A function that knows nothing of the row is called for every row that a policy looks at; in a subquery, once.",
)
VOLATILE = Lint(
    "policy_volatile_function",
    "Policy Volatile Function",
    Level.WARN,
    "PERFORMANCE",
    "A volatile function in a policy keeps PostgreSQL from using an index, though this one only reads.",
)
UNINDEXED = Lint(
    "unindexed_policy_columns",
    "Unindexed Policy Columns",
    Level.WARN,
    "PERFORMANCE",
    "A policy looks for the caller's rows by this column, and without an index that reads the whole table.",
)
# What a function does that must not be called stable.
_EFFECT: Final = re.compile(
    r"\b(insert|update|delete|merge|truncate|create|drop|alter|lock|notify|perform|execute|call|nextval|setval|set_config"
    r"|random|clock_timestamp|timeofday|gen_random_\w+|uuid_generate_\w+|pg_notify|pg_advisory_\w+|dblink\w*|http_\w+)\b",
    re.IGNORECASE,
)


def callers_per_row(snapshot: Snapshot) -> Iterator[Finding]:
    """Policies that ask auth.uid() and its kin without a subquery."""
    for policy in snapshot.policies:
        names = _per_row(policy, CALLER)
        if names:
            yield _asked_once(CALLER_PER_ROW, policy, names, snapshot)


def functions_per_row(snapshot: Snapshot) -> Iterator[Finding]:
    """The same for functions of the project that are given no column."""
    for policy in snapshot.policies:
        names = _per_row(policy, own_functions(policy, snapshot))
        if names:
            yield _asked_once(FUNCTION_PER_ROW, policy, names, snapshot)


def own_functions(policy: Policy, snapshot: Snapshot) -> set[str]:
    """The project's functions that a policy calls, as PostgreSQL prints their names; without immutable ones, which
    are worked out before a row is read."""
    called = (snapshot.routines[oid] for oid in policy.functions if oid in snapshot.routines)
    return {_printed(routine) for routine in called if routine.volatility != "i"}


def mended(condition: str | None, policy: Policy, snapshot: Snapshot) -> str | None:
    """A condition with everything in a subquery that need be asked but once."""
    return None if condition is None else wrapped(condition, {*CALLER, *own_functions(policy, snapshot)})


def volatile_functions(snapshot: Snapshot) -> Iterator[Finding]:
    """Functions of policies that only read and were never called stable."""
    called = {oid for policy in snapshot.policies for oid in policy.functions}
    for oid in called & snapshot.routines.keys():
        routine = snapshot.routines[oid]
        if routine.volatility == "v" and routine.language in ("sql", "plpgsql") and not _EFFECT.search(routine.body):
            detail = f"Function {routine.schema}.{routine.name}{routine.part} is volatile, and a policy calls it."
            mend = f"alter function {routine.place} stable"
            yield Finding(VOLATILE, "function", routine.schema, routine.name, routine.part, detail, (mend,))


def unindexed_columns(snapshot: Snapshot) -> Iterator[Finding]:
    """Columns that are compared with who asks. A condition whose rows no index could find is left out, and what is
    only checked of new rows."""
    seen = set()
    for policy in snapshot.policies:
        table = snapshot.relations.get(policy.relation)
        if policy.using is None or policy.command == "a" or table is None or not policy.is_permissive:
            continue
        missing = _missing(policy, snapshot)
        for column in missing:
            if (table.oid, column) in seen:
                continue
            seen.add((table.oid, column))
            detail = f'Policy "{policy.name}" looks for rows of {table.schema}.{table.name} by {column}.'
            mend = snapshot.new_index(table, [column])
            yield Finding(UNINDEXED, "table", table.schema, table.name, column, detail, (mend,))


def _missing(policy: Policy, snapshot: Snapshot) -> list[str]:
    """The columns that lack an index where no way of the policy has all of its own."""
    columns = {column.number: column.name for column in snapshot.columns_of.get(policy.relation, [])}
    indexed = {
        columns.get(index.keys[0])
        for index in snapshot.indexes_of.get(policy.relation, [])
        if index.is_valid and index.predicate is None
    }
    gaps = [sorted({_unquoted(column) for column in way} - indexed) for way in ways(policy.using or "")]
    return min(gaps, key=len, default=[])


def _unquoted(column: str) -> str:
    return column[1:-1].replace('""', '"') if column.startswith('"') else column


def _printed(routine: Routine) -> str:
    return f"{_as_printed(routine.schema)}.{_as_printed(routine.name)}"


def _as_printed(name: str) -> str:
    """As PostgreSQL prints it. A keyword as a name would be quoted there, and is not found then."""
    return name if re.fullmatch(r"[a-z_][a-z0-9_$]*", name) else quote_identifier(name)


def _per_row(policy: Policy, names: Collection[str]) -> list[str]:
    found = [call for text in policy.conditions for call in calls(text, names)]
    return sorted({call.name for call in found if call.is_constant and not call.is_once})


def _asked_once(lint: Lint, policy: Policy, names: list[str], snapshot: Snapshot) -> Finding:
    shown = ", ".join(f"{name}()" for name in names)
    detail = f'Policy "{policy.name}" on {policy.schema}.{policy.table} asks {shown} for every row.'
    using, check = (mended(text, policy, snapshot) for text in (policy.using, policy.check))
    return Finding(lint, "table", policy.schema, policy.table, policy.name, detail, (policy.altered(using, check),))
