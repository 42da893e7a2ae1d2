"""What policies give away: to everybody, by claims that people write themselves, or whole lists of files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from minato.advisors.conditions import is_always_true
from minato.advisors.finding import Finding, Level, Lint
from minato.advisors.snapshot import Policy, Snapshot
from minato.conditions import bare
from minato.database.identifiers import quote_identifier

ALWAYS_TRUE = Lint(
    "rls_policy_always_true",
    "RLS Policy Always True",
    Level.WARN,
    "SECURITY",
    "A policy for writing that is always true lets everybody it speaks of write every row.",
)
USER_METADATA = Lint(
    "rls_references_user_metadata",
    "RLS references user metadata",
    Level.ERROR,
    "SECURITY",
    "People write their user_metadata themselves, so a policy must not ask there; app_metadata they can't write.",
)
LISTING = Lint(
    "public_bucket_allows_listing",
    "Public Bucket Allows Listing",
    Level.WARN,
    "SECURITY",
    "Files of a public bucket are served without a policy; one that shows all rows only lists them to everybody.",
)
_COMMANDS: Final = {"a": "INSERT", "w": "UPDATE", "d": "DELETE", "*": "ALL"}
_METADATA: Final = (("raw_user_meta_data", "raw_app_meta_data"), ("user_metadata", "app_metadata"))
_BUCKET: Final = re.compile(r"bucket_id = '(?P<id>(?:[^']|'')*)'::text")


def always_true(snapshot: Snapshot) -> Iterator[Finding]:
    """Policies by which whoever is asked may insert, change or delete anything."""
    for policy in snapshot.policies:
        if policy.is_permissive and policy.reaches_api and policy.command in _COMMANDS:
            using, check = _writes_all(policy)
            if using or check:
                yield _whole_table(policy, snapshot, using, check)


def _writes_all(policy: Policy) -> tuple[bool, bool]:
    """Whether the condition on old rows, and that on new ones, is always true. A missing check is the other one."""
    using = policy.command != "a" and is_always_true(policy.using)
    return using, is_always_true(policy.check)


def _whole_table(policy: Policy, snapshot: Snapshot, using: bool, check: bool) -> Finding:
    words = f"{_COMMANDS[policy.command]} to {', '.join(policy.roles)}"
    detail = f'Policy "{policy.name}" on {policy.schema}.{policy.table} allows {words} for every row.'
    owner = _owner(policy, snapshot)
    mend = policy.dropped
    if owner is not None:
        own = f"(select auth.uid()) = {quote_identifier(owner)}"
        mend = policy.altered(own if using else None, own if check else None)
    return Finding(ALWAYS_TRUE, "table", policy.schema, policy.table, policy.name, detail, (mend,))


def _owner(policy: Policy, snapshot: Snapshot) -> str | None:
    """The one column of the table that refers to accounts; None where there are several, or none."""
    keys = [
        key
        for key in snapshot.foreign_keys
        if key.relation == policy.relation and key.target == snapshot.accounts and len(key.columns) == 1
    ]
    return snapshot.names(policy.relation, keys[0].columns)[0] if len(keys) == 1 else None


def user_metadata(snapshot: Snapshot) -> Iterator[Finding]:
    """Policies that read it, and functions that policies call and that do."""
    for policy in snapshot.policies:
        using, check = (_by_app_metadata(text) for text in (policy.using, policy.check))
        if (using, check) != (policy.using, policy.check):
            detail = f'Policy "{policy.name}" on {policy.schema}.{policy.table} reads user_metadata.'
            mend = policy.altered(using, check)
            yield Finding(USER_METADATA, "table", policy.schema, policy.table, policy.name, detail, (mend,))
    called = {oid for policy in snapshot.policies for oid in policy.functions}
    for oid in sorted(called & snapshot.routines.keys()):
        routine = snapshot.routines[oid]
        text = _by_app_metadata(routine.text)
        if text is not None and text != routine.text:
            detail = (
                f"Function {routine.schema}.{routine.name}{routine.part} reads user_metadata, and a policy asks it."
            )
            mend = text.rstrip()
            yield Finding(USER_METADATA, "function", routine.schema, routine.name, routine.part, detail, (mend,))


def _by_app_metadata(text: str | None) -> str | None:
    for theirs, ours in _METADATA if text is not None else ():
        text = re.sub(rf"\b{theirs}\b", ours, text or "")
    return text


def listed_buckets(snapshot: Snapshot) -> Iterator[Finding]:
    """Policies that show every file of a public bucket to everybody."""
    for policy in snapshot.policies:
        is_read = (policy.schema, policy.table) == ("storage", "objects") and policy.command in "r*"
        if is_read and policy.is_permissive and policy.reaches_api:
            buckets = _buckets(policy, snapshot)
            if buckets:
                detail = f'Policy "{policy.name}" on storage.objects lists the public bucket {", ".join(buckets)}.'
                mend = policy.dropped
                yield Finding(LISTING, "table", policy.schema, policy.table, policy.name, detail, (mend,))


def _buckets(policy: Policy, snapshot: Snapshot) -> list[str]:
    if is_always_true(policy.using):
        return sorted(snapshot.public_buckets)
    found = _BUCKET.fullmatch(bare(policy.using or ""))
    name = found["id"].replace("''", "'") if found else ""
    return [name] if name in snapshot.public_buckets else []
