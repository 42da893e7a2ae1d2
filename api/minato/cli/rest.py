"""`minato rest`: the data API alone, from a `postgrest.conf`; takes PostgREST's place."""

from __future__ import annotations

import asyncio
import signal
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Literal
from urllib.parse import urlencode

import psycopg2
import typer
import uvicorn
from psycopg2.extensions import parse_dsn
from pydantic import ValidationError

from minato.cli.environment import process_environment, processors
from minato.cli.errors import CommandError, setting_problems
from minato.cli.http_server import GRACE_SECONDS, AnnouncingServer, BesideServer
from minato.cli.process import raise_descriptor_limit
from minato.config.connections import ConnectionSettings
from minato.config.postgrest import PostgrestConfig, load_postgrest
from minato.config.rest import RestSettings
from minato.http.protocols import GuardedConfig
from minato.log import create_log, take_over_libraries, wants_json
from minato.log_lines import FLUSH_SECONDS, STDOUT, LogLines, write_all
from minato.rest.admin import AdminServer
from minato.rest.alone import DataApi
from minato.rest.jwt_secret import Keyring

BACKLOG = 2048


def serve_rest(path: Path | None) -> None:
    """Serve until a signal ends it. SIGUSR1 reloads the schema cache, SIGUSR2 the configuration too."""
    raise_descriptor_limit()
    config = read_config(path)
    loop_factory = uvicorn.Config(app="").get_loop_factory()
    with listen(config) as listener, asyncio.Runner(loop_factory=loop_factory) as runner:
        runner.run(_serve(config, listener, lambda: read_again(path)))


def read_config(path: Path | None) -> PostgrestConfig:
    """What the file and the environment say. Raises CommandError."""
    try:
        config = with_uri(load_postgrest(path, process_environment()))
        Keyring(None).of(config.rest)
        return config
    except ValidationError as error:
        problems = "; ".join(setting_problems(error))
        raise CommandError(f"Error in config {path or 'of the environment'}: {problems}") from None
    except (ValueError, OSError, psycopg2.Error) as error:
        raise CommandError(f"Error in config {path or 'of the environment'}: {error}") from None


def read_again(path: Path | None) -> RestSettings:
    """The options of the data API as they are now. Raises ValueError, OSError."""
    settings = load_postgrest(path, process_environment()).rest
    Keyring(None).of(settings)
    return settings


def with_uri(config: PostgrestConfig) -> PostgrestConfig:
    """`config` with a connection string of keywords (`host=… dbname=…`) written as a URI, which asyncpg reads."""
    if "://" in config.db_uri:
        return config
    return replace(config, db_uri=f"postgresql://?{urlencode(parse_dsn(config.db_uri))}")


def listen(config: PostgrestConfig) -> socket.socket:
    """The socket to serve on."""
    if config.unix_socket is None:
        return _listen_at(config.host, config.port)
    config.unix_socket.unlink(missing_ok=True)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(config.unix_socket))
    config.unix_socket.chmod(config.unix_socket_mode)
    listener.listen(BACKLOG)
    return listener


def _listen_at(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=BACKLOG)
    except OSError as error:
        raise CommandError(f"Can't listen on {host}:{port}: {error.strerror or error}.") from None


async def _serve(config: PostgrestConfig, listener: socket.socket, reread: Callable[[], RestSettings]) -> None:
    port = config.port if config.unix_socket else listener.getsockname()[1]
    url = f"http://{config.host}:{port}"
    # Standard output belongs to the line that says where we are, and to the access log.
    lines, accesses = LogLines(), LogLines(partial(write_all, STDOUT))
    log = create_log(lines, wants_json(production=False))
    take_over_libraries(log)
    app = DataApi(config, log, url, reread, accesses.add, processors=processors())
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGUSR1, app.room.keeper.ask_for_reload)
    loop.add_signal_handler(signal.SIGUSR2, app.room.keeper.ask_for_configuration)
    settings = _uvicorn(app, lifespan="on")
    server = AnnouncingServer(settings, lambda: typer.echo(f"Listening on {config.unix_socket or url}"))
    async with _admin_server(config, AdminServer(listener, app.room)):
        await server.serve(sockets=[listener])
    for written in (lines, accesses):
        await asyncio.to_thread(written.flush, FLUSH_SECONDS)


@asynccontextmanager
async def _admin_server(config: PostgrestConfig, admin: AdminServer) -> AsyncIterator[None]:
    """Health on a socket of its own until the block ends, where the configuration names a port for it."""
    if config.admin_port is None:
        yield
        return
    with _listen_at(config.admin_host, config.admin_port) as listener:
        server = BesideServer(_uvicorn(admin, lifespan="off"))
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        try:
            yield
        finally:
            server.should_exit = True
            await serving


def _uvicorn(app: DataApi | AdminServer, lifespan: Literal["on", "off"]) -> GuardedConfig:
    return GuardedConfig(
        app,
        ConnectionSettings.of(process_environment()),
        lifespan=lifespan,
        ws="none",
        timeout_graceful_shutdown=GRACE_SECONDS,
    )
