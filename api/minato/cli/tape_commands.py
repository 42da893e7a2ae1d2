"""`minato tape` and `minato diff`, with their options. The work is imported when a command runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from minato.cli.errors import told_plainly
from minato.cli.local.cobra import CobraCommand
from minato.cli.local.migration_commands import cli_command

Name = Annotated[str, typer.Argument(help="What to call the tape.")]
Replace = Annotated[bool, typer.Option("--replace", help="Of a tape that is there already: begin it anew.")]
Tape = Annotated[Path, typer.Option("--tape", help="The file of a tape.", show_default=False)]
Against = Annotated[str, typer.Option("--against", help="The URL of the other server.", metavar="URL")]
AnonKey = Annotated[str, typer.Option("--anon-key", help="Its anon or publishable key.", show_default=False)]
ServiceKey = Annotated[str | None, typer.Option("--service-key", help="Its service or secret key.", show_default=False)]
Token = Annotated[str | None, typer.Option("--token", help="An access token for what users asked.", show_default=False)]
AllowWrites = Annotated[
    str | None,
    typer.Option("--allow-writes", help="Send what writes, too: repeats the project's ref.", metavar="REF"),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for scripts.")]
Page = Annotated[Path | None, typer.Option("--html", help="Write a page, too.", show_default=False)]
FailOn = Annotated[str, typer.Option("--fail-on", help="Exit status 1 from this grade up: S1, S2, S3 or S4.")]


def register(app: typer.Typer) -> None:
    """Add both to the command line."""
    tapes = typer.Typer(no_args_is_help=True, help="Tapes of what a client asks: start, stop, list, proxy.")
    app.add_typer(tapes, name="tape")
    tapes.command("start", cls=CobraCommand)(start)
    tapes.command("stop", cls=CobraCommand)(stop)
    tapes.command("list", cls=CobraCommand)(list_tapes)
    tapes.command("proxy")(proxy)
    app.command("diff")(diff)


def start(context: typer.Context, name: Name, replace: Replace = False) -> None:
    """Begin a tape of what the running server is asked."""
    with cli_command(context) as flags:
        from minato.cli.functions.project import served_project
        from minato.cli.tape import command_tapes

        typer.echo(f"Taping to {command_tapes(served_project(flags), 'POST', name, replace)['file']}")


def stop(context: typer.Context) -> None:
    """End it."""
    with cli_command(context) as flags:
        from minato.cli.functions.project import served_project
        from minato.cli.tape import command_tapes

        told = command_tapes(served_project(flags), "DELETE")
        typer.echo(f"{told['file']}: {told['requests']} requests.")


def list_tapes(context: typer.Context) -> None:
    """List the tapes, and say which one runs."""
    with cli_command(context) as flags:
        from minato.cli.functions.project import served_project
        from minato.cli.tape import command_tapes

        told = command_tapes(served_project(flags), "GET")
        for each in told["tapes"]:
            runs = " (runs)" if each["name"] == told["recording"] else ""
            typer.echo(f"{each['name']}{runs}: {each['requests']} requests, {each['file']}")


def proxy(
    of: Annotated[str, typer.Option("--of", help="The URL of a project anywhere.", metavar="URL")],
    tape: Tape,
    port: Annotated[int, typer.Option(help="Port to listen on; 0 takes a free one.", min=0, max=65535)] = 0,
    replace: Replace = False,
) -> None:
    """Stand in front of a project on this machine's loopback, and tape what passes."""
    with told_plainly():
        from minato.cli.tape import forward

        forward(of, tape, port, replace)


def diff(
    tape: Tape,
    against: Against,
    anon_key: AnonKey,
    service_key: ServiceKey = None,
    token: Token = None,
    allow_writes: AllowWrites = None,
    fail_on: FailOn = "S2",
    as_json: AsJson = False,
    page: Page = None,
) -> None:
    """Ask another server what a tape holds, and tell every difference.

    Only what reads is sent. Exit status 1: something differs as much as --fail-on says.
    """
    with told_plainly():
        from minato.cli.tape import Comparison, compare
        from minato.tape.replay import Other

        other = Other(against.rstrip("/"), anon_key, service_key, token)
        raise typer.Exit(compare(Comparison(tape, other, allow_writes, fail_on), page, as_json))
