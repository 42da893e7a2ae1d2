"""`minato rest`: the data API alone, from a `postgrest.conf`; takes PostgREST's place."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlencode

import psycopg2
import structlog
import typer
import uvicorn
from psycopg2.extensions import parse_dsn

from api.cli.errors import CommandError
from api.cli.http_server import GRACE_SECONDS, AnnouncingServer
from api.config.postgrest import PostgrestConfig, load_postgrest
from api.rest.alone import DataApi


def serve_rest(path: Path | None) -> None:
    """Serve until a signal ends it. SIGUSR1 reloads the schema cache, SIGUSR2 the in-database configuration too."""
    try:
        config = load_postgrest(path, os.environ)
        config = with_uri(config)
    except (ValueError, OSError, psycopg2.Error) as error:
        raise CommandError(f"Error in config {path or 'of the environment'}: {error}") from None
    loop_factory = uvicorn.Config(app="").get_loop_factory()
    with listen(config) as listener, asyncio.Runner(loop_factory=loop_factory) as runner:
        runner.run(_serve(config, listener))


def with_uri(config: PostgrestConfig) -> PostgrestConfig:
    """`config` with a connection string of keywords (`host=… dbname=…`) written as a URI, which asyncpg reads."""
    if "://" in config.db_uri:
        return config
    return replace(config, db_uri=f"postgresql://?{urlencode(parse_dsn(config.db_uri))}")


def listen(config: PostgrestConfig) -> socket.socket:
    """The socket to serve on."""
    if config.unix_socket is not None:
        config.unix_socket.unlink(missing_ok=True)
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(str(config.unix_socket))
        config.unix_socket.chmod(config.unix_socket_mode)
        listener.listen(2048)
        return listener
    family = socket.AF_INET6 if ":" in config.host else socket.AF_INET
    try:
        return socket.create_server((config.host, config.port), family=family, backlog=2048)
    except OSError as error:
        raise CommandError(f"Can't listen on {config.host}:{config.port}: {error.strerror or error}.") from None


async def _serve(config: PostgrestConfig, listener: socket.socket) -> None:
    port = config.port if config.unix_socket else listener.getsockname()[1]
    url = f"http://{config.host}:{port}"
    # Standard output belongs to the one line that says where we are.
    app = DataApi(config, structlog.wrap_logger(structlog.PrintLogger(sys.stderr)), url)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGUSR1, signal.SIGUSR2):
        loop.add_signal_handler(number, app.room.keeper.ask_for_reload)
    settings = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        lifespan="on",
        ws="none",
        timeout_graceful_shutdown=GRACE_SECONDS,
        server_header=False,
        proxy_headers=False,
    )
    await AnnouncingServer(settings, lambda: typer.echo(f"Listening on {config.unix_socket or url}")).serve(
        sockets=[listener]
    )
