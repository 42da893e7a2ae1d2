"""What the API shows although no policy can guard it: views of their owner, accounts, columns with secrets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from minato.advisors.conditions import is_always_true
from minato.advisors.finding import Finding, Level, Lint
from minato.advisors.row_security import ANYTHING
from minato.advisors.snapshot import Column, Relation, Snapshot
from minato.database.identifiers import quote_identifier

DEFINER_VIEW = Lint(
    "security_definer_view",
    "Security Definer View",
    Level.ERROR,
    "SECURITY",
    "A view reads with the rights of its owner, past the policies of its tables, unless it is a security_invoker.",
)
ACCOUNTS = Lint(
    "auth_users_exposed",
    "Exposed Auth Users",
    Level.ERROR,
    "SECURITY",
    "A view over auth.users shows people's addresses and phone numbers to everybody who may read it.",
)
MATERIALIZED = Lint(
    "materialized_view_in_api",
    "Materialized View in API",
    Level.WARN,
    "SECURITY",
    "Materialized views have no row level security: who may read one reads all of it.",
)
FOREIGN = Lint(
    "foreign_table_in_api",
    "Foreign Table in API",
    Level.WARN,
    "SECURITY",
    "Foreign tables have no row level security: who may read one reads all of what is behind it.",
)
SECRETS = Lint(
    "sensitive_columns_exposed",
    "Sensitive Columns Exposed",
    Level.ERROR,
    "SECURITY",
    "A column with such a name is nobody else's business, and everybody with this role reads it in every row.",
)
_SENSITIVE: Final = frozenset(
    "password passwd pwd password_hash hashed_password encrypted_password password_digest password_salt secret "
    "secret_key client_secret api_key apikey api_secret private_key access_token refresh_token auth_token "
    "session_token totp_secret otp_secret mfa_secret recovery_code recovery_codes backup_codes ssn "
    "social_security_number credit_card credit_card_number card_number cvv cvc iban bank_account bank_account_number "
    "passport_number national_id drivers_license driver_license tax_id".split()
)


def views_of_their_owner(snapshot: Snapshot) -> Iterator[Finding]:
    """Views of the API that show rows of tables with their owner's rights."""
    for view in snapshot.in_api("v", *ANYTHING):
        if view.is_view_of_its_owner and snapshot.read_by(view.oid):
            detail = f"View {view.schema}.{view.name} reads its tables with the rights of its owner."
            mend = f"alter view {view.place} set (security_invoker = true)"
            yield Finding(DEFINER_VIEW, "view", view.schema, view.name, "", detail, (mend,))


def exposed_accounts(snapshot: Snapshot) -> Iterator[Finding]:
    """Views of the API through which auth.users can be read."""
    for view in snapshot.in_api("vm", "SELECT"):
        reads_them = snapshot.accounts in snapshot.read_by(view.oid)
        if reads_them and (view.kind == "m" or view.is_view_of_its_owner):
            roles = view.roles_with("SELECT")
            detail = f"View {view.schema}.{view.name} shows auth.users to {' and '.join(roles)}."
            yield _closed(ACCOUNTS, view, "view", detail, ANYTHING)


def materialized_views(snapshot: Snapshot) -> Iterator[Finding]:
    """Materialized views that the API reads."""
    for view in snapshot.in_api("m", "SELECT"):
        detail = f"Materialized view {view.schema}.{view.name} is open to {' and '.join(view.roles_with('SELECT'))}."
        yield _closed(MATERIALIZED, view, "materialized view", detail, ("SELECT",))


def foreign_tables(snapshot: Snapshot) -> Iterator[Finding]:
    """Foreign tables that the API reads or writes."""
    for table in snapshot.in_api("f", *ANYTHING):
        detail = f"Foreign table {table.schema}.{table.name} is open to {' and '.join(table.roles_with(*ANYTHING))}."
        yield _closed(FOREIGN, table, "foreign table", detail, ANYTHING)


def _closed(lint: Lint, relation: Relation, kind: str, detail: str, privileges: Sequence[str]) -> Finding:
    roles = ", ".join(["public", *relation.roles_with(*privileges)])
    mend = f"revoke all on {relation.place} from {roles}"
    return Finding(lint, kind, relation.schema, relation.name, "", detail, (mend,))


def sensitive_columns(snapshot: Snapshot) -> Iterator[Finding]:
    """Columns with the name of a secret, of tables whose every row a role of the API may read."""
    for table in snapshot.in_api("rp", "SELECT"):
        columns = snapshot.columns_of.get(table.oid, [])
        for role in _readers_of_everything(table, snapshot):
            found = [column for column in columns if column.name.lower() in _SENSITIVE and role in column.readers]
            if found:
                names = ", ".join(column.name for column in found)
                detail = f"{role} reads {names} in every row of {table.schema}.{table.name}."
                mend = _without(table, role, columns, found)
                yield Finding(SECRETS, "table", table.schema, table.name, role, detail, mend)


def _readers_of_everything(table: Relation, snapshot: Snapshot) -> list[str]:
    roles = table.roles_with("SELECT")
    if not table.has_row_security:
        return roles
    whole = [
        policy.roles
        for policy in snapshot.policies_of.get(table.oid, [])
        if policy.is_permissive and policy.command in "r*" and is_always_true(policy.using)
    ]
    return [role for role in roles if any(role in named or "public" in named for named in whole)]


def _without(table: Relation, role: str, columns: Sequence[Column], hidden: Sequence[Column]) -> tuple[str, ...]:
    """A privilege on the table covers all its columns, so it goes, and the other columns are granted one by one."""
    others = [quote_identifier(column.name) for column in columns if role in column.readers and column not in hidden]
    revoke = f"revoke select on {table.place} from public, {role}"
    return (revoke, f"grant select ({', '.join(others)}) on {table.place} to {role}") if others else (revoke,)
