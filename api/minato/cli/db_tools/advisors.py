"""`db advisors`: what hurts in a database, as JSON for programs or as text for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from time import perf_counter
from typing import Final

import typer
from psycopg2.extensions import connection as Connection

from minato.advisors.advise import advise
from minato.advisors.allowed import Sifted, sift
from minato.advisors.finding import Finding, Level
from minato.advisors.reading import read_snapshot
from minato.cli.db_tools.rows import as_indented_json
from minato.cli.local.failures import CommandFailure
from minato.cli.local.plan import say

TYPES: Final = ("all", "security", "performance", "reliability")
LEVELS: Final = ("info", "warn", "error")
_COLOURS: Final = {Level.ERROR: typer.colors.RED, Level.WARN: typer.colors.YELLOW, Level.INFO: typer.colors.BLUE}


def advisors(
    connection: Connection, exposed: Sequence[str], reasons: Mapping[str, str], kind: str, level: str
) -> Sifted:
    """What was found of a kind and level, told on standard error how long that took. Raises psycopg2.Error."""
    began = perf_counter()
    sifted = sift(advise(read_snapshot(connection, exposed)), reasons)
    took = (perf_counter() - began) * 1000
    allowed = f", {len(sifted.allowed)} allowed by minato.toml" if sifted.allowed else ""
    say(f"Looked through the database in {took:.0f} ms: {_counted(sifted.open)}{allowed}.")
    for name in sifted.idle:
        say(f"WARN: [advisors] of minato.toml allows {name}, which was not found.")
    return Sifted([each for each in sifted.open if _is_asked_for(each, kind, level)], sifted.allowed, sifted.idle)


def show(findings: Sequence[Finding], *, as_json: bool) -> None:
    """Print them; without any, the reference's sentence on standard error."""
    if not findings:
        say("No issues found")
    elif as_json:
        typer.echo(as_indented_json([_as_the_cli(finding) for finding in findings]), nl=False)
    else:
        typer.echo("\n".join(_as_text(finding) for finding in findings), nl=False)


def fail_on(findings: Sequence[Finding], level: str) -> None:
    """Raises `CommandFailure` where one is as bad as the level."""
    if level in LEVELS and any(finding.lint.level >= LEVELS.index(level) for finding in findings):
        raise CommandFailure(f"fail-on is set to {level}, non-zero exit")


def _is_asked_for(finding: Finding, kind: str, level: str) -> bool:
    return kind in ("all", finding.lint.category.lower()) and finding.lint.level >= LEVELS.index(level)


def _counted(findings: Sequence[Finding]) -> str:
    numbers = {level: sum(finding.lint.level == level for finding in findings) for level in reversed(Level)}
    return ", ".join(f"{number} {level.name}" for level, number in numbers.items() if number) or "no issues"


def _script(finding: Finding) -> str:
    return "\n".join(f"{statement};" for statement in finding.mend)


def _as_the_cli(finding: Finding) -> dict[str, object]:
    """An object of the reference's array. `remediation` holds the statements, where it has the address of a page."""
    lint = finding.lint
    part = {"part": finding.part} if finding.part else {}
    return {
        "name": lint.name,
        "title": lint.title,
        "level": lint.level.name,
        "facing": "EXTERNAL",
        "categories": [lint.category],
        "description": lint.why,
        "detail": finding.detail,
        "remediation": _script(finding),
        "metadata": {"name": finding.name, "schema": finding.schema, "type": finding.kind, **part},
        "cache_key": finding.key,
    }


def _as_text(finding: Finding) -> str:
    lint = finding.lint
    level = typer.style(lint.level.name, fg=_COLOURS[lint.level])
    mend = "\n".join(f"    {line}" for line in _script(finding).splitlines())
    return f"{level} {lint.name} {finding.place}\n  {finding.detail}\n  {lint.why}\n{mend}\n"
