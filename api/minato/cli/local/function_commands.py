"""`minato functions`: `new` writes files, with the Supabase CLI's flags, `cache` fetches."""

from __future__ import annotations

from typing import Annotated

import typer

from minato.cli.environment import process_environment
from minato.cli.local.cobra import CobraCommand, CobraGroup, exact_arguments, one_of
from minato.cli.local.migration_commands import cli_command


def register(app: typer.Typer) -> typer.Typer:
    """Add the group to `app`; it is given back for what stands above this room."""
    functions = typer.Typer(cls=CobraGroup, help="Edge Functions of the project.")
    functions.command("new", cls=CobraCommand)(new)
    functions.command("cache", cls=CobraCommand)(cache)
    app.add_typer(functions, name="functions")
    return functions


def new(
    context: typer.Context,
    name: Annotated[list[str] | None, typer.Argument(metavar="NAME", show_default=False)] = None,
    auth: Annotated[
        str, typer.Option("--auth", parser=one_of("none", "apikey", "user"), help="none, apikey or user")
    ] = "apikey",
    python: Annotated[bool, typer.Option("--python", help="In Python, not in TypeScript.")] = False,
) -> None:
    """Begin a function: its files, and its section of config.toml."""
    with cli_command(context) as flags:
        from minato.cli.local.functions import new_function
        from minato.cli.local.new_python import new_python_function
        from minato.cli.local.plan import find_place, load_config

        exact_arguments(name or [], 1)
        workdir = find_place(flags.workdir, None, process_environment()).workdir
        begin = new_python_function if python else new_function
        begin(workdir, load_config(workdir, process_environment()), (name or [""])[0], auth)


def cache(
    context: typer.Context,
    names: Annotated[list[str] | None, typer.Argument(metavar="[NAME]...", show_default=False)] = None,
    reload: Annotated[bool, typer.Option("--reload", help="Look for newer versions.")] = False,
) -> None:
    """Fetch the packages that functions import; nothing else ever does."""
    with cli_command(context) as flags:
        from minato.cli.local.cache_functions import cache_functions
        from minato.cli.local.plan import find_place, load_config

        environment = process_environment()
        workdir = find_place(flags.workdir, None, environment).workdir
        cache_functions(workdir, load_config(workdir, environment), names or [], environment, reload=reload)
