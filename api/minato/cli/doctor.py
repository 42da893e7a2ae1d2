"""`minato doctor`: looks at everything a start needs and says what to do about what is missing."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import typer

from minato.cli.errors import CommandError
from minato.cli.options import load_settings
from minato.cli.target import embedded_postgres
from minato.config import Settings
from minato.postgres.binaries import find_binaries
from minato.postgres.errors import PostgresError
from minato.postgres.layout import Layout
from minato.postgres.lock import holder

Check = Callable[[Settings], str]
OLDEST_PYTHON = (3, 11)
SMALLEST_FREE_SPACE = 500_000_000


def examine(data_dir: Path | None) -> None:
    """Print each finding; exit status 1 when one is bad."""
    settings = load_settings(data_dir)
    results = list(_results(settings))
    for sentence, is_good in results:
        typer.secho(f"  {'✓' if is_good else '✗'} {sentence}", fg=None if is_good else typer.colors.RED)
    raise typer.Exit(0 if all(is_good for _, is_good in results) else 1)


def _results(settings: Settings) -> Iterator[tuple[str, bool]]:
    for check in (_python, _data_folder, _database, _port, _web_app):
        try:
            yield check(settings), True
        except (CommandError, PostgresError, OSError) as error:
            yield str(error), False


def _python(_: Settings) -> str:
    version = sys.version.split()[0]
    if sys.version_info < OLDEST_PYTHON:
        raise CommandError(f"Python {version} is too old: 3.11 or newer is needed.")
    return f"Python {version}"


def _data_folder(settings: Settings) -> str:
    folder = settings.server.data_dir
    existing = next(path for path in (folder, *folder.parents) if path.exists())
    if not os.access(existing, os.W_OK):
        raise CommandError(f"{existing} can't be written: choose another folder with --data-dir.")
    space = os.statvfs(existing)
    free = space.f_bavail * space.f_frsize
    if free < SMALLEST_FREE_SPACE:
        raise CommandError(f"Only {free // 1_000_000} MB are free at {existing}; 500 MB are needed.")
    return f"Data folder {folder}, {free // 1_000_000_000} GB free"


def _database(settings: Settings) -> str:
    """Start what would be started, unless it runs already."""
    if settings.database.database_url is not None:
        return _foreign_database(settings)
    binaries = find_binaries(settings.database.postgres_bin)
    if holder(Layout(settings.server.data_dir).lock) is None:
        postgres = embedded_postgres(settings)
        assert postgres is not None
        try:
            postgres.start_now()
        finally:
            postgres.stop_now()
    return f"PostgreSQL {binaries.major_version} starts, from {binaries.folder}"


def _foreign_database(settings: Settings) -> str:
    import psycopg2

    assert settings.database.database_url is not None
    try:
        connection = psycopg2.connect(settings.database.database_url.get_secret_value(), connect_timeout=5)
    except psycopg2.OperationalError as error:
        raise CommandError(f"DATABASE_URL does not answer: {str(error).strip()}") from None
    with connection, connection.cursor() as cursor:
        cursor.execute("show wal_level")
        level = (cursor.fetchone() or ("unknown",))[0]
    connection.close()
    note = "" if level == "logical" else "; realtime uses triggers, because wal_level is not logical"
    return f"PostgreSQL at DATABASE_URL answers{note}"


def _port(settings: Settings) -> str:
    server = settings.server
    if holder(Layout(server.data_dir).lock) is not None:
        return "Minato is running"
    try:
        socket.create_server((server.host, server.port)).close()
    except OSError as error:
        raise CommandError(f"Port {server.port} of {server.host} can't be used: {error.strerror}.") from None
    return f"Port {server.port} is free"


def _web_app(settings: Settings) -> str:
    root = settings.server.web_root
    if root is None:
        return "No web app is served"
    if not (root / "index.html").exists():
        raise CommandError(f"{root} holds no web app: run make setup.")
    return f"Web app in {root}"
