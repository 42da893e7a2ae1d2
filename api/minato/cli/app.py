"""Every command and option, readable as a table. The work is imported when a command runs, to keep each start fast."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer.core import TyperGroup

from minato import __version__
from minato.cli import branch_commands, gen_commands, tape_commands
from minato.cli.db_tools.commands import register as register_db_tools
from minato.cli.errors import fail, told_plainly
from minato.cli.functions import commands as functions_of_a_server
from minato.cli.local import database_commands, function_commands, migration_commands
from minato.cli.local.cobra import CobraCommand
from minato.cli.local.commands import AHEAD, register
from minato.cli.local.global_flags import split_global_flags
from minato.cli.local.migration_commands import cli_command
from minato.cli.local.target_flags import Chosen, DbUrl, Linked, Local, Password
from minato.cli.objects.commands import register as register_objects

if TYPE_CHECKING:
    from typer._click import Context


class CommandLine(TyperGroup):
    """Our commands, and the Supabase CLI's global flags wherever they stand."""

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        ctx.meta[AHEAD] = ctx.obj
        try:
            arranged, ctx.obj = split_global_flags(args)
        except ValueError as error:
            raise fail(str(error)) from None
        return super().parse_args(ctx, arranged)


app = typer.Typer(
    name="minato",
    cls=CommandLine,
    help="A Supabase-compatible backend in one process.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
db = typer.Typer(
    no_args_is_help=True,
    help="The database: as the Supabase CLI, and migrate, new, seed, url, psql.",
)
app.add_typer(db, name="db")
database_commands.register(db)
storage = typer.Typer(no_args_is_help=True, help="The stored files.")
app.add_typer(storage, name="storage")
register_objects(storage)
vault = typer.Typer(no_args_is_help=True, help="The vault's key: rotate-key.")
app.add_typer(vault, name="vault")
admin = typer.Typer(no_args_is_help=True, help="The administrator: grant, revoke, list.")
app.add_typer(admin, name="admin")
register(app)
migration = migration_commands.register(app)
register_db_tools(app, db)
functions_of_a_server.register(function_commands.register(app))
gen_commands.register(app)
tape_commands.register(app)
branch_commands.register(app)

DataDir = Annotated[
    Path | None, typer.Option("--data-dir", help="Holds the embedded database, files and generated secrets.")
]
COMMANDS = ("select", "insert", "update", "delete")
REQUEST = "What is done to the table; else a request by its x-request-id, last, or last:error (what nothing means)."
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for scripts.")]
Address = Annotated[str, typer.Argument(help="The account's e-mail address.")]
SeedName = Annotated[str, typer.Argument(help="A folder of the project's seeds/.")]


def _show_version(is_asked: bool) -> None:
    if is_asked:
        typer.echo(__version__)
        raise typer.Exit


@app.callback()
def minato(
    version: Annotated[
        bool, typer.Option("--version", "-v", help="Print the version.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    """A Supabase-compatible backend in one process."""


@app.command()
def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on.")] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on; 0 takes a free one.", min=0, max=65535)] = None,
    data_dir: DataDir = None,
    workers: Annotated[
        int | None, typer.Option(min=1, max=64, help="Processes that answer requests, behind the one port.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON line when ready, nothing else.")] = False,
    seed: Annotated[bool, typer.Option("--seed/--no-seed", help="Load the demo data into a new database.")] = True,
    demo: Annotated[bool | None, typer.Option("--demo/--no-demo", help="Present as a demonstration.")] = None,
    config: Annotated[Path | None, typer.Option(help="A supabase/config.toml: [auth] and functions are read.")] = None,
    reload: Annotated[bool, typer.Option("--reload", help="Start again whenever the code changes.")] = False,
) -> None:
    """Start PostgreSQL, bring it up to date and serve."""
    with told_plainly():
        from minato.cli.serve import ServeOptions, serve, serve_with_reload

        options = ServeOptions(host, port, data_dir, as_json, seed, demo, config, workers)
        if reload:
            serve_with_reload(options)
        else:
            serve(options)


@app.command()
def rest(
    file: Annotated[
        Path | None, typer.Argument(help="A postgrest.conf; without one the PGRST_ variables tell.")
    ] = None,
    config: Annotated[Path | None, typer.Option("--config", help="The same, as an option.")] = None,
    dump_config: Annotated[bool, typer.Option("--dump-config", help="Print the configuration in force.")] = False,
    dump_schema: Annotated[bool, typer.Option("--dump-schema", help="Print the schema cache as JSON.")] = False,
    example: Annotated[bool, typer.Option("--example", "-e", help="Print a file with every option.")] = False,
    ready: Annotated[bool, typer.Option("--ready", help="Ask the running server's /ready.")] = False,
) -> None:
    """Serve the data API alone on any database, in PostgREST's place."""
    with told_plainly():
        from minato.cli import rest, rest_info

        path = file or config
        if example:
            rest_info.print_example()
        elif dump_config:
            rest_info.print_config(path)
        elif dump_schema:
            rest_info.print_schema(path)
        elif ready:
            rest_info.ask_ready(path)
        else:
            rest.serve_rest(path)


@app.command()
def keys(data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Print the API keys and the JWT secret."""
    with told_plainly():
        from minato.cli.keys import show_keys

        show_keys(data_dir, as_json)


@app.command()
def doctor(
    data_dir: DataDir = None,
    production: Annotated[
        bool, typer.Option("--production", help="List what would be unsafe in production, and how to mend it.")
    ] = False,
    config: Annotated[Path | None, typer.Option(help="The config.toml that serve --config is given.")] = None,
) -> None:
    """Check what Minato needs on this machine; exit status 1 when something is missing, or unsafe in production."""
    with told_plainly():
        if production:
            from minato.cli.options import load_settings, read_config_file
            from minato.cli.production import examine_for_production

            behind = read_config_file(config).variables if config else {}
            examine_for_production(load_settings(data_dir, environment="production", behind=behind))
        from minato.cli.doctor import examine

        examine(data_dir)


@db.command("migrate")
def migrate(data_dir: DataDir = None) -> None:
    """Bring the database to the newest revision."""
    with told_plainly():
        from minato.cli.db import migrate

        migrate(data_dir)


@db.command("new")
def new(message: Annotated[str, typer.Argument(help="What it does, in a few words.")]) -> None:
    """Begin a migration: the project's next file of SQL."""
    with told_plainly():
        from minato.cli.new_migration import new_migration
        from minato.cli.options import load_settings
        from minato.clock import Clock

        new_migration(load_settings(None), message, Clock().now())


@db.command("seed")
def seed(name: SeedName = "demo", data_dir: DataDir = None) -> None:
    """Load sample data: rows and files."""
    with told_plainly():
        from minato.cli.db import seed

        seed(data_dir, name)


@db.command("url")
def url(data_dir: DataDir = None) -> None:
    """Print the database's connection string."""
    with told_plainly():
        from minato.cli.db import url

        url(data_dir)


@db.command("psql", context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def psql(context: typer.Context, data_dir: DataDir = None) -> None:
    """Open psql on the database; further arguments go to psql."""
    with told_plainly():
        from minato.cli.db import psql

        psql(data_dir, context.args)


@admin.command("grant")
def grant(email: Address, data_dir: DataDir = None) -> None:
    """Make the account of the configured address administrator."""
    with told_plainly():
        from minato.cli import administrator

        administrator.grant(data_dir, email)


@admin.command("revoke")
def revoke(email: Address, data_dir: DataDir = None) -> None:
    """Take the administrator's role from an account and end its sessions."""
    with told_plainly():
        from minato.cli import administrator

        administrator.revoke(data_dir, email)


@admin.command("list")
def list_administrators(data_dir: DataDir = None) -> None:
    """Print who is administrator."""
    with told_plainly():
        from minato.cli import administrator

        administrator.show(data_dir)


@vault.command("rotate-key")
def rotate_key(
    data_dir: DataDir = None,
    forget: Annotated[
        bool, typer.Option("--forget", help="Remove the former keys: dumps from before open no more.")
    ] = False,
) -> None:
    """Make a new root key for the vault and put every secret under it."""
    with told_plainly():
        from minato.cli.vault import rotate_key

        rotate_key(data_dir, forget)


@storage.command("sweep")
def sweep(
    data_dir: DataDir = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print what would go, delete nothing.")] = False,
    adopt: Annotated[
        bool, typer.Option("--adopt", help="Go on although the files were last used with another database.")
    ] = False,
) -> None:
    """Delete stored files that no row names and that are older than STORAGE_ORPHAN_AGE."""
    with told_plainly():
        from minato.cli.storage import sweep

        sweep(data_dir, dry_run, adopt)


@migration.command("squash", cls=CobraCommand)
def squash(
    context: typer.Context,
    version: Annotated[str, typer.Option("--version", help="Squash up to the specified version.")] = "",
    db_url: DbUrl = None,
    linked: Linked = None,
    local: Local = None,
    password: Password = None,
) -> None:
    """Squash migrations to a single file."""
    with cli_command(context) as flags:
        from minato.cli.local.database_target import database_of
        from minato.cli.local.prompts import Console
        from minato.cli.squash import squash_migrations

        target = database_of(flags, Chosen(db_url, linked, local, password))
        squash_migrations(target, version, Console(flags.yes))


@app.command(cls=CobraCommand)
def why(
    context: typer.Context,
    asked: Annotated[
        str, typer.Argument(metavar="[select|insert|update|delete|REQUEST]", help=REQUEST, show_default=False)
    ] = "last:error",
    table: Annotated[
        str | None,
        typer.Argument(help="A table, storage:<bucket>/<key>, or realtime:<topic>.", show_default=False),
    ] = None,
    who: Annotated[
        str, typer.Option("--as", help="anon, service_role, or the address of a user.", metavar="WHO")
    ] = "anon",
    row: Annotated[str | None, typer.Option("--row", help="The new values, as JSON.", show_default=False)] = None,
    where: Annotated[str, typer.Option("--where", help="Which rows, as the data API is asked: id=eq.1")] = "",
    as_json: AsJson = False,
) -> None:
    """Tell what somebody may do with rows, and which policy or privilege keeps them from it. Nothing is done.

    Without a table: why a request was refused, or found no rows.

    Exit status 2: it is refused.
    """
    with cli_command(context) as flags:
        from minato.cli.functions.project import served_project
        from minato.cli.local.failures import CommandFailure
        from minato.cli.why import Question, explain_command, explain_request

        if table is None and asked not in COMMANDS:
            raise typer.Exit(explain_request(served_project(flags), asked, as_json))
        if table is None or asked not in COMMANDS:
            raise CommandFailure(f'invalid argument "{asked}": {", ".join(COMMANDS)} TABLE, or a REQUEST alone')
        raise typer.Exit(explain_command(served_project(flags), Question(asked, table, who, row, where), as_json))
