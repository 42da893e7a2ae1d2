"""`minato branch` and `minato snapshot`, with their options. The work is imported when a command runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from minato.cli.local.cobra import CobraCommand
from minato.cli.local.migration_commands import cli_command

if TYPE_CHECKING:
    from minato.cli.branches import Server

Address = Annotated[
    str | None, typer.Option("--server", help="The server's URL, where it is not this folder's.", metavar="URL")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for scripts.")]
Force = Annotated[bool, typer.Option("--force", help="End sessions of others in the database it comes from.")]
Id = Annotated[str, typer.Argument(metavar="ID", help="The branch.", show_default=False)]
Name = Annotated[str, typer.Argument(metavar="NAME", help="The snapshot.", show_default=False)]
ONE = ("id", "url", "anon_key", "db_url", "from", "label", "expires_at", "ms")
LISTED = ("id", "from", "label", "created_at", "expires_at", "url")
SNAPSHOT = ("name", "of", "bytes", "files", "created_at")


def register(app: typer.Typer) -> None:
    """Add both to the command line."""
    branch = typer.Typer(no_args_is_help=True, help="Branches: create, list, show, reset, drop, env.")
    app.add_typer(branch, name="branch")
    for name, command in BRANCH_COMMANDS.items():
        branch.command(name, cls=CobraCommand)(command)
    snapshot = typer.Typer(no_args_is_help=True, help="Snapshots: save, restore, list, drop, export, import.")
    app.add_typer(snapshot, name="snapshot")
    for name, command in SNAPSHOT_COMMANDS.items():
        snapshot.command(name, cls=CobraCommand)(command)


@contextmanager
def _asking(context: typer.Context, server: str | None) -> Iterator[Server]:
    with cli_command(context) as flags:
        from minato.cli.branches import find_server

        yield find_server(flags, server)


def create(
    context: typer.Context,
    id_: Annotated[
        str | None, typer.Argument(metavar="[ID]", help="Its name; one is made up without.", show_default=False)
    ] = None,
    source: Annotated[str, typer.Option("--from", help="base, main, a branch, or snapshot:<name>.")] = "base",
    ttl: Annotated[str, typer.Option(help="How long it lives unused; 0 is for ever.")] = "15m",
    label: Annotated[str, typer.Option(help="What it is for.")] = "",
    keys: Annotated[str, typer.Option(help="shared: main's; own: keys that open nothing else.")] = "shared",
    seed: Annotated[int | None, typer.Option(help="Ids, codes and tokens repeat.", show_default=False)] = None,
    force: Force = False,
    server: Address = None,
    as_json: AsJson = False,
) -> None:
    """Make a backend of its own."""
    with _asking(context, server) as asked:
        from minato.cli import branches

        wish = {"id": id_, "from": source, "ttl": ttl, "label": label, "keys": keys, "seed": seed, "force": force}
        branches.show(asked.ask("POST", branches.BRANCHES, wish), as_json, ONE)


def list_branches(context: typer.Context, server: Address = None, as_json: AsJson = False) -> None:
    """List the branches."""
    with _asking(context, server) as asked:
        from minato.cli import branches

        branches.show_all(asked.ask("GET", branches.BRANCHES)["branches"], as_json, LISTED)


def show(context: typer.Context, id_: Id, server: Address = None, as_json: AsJson = False) -> None:
    """Tell of one branch."""
    with _asking(context, server) as asked:
        from minato.cli import branches

        told = asked.ask("GET", branches.at(branches.BRANCHES, id_))
        branches.show(told, as_json, (*ONE, "size_bytes", "connections", "requests", "idle_s"))


def reset(
    context: typer.Context,
    id_: Id,
    to: Annotated[
        str | None,
        typer.Option(help="Another source, as snapshot:<name>; else where it came from.", show_default=False),
    ] = None,
    force: Force = False,
    server: Address = None,
    as_json: AsJson = False,
) -> None:
    """Begin a branch anew, or main from a snapshot; address and keys stay."""
    with _asking(context, server) as asked:
        from minato.cli import branches

        told = asked.ask("POST", branches.at(branches.BRANCHES, id_, "reset"), {"to": to, "force": force})
        branches.show(told, as_json, ONE)


def drop(
    context: typer.Context,
    ids: Annotated[list[str] | None, typer.Argument(metavar="[ID...]", show_default=False)] = None,
    label: Annotated[
        str | None, typer.Option(help="All whose label begins so.", metavar="PREFIX", show_default=False)
    ] = None,
    server: Address = None,
) -> None:
    """Drop branches."""
    with _asking(context, server) as asked:
        from minato.cli import branches
        from minato.cli.local.failures import CommandFailure

        if not ids and label is None:
            raise CommandFailure("Say which: ids, or --label and what the labels begin with.")
        for id_ in ids or []:
            asked.ask("DELETE", branches.at(branches.BRANCHES, id_))
        if label is not None:
            asked.ask("DELETE", branches.with_query(branches.BRANCHES, label=label))


def env(
    context: typer.Context,
    id_: Id,
    prefix: Annotated[
        str | None, typer.Option(help="As VITE_: only what may be in a page.", show_default=False)
    ] = None,
    as_json: AsJson = False,
    server: Address = None,
) -> None:
    """Print URL and keys as a .env file."""
    with _asking(context, server) as asked:
        from minato.cli import branches

        form = "json" if as_json else None
        typer.echo(asked.text(branches.at(branches.BRANCHES, id_, "env", prefix=prefix, format=form)).rstrip("\n"))


def save(
    context: typer.Context,
    name: Name,
    of: Annotated[str, typer.Option(help="main, or a branch.")] = "main",
    replace: Annotated[bool, typer.Option("--replace", help="Take the place of one of the same name.")] = False,
    force: Force = False,
    server: Address = None,
    as_json: AsJson = False,
) -> None:
    """Keep a situation to come back to: database, files and mails."""
    with _asking(context, server) as asked:
        from minato.cli import branches

        wish = {"name": name, "of": of, "replace": replace, "force": force}
        branches.show(asked.ask("POST", branches.SNAPSHOTS, wish), as_json, (*SNAPSHOT, "ms"))


def restore(
    context: typer.Context,
    name: Name,
    into: Annotated[str, typer.Option(help="main, or a branch, which loses what it holds.")] = "main",
    force: Force = False,
    server: Address = None,
    as_json: AsJson = False,
) -> None:
    """Come back to a snapshot."""
    with _asking(context, server) as asked:
        from minato.cli import branches

        wish = {"to": f"snapshot:{name}", "force": force}
        branches.show(asked.ask("POST", branches.at(branches.BRANCHES, into, "reset"), wish), as_json, ONE)


def list_snapshots(context: typer.Context, server: Address = None, as_json: AsJson = False) -> None:
    """List the snapshots."""
    with _asking(context, server) as asked:
        from minato.cli import branches

        branches.show_all(asked.ask("GET", branches.SNAPSHOTS)["snapshots"], as_json, SNAPSHOT)


def forget(context: typer.Context, name: Name, server: Address = None) -> None:
    """Drop a snapshot."""
    with _asking(context, server) as asked:
        from minato.cli import branches

        asked.ask("DELETE", branches.at(branches.SNAPSHOTS, name))


def export(
    context: typer.Context,
    name: Name,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What to write, as a .tar.gz.", show_default=False)],
    replace: Annotated[bool, typer.Option("--replace", help="Write over a file that is there.")] = False,
    server: Address = None,
) -> None:
    """Write a snapshot into a file, for another server."""
    with _asking(context, server) as asked:
        from minato.cli.snapshot_files import write_snapshot

        write_snapshot(asked, name, file, replace)


def import_(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What export wrote.", show_default=False)],
    name: Annotated[str | None, typer.Option(help="Another name than it had.", show_default=False)] = None,
    replace: Annotated[bool, typer.Option("--replace", help="In place of one of this name.")] = False,
    server: Address = None,
    as_json: AsJson = False,
) -> None:
    """Make a snapshot of a file. Its dump runs as the database's owner: import only what you trust."""
    with _asking(context, server) as asked:
        from minato.cli import branches
        from minato.cli.snapshot_files import read_snapshot

        branches.show(read_snapshot(asked, file, name, replace), as_json, SNAPSHOT)


BRANCH_COMMANDS: Final[Mapping[str, Callable[..., None]]] = {
    "create": create,
    "list": list_branches,
    "show": show,
    "reset": reset,
    "drop": drop,
    "env": env,
}
SNAPSHOT_COMMANDS: Final[Mapping[str, Callable[..., None]]] = {
    "save": save,
    "restore": restore,
    "list": list_snapshots,
    "drop": forget,
    "export": export,
    "import": import_,
}
