"""`db lint`: plpgsql_check on every function in PL/pgSQL, in a transaction that is rolled back."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

import psycopg2
import typer
from psycopg2.extensions import connection as Connection
from psycopg2.extensions import cursor as Cursor

from minato.cli.db_tools.rows import as_indented_json
from minato.cli.local.failures import CommandFailure
from minato.cli.local.plan import say
from minato.project.migrate import LEFT_OUT

LEVELS: Final = ("warning", "error")
_MANAGED: Final = (
    *("information\\_schema", "pg\\_%", "\\_analytics", "\\_realtime", "\\_supavisor", "pgbouncer", "pgmq"),
    *("pgsodium", "pgtle", "supabase\\_migrations", "vault", "storage\\_vectors"),
)
_USER_SCHEMAS: Final = """
select n.nspname from pg_namespace n
where not n.nspname like any(%s) and n.nspowner::regrole::text <> 'supabase_admin'
  and not exists (select from pg_depend d where d.objid = n.oid and d.deptype = 'e')
order by 1
"""
_CHECK: Final = """
select p.proname, plpgsql_check_function(p.oid, format := 'json')
from pg_proc p join pg_namespace n on n.oid = p.pronamespace join pg_language l on l.oid = p.prolang
where l.lanname = 'plpgsql' and p.prorettype <> 'trigger'::regtype and n.nspname = %s
"""
# One function's findings, as plpgsql_check writes them.
Result = dict[str, Any]
# In the order in which the reference prints them.
_FIELDS: Final = ("level", "message", "statement", "query", "hint", "detail", "context", "sqlState")


def lint(connection: Connection, schemas: Sequence[str], level: str, fail_on: str) -> None:
    """Print what is wrong. Raises `CommandFailure` where there is no plpgsql_check, or where something is as bad as
    `fail_on`."""
    with connection.cursor() as cursor:
        cursor.execute("begin")
        try:
            found = _findings(cursor, schemas)
        finally:
            cursor.execute("rollback")
    if not found:
        say("\nNo schema errors found")
        return
    shown = [kept for result in found if (kept := _at_least(result, level))]
    if shown:
        typer.echo(as_indented_json(shown), nl=False)
    if any(_is_as_bad(issue, fail_on) for result in shown for issue in result["issues"]):
        raise CommandFailure(f"fail-on is set to {fail_on}, non-zero exit")


def _findings(cursor: Cursor, schemas: Sequence[str]) -> list[Result]:
    chosen = list(schemas)
    if not chosen:
        cursor.execute(_USER_SCHEMAS, [list(_MANAGED)])
        chosen = [name for (name,) in cursor.fetchall()]
    _enable(cursor)
    found = []
    for schema in chosen:
        say(f"Linting schema: {schema}")
        cursor.execute(_CHECK, [schema])
        for name, text in cursor.fetchall():
            result = json.loads(text) if isinstance(text, str) else text
            found.append({"function": f"{schema}.{name}", "issues": [_issue(i) for i in result.get("issues", [])]})
    return found


def _enable(cursor: Cursor) -> None:
    try:
        cursor.execute("create extension if not exists plpgsql_check")
    except psycopg2.Error as error:
        raise _missing(f"ERROR: {error.diag.message_primary} (SQLSTATE {error.pgcode})") from None
    cursor.execute("select extversion from pg_extension where extname = 'plpgsql_check'")
    if cursor.fetchone() == (LEFT_OUT,):
        raise _missing("it is left out, an empty extension")


def _missing(said: str) -> CommandFailure:
    return CommandFailure(
        f"failed to enable pgsql_check: {said}",
        "db lint needs the extension plpgsql_check, which this PostgreSQL does not have: name a database that has "
        "it by --db-url, or a PostgreSQL that has it by MINATO_POSTGRES_BIN.",
    )


def _issue(given: Result) -> Result:
    return {name: given[name] for name in _FIELDS if given.get(name)}


def _at_least(result: Result, level: str) -> Result | None:
    issues = [issue for issue in result["issues"] if _rank(issue) >= LEVELS.index(level)]
    return {**result, "issues": issues} if issues else None


def _is_as_bad(issue: Result, fail_on: str) -> bool:
    return fail_on in LEVELS and _rank(issue) >= LEVELS.index(fail_on)


def _rank(issue: Result) -> int:
    """`warning extra` is a warning, too; what is neither is below both."""
    level = str(issue.get("level", ""))
    return next((rank for rank, name in enumerate(LEVELS) if level.startswith(name)), -1)
