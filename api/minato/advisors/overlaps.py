"""Permissive policies that are asked together, of which any is enough. The reference counts them among what is slow;
PostgreSQL makes one condition of them, so that the plan with one policy is the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from minato.advisors.finding import Finding, Level, Lint
from minato.advisors.policy_cost import mended
from minato.advisors.snapshot import Policy, Snapshot
from minato.database.identifiers import quote_identifier

OVERLAP = Lint(
    "multiple_permissive_policies",
    "Multiple Permissive Policies",
    Level.INFO,
    "SECURITY",
    "PostgreSQL joins permissive policies by OR: the widest decides, and a narrower one beside it forbids nothing.",
)
_COMMANDS: Final = {"r": "select", "a": "insert", "w": "update", "d": "delete"}
_LONGEST: Final = 63


def overlapping(snapshot: Snapshot) -> Iterator[Finding]:
    """Tables of the project with such policies. Those of the platform, as storage.objects, are left out: there each
    bucket has its own."""
    for oid, policies in snapshot.policies_of.items():
        permissive = [policy for policy in policies if policy.is_permissive]
        groups = {command: _together(permissive, command) for command in _COMMANDS}
        if oid in snapshot.relations and any(groups.values()):
            yield _finding(permissive, groups, snapshot)


def _together(policies: Sequence[Policy], command: str) -> list[Policy]:
    """The policies of a command that share a role with another of it."""
    asked = [policy for policy in policies if policy.command in (command, "*")]
    return [policy for policy in asked if any(_share(policy, other) for other in asked if other is not policy)]


def _share(one: Policy, other: Policy) -> bool:
    return "public" in (*one.roles, *other.roles) or not set(one.roles).isdisjoint(other.roles)


def _finding(policies: Sequence[Policy], groups: dict[str, list[Policy]], snapshot: Snapshot) -> Finding:
    first = policies[0]
    told = [
        f"{_COMMANDS[command]}: {', '.join(quote_identifier(policy.name) for policy in group)}"
        for command, group in groups.items()
        if group
    ]
    detail = f"Table {first.schema}.{first.table} has several permissive policies for {'; '.join(told)}."
    merged = {policy.name for group in groups.values() for policy in group}
    gone = [policy for policy in policies if policy.name in merged]
    taken = {policy.name for policy in snapshot.policies_of[first.relation]} - merged
    made = [
        _merged([policy for policy in gone if policy.command in (command, "*")], command, snapshot, taken)
        for command in _COMMANDS
        if any(policy.command in (command, "*") for policy in gone)
    ]
    mend = (*(policy.dropped for policy in gone), *made)
    return Finding(OVERLAP, "table", first.schema, first.table, "", detail, mend)


def _merged(policies: Sequence[Policy], command: str, snapshot: Snapshot, taken: set[str]) -> str:
    """One policy for the command that says what these said. Where they speak of different roles it speaks of all of
    them, and each condition asks for its own."""
    roles = sorted({role for policy in policies for role in policy.roles})
    roles = ["public"] if "public" in roles else roles
    name = _free_name(" or ".join(dict.fromkeys(policy.name for policy in policies)), command, taken)
    using = [_condition(policy, policy.using, roles, snapshot) for policy in policies]
    check = [_condition(policy, policy.check or policy.using, roles, snapshot) for policy in policies]
    parts = [f"create policy {quote_identifier(name)} on {policies[0].place} for {_COMMANDS[command]}"]
    parts.append(f"to {', '.join('public' if role == 'public' else quote_identifier(role) for role in roles)}")
    parts += [f"using ({' or '.join(using)})"] if command != "a" else []
    parts += [f"with check ({' or '.join(check)})"] if command in "aw" else []
    return " ".join(parts)


def _condition(policy: Policy, condition: str | None, roles: Sequence[str], snapshot: Snapshot) -> str:
    text = f"({mended(condition, policy, snapshot) or 'false'})"
    if list(policy.roles) == list(roles) or "public" in policy.roles:
        return text
    names = " or ".join(f"pg_has_role({_literal(role)}, 'usage')" for role in policy.roles)
    return f"((select {names}) and {text})"


def _literal(name: str) -> str:
    return "'" + name.replace("'", "''") + "'"


def _free_name(wanted: str, command: str, taken: set[str]) -> str:
    """A name that no policy of the table has, no longer than PostgreSQL keeps."""
    for number in range(1, len(taken) + 6):
        ending = "" if number == 1 else f" {number}"
        name = f"{_COMMANDS[command]}: {wanted}"[: _LONGEST - len(ending)]
        while len(f"{name}{ending}".encode()) > _LONGEST:
            name = name[:-1]
        if f"{name}{ending}" not in taken:
            taken.add(f"{name}{ending}")
            return f"{name}{ending}"
    raise AssertionError("there are more names than policies")
