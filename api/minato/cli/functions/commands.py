"""Their flags, those of the Supabase CLI where it has the command. The work is imported when a command runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from minato.cli.local.cobra import CobraCommand, exact_arguments, exclude_each_other, one_of
from minato.cli.local.failures import CommandFailure
from minato.cli.local.migration_commands import cli_command

HOSTED: Final = {
    "deploy": "Deploy functions to a hosted project.",
    "delete": "Delete a function of a hosted project.",
    "download": "Download a hosted project's function.",
}
_ANYTHING: Final = {"allow_extra_args": True, "ignore_unknown_options": True}
Names = Annotated[list[str] | None, typer.Argument(metavar="[NAME]", show_default=False)]
DataDir = Annotated[
    Path | None, typer.Option("--data-dir", help="Where the data are, also those of minato serve.", show_default=False)
]


def register(functions: typer.Typer) -> None:
    """Add the commands to the group."""
    functions.command("serve", cls=CobraCommand)(serve)
    functions.command("list", cls=CobraCommand)(list_)
    functions.command("invoke", cls=CobraCommand)(invoke)
    functions.command("logs", cls=CobraCommand)(logs)
    for name, sentence in HOSTED.items():
        functions.command(name, cls=CobraCommand, context_settings=_ANYTHING, help=sentence)(hosted)


def serve(
    context: typer.Context,
    name: Names = None,
    no_verify_jwt: Annotated[
        bool, typer.Option("--no-verify-jwt", help="Disable JWT verification for the Function.")
    ] = False,
    env_file: Annotated[
        str, typer.Option("--env-file", help="Path to an env file to be populated to the Function environment.")
    ] = "",
    import_map: Annotated[str, typer.Option("--import-map", help="Path to import map file.")] = "",
    inspect: Annotated[bool, typer.Option("--inspect", help="Alias of --inspect-mode brk.")] = False,
    inspect_mode: Annotated[
        str | None,
        typer.Option(
            "--inspect-mode", parser=one_of("run", "brk", "wait"), help="Activate inspector capability for debugging."
        ),
    ] = None,
    inspect_main: Annotated[
        bool, typer.Option("--inspect-main", help="Allow inspecting the main worker; there is none here.")
    ] = False,
    every: Annotated[bool, typer.Option("--all", hidden=True)] = True,
) -> None:
    """Serve all Functions locally."""
    with cli_command(context) as flags:
        exclude_each_other(["inspect", "inspect-mode"], {"inspect": inspect, "inspect-mode": inspect_mode is not None})
        if inspect_main and not inspect and inspect_mode is None:
            raise CommandFailure("--inspect-main must be used together with one of these flags: [inspect inspect-mode]")
        from minato.cli.functions.project import served_project
        from minato.cli.functions.serve import Asked, serve_functions

        asked = Asked(no_verify_jwt, env_file, import_map, inspect_mode or ("brk" if inspect else ""))
        serve_functions(served_project(flags), name or [], asked)


def list_(
    context: typer.Context,
    output: Annotated[str, typer.Option("--output", "-o", help="env, pretty, json, toml or yaml.")] = "pretty",
    project_ref: Annotated[str, typer.Option("--project-ref", hidden=True)] = "",
) -> None:
    """List the project's functions: whether each is served, who may call it, where it is, and whether it runs."""
    with cli_command(context) as flags:
        from minato.cli.functions.listing import list_functions
        from minato.cli.functions.project import functions_project

        list_functions(functions_project(flags), output)


def invoke(
    context: typer.Context,
    name: Names = None,
    data: Annotated[str | None, typer.Option("--data", "-d", help="The body.")] = None,
    data_file: Annotated[
        str | None, typer.Option("--data-file", help="A file with the body; - is standard input.")
    ] = None,
    method: Annotated[str, typer.Option("--method", "-X", help="The method.")] = "POST",
    header: Annotated[list[str] | None, typer.Option("--header", "-H", help="Name: value.")] = None,
    who: Annotated[
        str, typer.Option("--as", help="anon, service_role, or the address of a user.", metavar="WHO")
    ] = "anon",
    no_auth: Annotated[bool, typer.Option("--no-auth", help="Send no key and no token.")] = False,
) -> None:
    """Call a function: the status on standard error, the answer on standard output; exit status 1 from 400 on."""
    with cli_command(context) as flags:
        exact_arguments(name or [], 1)
        exclude_each_other(["data", "data-file"], {"data": data is not None, "data-file": data_file is not None})
        from minato.cli.functions.invoke import Call, invoke_function
        from minato.cli.functions.project import served_project

        call = Call((name or [""])[0], method, data, data_file, header or [], None if no_auth else who)
        raise typer.Exit(invoke_function(served_project(flags), call))


def logs(
    context: typer.Context,
    name: Names = None,
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Go on until Ctrl-C.")] = False,
    request: Annotated[str, typer.Option("--request", help="What one request said, by its x-request-id.")] = "",
    lines: Annotated[str, typer.Option("--lines", "-n", help="The last so many, or all.")] = "100",
    data_dir: DataDir = None,
) -> None:
    """Print what functions said."""
    with cli_command(context) as flags:
        from minato.cli.functions.logs import Wanted, show_logs, wanted_lines
        from minato.cli.functions.project import functions_project

        show_logs(functions_project(flags, data_dir), Wanted(name or [], request, wanted_lines(lines)), follow)


def hosted(context: typer.Context) -> None:
    """What belongs to the hosted service."""
    with cli_command(context):
        raise CommandFailure(
            f"functions {context.info_name} belongs to the hosted service, to which Minato does not speak.",
            "Give this command to the Supabase CLI; minato start serves supabase/functions by itself.",
        )
