"""`minato migration` and `minato seed`, with the Supabase CLI's flags. The work is imported when a command runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Annotated

import typer

from minato.cli.environment import process_environment
from minato.cli.local.cobra import CobraCommand, CobraGroup, exact_arguments, no_arguments, one_of, unsigned
from minato.cli.local.failures import CommandFailure, told_as_the_cli
from minato.cli.local.global_flags import GlobalFlags, global_flags
from minato.cli.local.target_flags import Chosen, DbUrl, Linked, Local, Password

IncludeAll = Annotated[
    bool, typer.Option("--include-all", help="Include all migrations not found on remote history table.")
]


@contextmanager
def cli_command(context: typer.Context) -> Iterator[GlobalFlags]:
    """What every command of the CLI's begins with; its failures are told as that does."""
    flags = global_flags(context, process_environment())
    with told_as_the_cli(flags.debug):
        yield flags


def register(app: typer.Typer) -> typer.Typer:
    """Add the commands to `app`; the group `migration`, for what stands above this room."""
    migration = typer.Typer(cls=CobraGroup, help="Manage database migration scripts.")
    for name, command in COMMANDS.items():
        migration.command(name, cls=CobraCommand)(command)
    app.add_typer(migration, name="migration")
    app.add_typer(migration, name="migrations", hidden=True)
    seed = typer.Typer(cls=CobraGroup, help="Seed a project from supabase/config.toml.")
    seed.command("buckets", cls=CobraCommand)(buckets)
    app.add_typer(seed, name="seed")
    return migration


def new(
    context: typer.Context, name: Annotated[list[str] | None, typer.Argument(metavar="NAME", show_default=False)] = None
) -> None:
    """Create an empty migration script, or one with what is piped in."""
    with cli_command(context) as flags:
        exact_arguments(name or [], 1)
        from minato.cli.local.migrations import new_migration
        from minato.cli.local.plan import find_place
        from minato.cli.local.prompts import piped_input
        from minato.clock import Clock

        place = find_place(flags.workdir, None, process_environment())
        new_migration(place.workdir.root, (name or [""])[0], Clock().now(), piped_input())


def up(
    context: typer.Context,
    include_all: IncludeAll = False,
    db_url: DbUrl = None,
    linked: Linked = None,
    local: Local = None,
) -> None:
    """Apply pending migrations to the local database."""
    with cli_command(context) as flags:
        from minato.cli.local.database_target import database_of
        from minato.cli.local.migrations import migrate_up

        migrate_up(database_of(flags, Chosen(db_url, linked, local)), include_all)


def down(
    context: typer.Context,
    last: Annotated[int, typer.Option("--last", parser=unsigned, help="Reset up to the last n versions.")] = 1,
    db_url: DbUrl = None,
    linked: Linked = None,
    local: Local = None,
) -> None:
    """Reset applied migrations up to the last n versions."""
    with cli_command(context) as flags:
        no_arguments(context)
        from minato.cli.local.database_target import database_of
        from minato.cli.local.migrations import migrate_down
        from minato.cli.local.prompts import Console

        migrate_down(database_of(flags, Chosen(db_url, linked, local)), last, Console(flags.yes))


def list_(
    context: typer.Context,
    db_url: DbUrl = None,
    linked: Linked = None,
    local: Local = None,
    password: Password = None,
) -> None:
    """List local and remote migrations."""
    with cli_command(context) as flags:
        from minato.cli.local.database_target import database_of
        from minato.cli.local.migrations import list_migrations

        list_migrations(database_of(flags, Chosen(db_url, linked, local, password)))


def repair(
    context: typer.Context,
    version: Annotated[list[str] | None, typer.Argument(metavar="VERSION", show_default=False)] = None,
    status: Annotated[
        str | None,
        typer.Option("--status", parser=one_of("applied", "reverted"), help="Version status to update."),
    ] = None,
    db_url: DbUrl = None,
    linked: Linked = None,
    local: Local = None,
    password: Password = None,
) -> None:
    """Repair the migration history table."""
    with cli_command(context) as flags:
        from minato.cli.local.database_target import database_of
        from minato.cli.local.migrations import repair_history
        from minato.cli.local.prompts import Console

        target = database_of(flags, Chosen(db_url, linked, local, password))
        if status is None:
            raise CommandFailure('required flag(s) "status" not set')
        repair_history(target, version or [], status, Console(flags.yes))


def fetch(context: typer.Context, db_url: DbUrl = None, linked: Linked = None, local: Local = None) -> None:
    """Fetch migration files from the history table."""
    with cli_command(context) as flags:
        from minato.cli.local.database_target import database_of
        from minato.cli.local.migrations import fetch_migrations
        from minato.cli.local.prompts import Console

        target = database_of(flags, Chosen(db_url, linked, local))
        fetch_migrations(target, Console(flags.yes))


def buckets(context: typer.Context, linked: Linked = None, local: Local = None) -> None:
    """Seed the buckets declared in [storage.buckets]."""
    with cli_command(context) as flags:
        no_arguments(context)
        from minato.cli.local.prompts import Console
        from minato.cli.local.seed_buckets import seed_buckets

        seed_buckets(flags, Chosen(None, linked, local), Console(flags.yes))


COMMANDS: Mapping[str, Callable[..., None]] = {
    "new": new,
    "up": up,
    "down": down,
    "list": list_,
    "repair": repair,
    "fetch": fetch,
}
