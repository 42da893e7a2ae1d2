"""`minato serve`: PostgreSQL is started first, and while it comes up the rest of the program is imported."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from socket import socket

import typer

from minato.cli.interrupts import heeded_interrupts, heeded_termination, noted_hangups
from minato.cli.listener import listen, require_safe_exposure
from minato.cli.options import load_settings, read_config_file
from minato.cli.process import raise_descriptor_limit, uncollected
from minato.cli.secrets_file import jwt_secret
from minato.cli.target import embedded_postgres
from minato.config import Settings
from minato.places import MIGRATIONS, PACKAGE
from minato.postgres.embedded import EmbeddedPostgres


@dataclass(frozen=True)
class ServeOptions:
    """The command line; None leaves the environment's value. What `config` says counts behind the environment and
    `.env`.
    """

    host: str | None
    port: int | None
    data_dir: Path | None
    as_json: bool
    seed: bool
    demo: bool | None
    config: Path | None = None
    workers: int | None = None


def serve(options: ServeOptions) -> None:
    """Serve until a signal ends it; PostgreSQL ends with it. Raises `CommandError` and `PostgresError`."""
    settings = safe_settings(options)
    raise_descriptor_limit()
    alone = settings.server.workers == 1
    # From before anything is begun on: PostgreSQL comes up long before there is somebody who can heed it.
    noted: AbstractContextManager[list[int]] = nullcontext([]) if alone else noted_hangups()
    with heeded_termination(), noted as hangups, listen(settings.server) as listener:
        secret = jwt_secret(settings.server)
        postgres = embedded_postgres(settings)
        if postgres is not None:
            postgres.begin()
        try:
            if alone:
                _serve_alone(options, settings, secret, listener, postgres)
            else:
                _serve_by_workers(options, settings, secret, listener, postgres, hangups)
        finally:
            if postgres is not None:
                postgres.stop_now()


def safe_settings(options: ServeOptions) -> Settings:
    """The settings of the command line and the environment as it is now. Raises `CommandError` when they are unsafe."""
    settings = load_settings(
        options.data_dir,
        host=options.host,
        port=options.port,
        workers=options.workers,
        demo=options.demo,
        behind=_of_config(options.config),
    )
    require_safe_exposure(settings.server)
    if settings.server.environment == "production":
        from minato.cli.production import refuse_unsafe_settings

        refuse_unsafe_settings(settings)
    return settings


def _of_config(path: Path | None) -> Mapping[str, str]:
    """What the file says as it is now; keys that are left out are named. Raises `CommandError`."""
    if path is None:
        return {}
    file = read_config_file(path)
    for key in file.unknown:
        typer.echo(f"{path}: {key} has no counterpart here and is left out.", err=True)
    return file.variables


def _serve_alone(
    options: ServeOptions, settings: Settings, secret: str, listener: socket, postgres: EmbeddedPostgres | None
) -> None:
    with heeded_interrupts(), uncollected():
        from minato.cli.running import Run

    Run(settings, secret, listener, postgres, options.as_json, options.seed).until_stopped()


def _serve_by_workers(
    options: ServeOptions,
    settings: Settings,
    secret: str,
    listener: socket,
    postgres: EmbeddedPostgres | None,
    hangups: list[int],
) -> None:
    with heeded_interrupts(), uncollected():
        from minato.cli.prefork.parent import ParentRun
        from minato.cli.prefork.template import Template
        from minato.cli.prefork.worker import work

    with Template.begin(listener, work) as template:
        given = (settings, secret, listener, postgres, options.as_json, options.seed)
        ParentRun(*given, template, lambda: safe_settings(options), hangups).until_stopped()


def serve_with_reload(options: ServeOptions) -> None:
    """Serve in a child that is replaced whenever a file of ours changes."""
    from watchfiles import PythonFilter, run_process

    arguments = [argument for argument in sys.argv[1:] if argument != "--reload"]
    watched = (PACKAGE, MIGRATIONS)
    run_process(*watched, target=shlex.join([sys.executable, "-m", "minato", *arguments]), watch_filter=PythonFilter())
