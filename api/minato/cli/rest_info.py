"""What `minato rest` tells without serving: configuration, schema cache, an example file, whether a server is ready."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

import typer

from minato.cli.errors import CommandError
from minato.cli.rest import read_config
from minato.config.postgrest import PostgrestConfig
from minato.config.postgrest_text import conf_text, example_text
from minato.config.rest import RestSettings
from minato.database.address import DatabaseAddress
from minato.database.database import Database
from minato.database.wire.pool import SessionPool
from minato.rest.admin import dump_schema_cache
from minato.rest.schema_cache.configuration import load_settings
from minato.rest.schema_cache.load import load_schema_cache
from minato.rest.schema_cache.reload import DATABASE_ERRORS

ANYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}


def print_example() -> None:
    """A `postgrest.conf` with every option."""
    typer.echo(example_text())


def print_config(path: Path | None) -> None:
    """The options in force, those kept in the database included if it can be reached."""
    config = read_config(path)
    if config.rest.db_config:
        try:
            config = replace(config, rest=asyncio.run(_settings(config)))
        except DATABASE_ERRORS as error:
            typer.echo(f"minato: The database can't be asked for its settings: {error}", err=True)
    typer.echo(conf_text(config), nl=False)


def print_schema(path: Path | None) -> None:
    """The schema cache. Raises CommandError."""
    try:
        typer.echo(asyncio.run(_schema(read_config(path))))
    except DATABASE_ERRORS as error:
        raise CommandError(f"The schema cache can't be loaded: {error}") from None


def ask_ready(path: Path | None) -> None:
    """Ask the admin server of the configuration whether it is ready. Raises CommandError when it is not."""
    config = read_config(path)
    if config.admin_port is None:
        raise CommandError("Admin server is not running. Please check admin-server-port config.")
    host = ANYWHERE.get(config.admin_host, config.admin_host)
    url = f"http://{f'[{host}]' if ':' in host else host}:{config.admin_port}/ready"
    try:
        urlopen(url, timeout=10).close()
    except HTTPError as error:
        raise CommandError(f"{url} answers {error.code}.") from None
    except URLError as error:
        raise CommandError(f"{url} can't be reached: {error.reason}.") from None
    typer.echo(f"OK: {url}")


async def _settings(config: PostgrestConfig) -> RestSettings:
    async with _sessions(config) as sessions:
        return await load_settings(sessions, config.rest, config.database.pool_timeout)


async def _schema(config: PostgrestConfig) -> bytes:
    patience = config.database.pool_timeout
    async with _sessions(config) as sessions:
        settings = await load_settings(sessions, config.rest, patience)
        return dump_schema_cache(await load_schema_cache(sessions, settings, patience))


@asynccontextmanager
async def _sessions(config: PostgrestConfig) -> AsyncIterator[SessionPool]:
    database = Database(DatabaseAddress(config.db_uri, config.db_uri), config.database, processors=1)
    try:
        yield database.sessions
    finally:
        await database.close()
