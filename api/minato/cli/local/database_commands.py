"""`minato db start`, `reset` and `push`, with the Supabase CLI's flags. The work is imported when a command runs.

`db reset` has two meanings: in a project, the CLI's; elsewhere, and with the name of a seed or a `--data-dir`, it is
about the data of `minato serve`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from minato.cli.environment import process_environment
from minato.cli.local.cobra import CobraCommand, exclude_each_other, unsigned
from minato.cli.local.global_flags import GlobalFlags
from minato.cli.local.migration_commands import IncludeAll, cli_command
from minato.cli.local.target_flags import Chosen, DbUrl, Linked, Local, Password

SeedName = Annotated[
    str | None, typer.Argument(help="Of minato serve's data: a folder of the project's seeds/.", show_default=False)
]
DataDir = Annotated[
    Path | None, typer.Option("--data-dir", help="Of minato serve: the data to reset.", show_default=False)
]


def register(db: typer.Typer) -> None:
    """Add the commands to `db`."""
    db.command("start", cls=CobraCommand)(start)
    db.command("reset", cls=CobraCommand)(reset)
    db.command("push", cls=CobraCommand)(push)


def start(
    context: typer.Context,
    from_backup: Annotated[
        Path | None, typer.Option("--from-backup", help="Path to a logical backup file.", show_default=False)
    ] = None,
) -> None:
    """Start the project's database, without the other services."""
    with cli_command(context) as flags:
        from minato.cli.local.database_start import start_database
        from minato.cli.local.plan import find_place, refuse_production

        refuse_production(process_environment())
        place = find_place(flags.workdir, None, process_environment())
        start_database(place, Path.cwd() / from_backup if from_backup is not None else None)


def reset(
    context: typer.Context,
    name: SeedName = None,
    data_dir: DataDir = None,
    no_seed: Annotated[bool, typer.Option("--no-seed", help="Skip running the seed script after reset.")] = False,
    version: Annotated[str | None, typer.Option("--version", help="Reset up to the specified version.")] = None,
    last: Annotated[
        int | None, typer.Option("--last", parser=unsigned, help="Reset up to the last n versions.")
    ] = None,
    db_url: DbUrl = None,
    linked: Linked = None,
    local: Local = None,
) -> None:
    """Reset the database to the current migrations."""
    with cli_command(context) as flags:
        is_typed = no_seed or any(given is not None for given in (version, last, db_url, linked, local))
        if name is not None or data_dir is not None or not (is_typed or _is_in_project(flags)):
            from minato.cli.db import reset as reset_served

            reset_served(data_dir, name or "demo", flags.yes)
            return
        from minato.cli.local.database_target import database_of
        from minato.cli.local.prompts import Console
        from minato.cli.local.reset import reset_database

        target = database_of(flags, Chosen(db_url, linked, local))
        exclude_each_other(("version", "last"), {"version": version is not None, "last": last is not None})
        reset_database(target, version or "", last or 0, not no_seed, Console(flags.yes))


def push(
    context: typer.Context,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print the migrations that would be applied; apply none.")
    ] = False,
    include_all: IncludeAll = False,
    include_roles: Annotated[bool, typer.Option("--include-roles", help="Include supabase/roles.sql.")] = False,
    include_seed: Annotated[bool, typer.Option("--include-seed", help="Include seed data from your config.")] = False,
    db_url: DbUrl = None,
    linked: Linked = None,
    local: Local = None,
    password: Password = None,
) -> None:
    """Push new migrations to the remote database."""
    with cli_command(context) as flags:
        from minato.cli.local.database_target import database_of
        from minato.cli.local.prompts import Console
        from minato.cli.local.push import Wanted, push_database

        target = database_of(flags, Chosen(db_url, linked, local, password))
        push_database(target, Wanted(dry_run, include_all, include_roles, include_seed), Console(flags.yes))


def _is_in_project(flags: GlobalFlags) -> bool:
    """Whether the Supabase CLI would find a project here."""
    from minato.project.workdir import find_workdir

    found = find_workdir(flags.workdir, process_environment(), Path.cwd())
    return found.config_file.is_file() or (found.supabase / "migrations").is_dir()
