"""`minato storage ls|cp|mv|rm`, with the Supabase CLI's flags. The work is imported when a command runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from minato.cli.local.cobra import CobraCommand, at_most_arguments, exact_arguments, unsigned
from minato.cli.local.global_flags import GlobalFlags
from minato.cli.local.migration_commands import cli_command
from minato.cli.local.target_flags import Chosen, Linked, Local

if TYPE_CHECKING:
    from minato.cli.objects.service import ObjectService
    from minato.project.config_file import ProjectConfig

Words = Annotated[list[str] | None, typer.Argument(show_default=False)]


def _recursive(what: str) -> object:
    return typer.Option("--recursive", "-r", help=f"Recursively {what} a directory.")


def register(storage: typer.Typer) -> None:
    """Add the commands to the group `storage`."""
    for command in (ls, cp, mv, rm):
        storage.command(command.__name__, cls=CobraCommand)(command)


def ls(
    context: typer.Context,
    path: Words = None,
    recursive: Annotated[bool, _recursive("list")] = False,
    linked: Linked = None,
    local: Local = None,
) -> None:
    """List objects by path prefix: ls ss:///bucket/docs."""
    with cli_command(context) as flags:
        at_most_arguments(path or [], 1)
        from minato.cli.objects.address import remote_path
        from minato.cli.objects.listing import all_paths, names

        asked = remote_path((path or ["ss:///"])[0])
        with _running(flags, Chosen(None, linked, local)) as (service, _):
            for name in (all_paths if recursive else names)(service, asked):
                typer.echo(name)


def cp(
    context: typer.Context,
    paths: Words = None,
    recursive: Annotated[bool, _recursive("copy")] = False,
    cache_control: Annotated[
        str, typer.Option("--cache-control", help="Custom Cache-Control header for HTTP upload.")
    ] = "max-age=3600",
    content_type: Annotated[
        str, typer.Option("--content-type", help="Custom Content-Type header for HTTP upload.", show_default=False)
    ] = "",
    jobs: Annotated[
        int, typer.Option("--jobs", "-j", help="Maximum number of parallel jobs.", parser=unsigned, metavar="uint")
    ] = 1,
    linked: Linked = None,
    local: Local = None,
) -> None:
    """Copy objects from src to dst path: cp -r docs ss:///bucket/docs."""
    with cli_command(context) as flags:
        exact_arguments(paths or [], 2)
        from minato.cli.objects.copy import Copy
        from minato.cli.objects.service import UploadOptions

        source, target = paths or []
        wanted = Copy(source, target, recursive, jobs, UploadOptions(cache_control, content_type))
        with _running(flags, Chosen(None, linked, local)) as (service, config):
            wanted.run(service, config)


def mv(
    context: typer.Context,
    paths: Words = None,
    recursive: Annotated[bool, _recursive("move")] = False,
    linked: Linked = None,
    local: Local = None,
) -> None:
    """Move objects from src to dst path: mv -r ss:///bucket/docs ss:///bucket/www/docs."""
    with cli_command(context) as flags:
        exact_arguments(paths or [], 2)
        from minato.cli.objects.address import remote_path
        from minato.cli.objects.change import move

        source, target = map(remote_path, paths or [])
        with _running(flags, Chosen(None, linked, local)) as (service, _):
            move(service, source, target, recursive)


def rm(
    context: typer.Context,
    files: Words = None,
    recursive: Annotated[bool, _recursive("remove")] = False,
    linked: Linked = None,
    local: Local = None,
) -> None:
    """Remove objects by file path: rm ss:///bucket/docs/example.md ss:///bucket/readme.md."""
    with cli_command(context) as flags:
        from minato.cli.local.prompts import Console
        from minato.cli.objects.change import keys_by_bucket, remove

        keys = keys_by_bucket(files or [], recursive)
        with _running(flags, Chosen(None, linked, local)) as (service, _):
            remove(service, keys, recursive, Console(flags.yes))


@contextmanager
def _running(flags: GlobalFlags, chosen: Chosen) -> Iterator[tuple[ObjectService, ProjectConfig]]:
    """The storage service of the running project, and its `config.toml`."""
    from minato.cli.environment import process_environment
    from minato.cli.local.plan import load_config
    from minato.cli.local.seed_buckets import state_of, storage_place
    from minato.cli.objects.service import object_service

    place = storage_place(flags, chosen)
    config = load_config(place.workdir, process_environment())
    with object_service(state_of(place)) as service:
        yield service, config
