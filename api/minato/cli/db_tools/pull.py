"""`db pull`: what a database has and the project's migrations lack becomes the next migration."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

import typer

from minato.cli.db_tools.diff import NOTHING, write_migration
from minato.cli.db_tools.shadow import shadow_of
from minato.cli.local.database_target import DatabaseTarget, connected
from minato.cli.local.failures import CommandFailure, bold, named
from minato.cli.local.migrations import local_migrations, note_versions, project_of
from minato.cli.local.plan import say
from minato.cli.local.prompts import Console
from minato.project.history import applied_versions
from minato.schema_diff.diff import compare, script
from minato.schema_diff.scope import Scope

_CONFLICT: Final = (
    "The remote database's migration history does not match local files in supabase/migrations directory."
)
_UP_TO_DATE: Final = (
    "\nMake sure your local git repo is up-to-date. If the error persists, try repairing the migration history table:"
)


def pull(target: DatabaseTarget, name: str, schemas: Sequence[str], now: datetime, console: Console) -> None:
    """Write the migration; note it in the database's history where that is agreed to. Raises `CommandFailure` and
    `ProjectError`."""
    project = project_of(target)
    with connected(target) as connection, connection.cursor() as cursor:
        applied = applied_versions(cursor)
    files = local_migrations(project)
    _require_same(applied, [file.version for file in files])
    with shadow_of(project, target.config, target.environment, []) as shadow:
        # The first one takes everything, whatever schemas were named.
        wanted = tuple(schemas) if files else ()
        say(f"Diffing schemas: {','.join(wanted)}" if wanted else "Diffing schemas...")
        statements = compare(shadow.migrated, target.dsn, Scope(wanted))
    if not statements:
        raise CommandFailure(NOTHING)
    path = write_migration(target, name, script(statements), now)
    say(f"Schema written to {bold(str(path.relative_to(project.root)))}")
    if console.confirm("Update remote migration history table?", default=True):
        note_versions(target, [path.name.partition("_")[0]])
    typer.echo(f"Finished {named('supabase db pull')}.")


def _require_same(applied: Sequence[str], versions: Sequence[str]) -> None:
    """What was run elsewhere, or never, would be taken for a change. Versions that are no numbers are no migrations of
    the reference's. Raises `CommandFailure`."""
    there = {version for version in applied if version.isdecimal()}
    here = set(versions)
    advice = [_repair("reverted", version) for version in sorted(there - here)]
    advice += [_repair("applied", version) for version in sorted(here - there)]
    if advice:
        raise CommandFailure(_CONFLICT, "\n".join([_UP_TO_DATE, *advice]))


def _repair(status: str, version: str) -> str:
    return bold(f"supabase migration repair --status {status} {version}")
