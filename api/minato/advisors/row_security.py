"""Row security: tables without it, policies without it, and it without policies."""

from __future__ import annotations

from collections.abc import Iterator

from minato.advisors.finding import Finding, Level, Lint
from minato.advisors.snapshot import API_ROLES, Relation, Snapshot
from minato.database.identifiers import quote_qualified

ANYTHING = ("SELECT", "INSERT", "UPDATE", "DELETE")

DISABLED = Lint(
    "rls_disabled_in_public",
    "RLS Disabled in Public",
    Level.ERROR,
    "SECURITY",
    "Without row level security everybody who has the anon key reads and writes every row of a table in the API.",
)
IGNORED = Lint(
    "policy_exists_rls_disabled",
    "Policy Exists RLS Disabled",
    Level.ERROR,
    "SECURITY",
    "Policies do nothing until row level security is enabled on their table.",
)
UNANSWERED = Lint(
    "rls_enabled_no_policy",
    "RLS Enabled No Policy",
    Level.INFO,
    "SECURITY",
    "With row level security and no policy a table answers the API with no rows; without privileges it says so.",
)
QUEUE = Lint(
    "insecure_queue_exposed_in_api",
    "Insecure Queue Exposed in API",
    Level.ERROR,
    "SECURITY",
    "Everybody who may call pgmq_public reads and writes the messages of a queue without row level security.",
)


def tables_without(snapshot: Snapshot) -> Iterator[Finding]:
    """Tables of the API that anybody may read or write whole, partitions among them."""
    for table in snapshot.in_api("rp", *ANYTHING):
        if not table.has_row_security:
            roles = table.roles_with(*ANYTHING)
            detail = f"Table {table.schema}.{table.name} is open to {' and '.join(roles)}, without row level security."
            yield _enabled(DISABLED, table, detail)


def policies_without(snapshot: Snapshot) -> Iterator[Finding]:
    """Tables whose policies are not asked."""
    for table in snapshot.relations.values():
        policies = snapshot.policies_of.get(table.oid, [])
        if table.is_table and policies and not table.has_row_security:
            names = ", ".join(f'"{policy.name}"' for policy in policies)
            detail = f"Table {table.schema}.{table.name} has policies that nothing asks: {names}."
            yield _enabled(IGNORED, table, detail)


def without_policies(snapshot: Snapshot) -> Iterator[Finding]:
    """Tables that the roles of the API hold privileges on, and may see nothing of."""
    for table in snapshot.in_api("rp", *ANYTHING):
        if table.has_row_security and not snapshot.policies_of.get(table.oid):
            roles = table.roles_with(*ANYTHING)
            detail = f"Table {table.schema}.{table.name} has row level security and no policy."
            mend = f"revoke all on {table.place} from public, {', '.join(roles)}"
            yield Finding(UNANSWERED, "table", table.schema, table.name, "", detail, (mend,))


def open_queues(snapshot: Snapshot) -> Iterator[Finding]:
    """Queues of pgmq that the API's functions reach."""
    if "pgmq_public" in snapshot.exposed:
        for schema, name, is_guarded in snapshot.queues:
            if not is_guarded:
                detail = f"Queue {schema}.{name} has no row level security, and pgmq_public is in the API."
                mend = f"alter table {quote_qualified(schema, name)} enable row level security"
                yield Finding(QUEUE, "table", schema, name, "", detail, (mend,))


def _enabled(lint: Lint, table: Relation, detail: str) -> Finding:
    mend = f"alter table {table.place} enable row level security"
    return Finding(lint, "table", table.schema, table.name, "", detail, (mend,), {"roles": list(API_ROLES)})
