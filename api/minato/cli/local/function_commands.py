"""`minato functions`, with the Supabase CLI's flags: `new` writes files, `cache` fetches, the others say why not."""

from __future__ import annotations

from typing import Annotated, Final

import typer

from minato.cli.environment import process_environment
from minato.cli.local.cobra import CobraCommand, CobraGroup, exact_arguments, one_of
from minato.cli.local.failures import CommandFailure
from minato.cli.local.migration_commands import cli_command

# Those that speak to a hosted project.
HOSTED: Final = {
    "list": "List a hosted project's functions.",
    "deploy": "Deploy functions to a hosted project.",
    "delete": "Delete a function of a hosted project.",
    "download": "Download a hosted project's function.",
}
_ANYTHING: Final = {"allow_extra_args": True, "ignore_unknown_options": True}


def register(app: typer.Typer) -> None:
    """Add the group to `app`."""
    functions = typer.Typer(cls=CobraGroup, help="Edge Functions of the project.")
    functions.command("new", cls=CobraCommand)(new)
    functions.command("cache", cls=CobraCommand)(cache)
    functions.command("serve", cls=CobraCommand, context_settings=_ANYTHING)(serve)
    for name, sentence in HOSTED.items():
        functions.command(name, cls=CobraCommand, context_settings=_ANYTHING, help=sentence)(hosted)
    app.add_typer(functions, name="functions")


def new(
    context: typer.Context,
    name: Annotated[list[str] | None, typer.Argument(metavar="NAME", show_default=False)] = None,
    auth: Annotated[
        str, typer.Option("--auth", parser=one_of("none", "apikey", "user"), help="none, apikey or user")
    ] = "apikey",
) -> None:
    """Begin a function: its files, and its section of config.toml."""
    with cli_command(context) as flags:
        from minato.cli.local.functions import new_function
        from minato.cli.local.plan import find_place, load_config

        exact_arguments(name or [], 1)
        workdir = find_place(flags.workdir, None, process_environment()).workdir
        new_function(workdir, load_config(workdir, process_environment()), (name or [""])[0], auth)


def cache(
    context: typer.Context,
    names: Annotated[list[str] | None, typer.Argument(metavar="[NAME]...", show_default=False)] = None,
) -> None:
    """Fetch the packages that functions import; nothing else ever does."""
    with cli_command(context) as flags:
        from minato.cli.local.cache_functions import cache_functions
        from minato.cli.local.plan import find_place, load_config

        environment = process_environment()
        workdir = find_place(flags.workdir, None, environment).workdir
        cache_functions(workdir, load_config(workdir, environment), names or [], environment)


def serve(context: typer.Context) -> None:
    """Functions are served by minato start; this says so."""
    with cli_command(context):
        raise CommandFailure(
            "minato start serves Edge Functions itself, with pip install 'minato[functions]'.",
            "An edited function counts at its next request.",
        )


def hosted(context: typer.Context) -> None:
    """What needs a login that there is none of."""
    with cli_command(context):
        raise CommandFailure(
            "You need to be logged-in in order to use Management API commands.",
            "Minato speaks to no hosted project's API: give this command to the Supabase CLI.",
        )
