"""What a test does in a database: statements as a role, a look for what is wrong, and its mending."""

from __future__ import annotations

import psycopg2
from minato.advisors.advise import advise
from minato.advisors.finding import Finding
from minato.advisors.reading import read_snapshot
from minato.project.statements import split_statements
from psycopg2.extensions import connection as Connection

EXPOSED = ("public", "graphql_public")


def run(session: Connection, script: str, role: str = "postgres") -> None:
    """Statement by statement, as a role."""
    for statement in split_statements(script):
        ask(session, statement.text, role)


def ask(session: Connection, statement: str, role: str = "postgres") -> list[tuple[object, ...]]:
    """Its rows; an error tells the statement."""
    with session.cursor() as cursor:
        cursor.execute(f"set role {role}")
        try:
            cursor.execute(statement)
            return list(cursor.fetchall()) if cursor.description else []
        except psycopg2.Error as error:
            raise AssertionError(f"{statement}: {error}") from None
        finally:
            cursor.execute("reset role")


def found(session: Connection) -> list[Finding]:
    """What is wrong, as `postgres` sees it."""
    with session.cursor() as cursor:
        cursor.execute("set role postgres")
        findings = advise(read_snapshot(session, EXPOSED))
        cursor.execute("reset role")
    return findings


def mend(session: Connection, findings: list[Finding], role: str = "postgres") -> None:
    for finding in findings:
        for statement in finding.mend:
            ask(session, statement, role)
