"""The people of `users.toml` in a developer's database: at each start, and in what branches are cloned from."""

from __future__ import annotations

import asyncpg

from minato.auth.people.loading import load_people
from minato.clock import Clock
from minato.config import Settings
from minato.database.address import DatabaseAddress
from minato.database.engines import service_login
from minato.database.wire.session import Command
from minato.project.errors import ProjectError
from minato.project.users_file import read_users_file, users_path

ROLE = "supabase_auth_admin"


async def load_users(settings: Settings, address: DatabaseAddress) -> None:
    """Write what the file says, all of it or nothing; in production it is not read. Raises `ProjectError`."""
    if settings.server.environment == "production":
        return
    path = users_path(settings.server)
    file = read_users_file(path)
    if not file.user:
        return
    url, told = service_login(ROLE, address)
    connection = await asyncpg.connect(url, server_settings=told)
    try:
        async with connection.transaction():

            async def ask(command: Command) -> str:
                return str(await connection.fetchval(command.text, *command.values))

            await load_people(file, ask, Clock().now(), settings.auth)
    except asyncpg.PostgresError as error:
        raise ProjectError(f"{path}: {error}") from None
    finally:
        await connection.close()
