"""The `minato db` commands."""

from __future__ import annotations

import asyncio
import os
import subprocess
from pathlib import Path

import typer

from api.cli.errors import CommandError
from api.cli.options import load_settings
from api.cli.progress import Progress
from api.cli.secrets_file import jwt_secret
from api.cli.target import opened_target
from api.config import Settings
from api.postgres.binaries import find_binaries


def migrate(data_dir: Path | None) -> None:
    """Bring the database to the newest revision."""
    from api.cli.migrate import migrate_if_needed

    settings = load_settings(data_dir)
    with opened_target(settings, jwt_secret(settings.server)) as target:
        migrate_if_needed(target, Progress())


def seed(data_dir: Path | None, name: str) -> None:
    """Migrate, then load the seed called `name`; a second time changes nothing."""
    from api.cli.migrate import migrate_if_needed
    from api.cli.seed import find_seed, is_seeded, load_seed

    settings, wanted, progress = load_settings(data_dir), find_seed(name), Progress()
    secret = jwt_secret(settings.server)
    with opened_target(settings, secret) as target:
        migrate_if_needed(target, progress)
        if is_seeded(target, wanted):
            raise CommandError(f"The {name} data is loaded already; minato db reset {name} starts afresh.")
        asyncio.run(load_seed(settings, target, secret, wanted, progress))


def reset(data_dir: Path | None, name: str, yes: bool) -> None:
    """Drop the database, create it again, migrate and seed."""
    from api.cli.migrate import migrate_if_needed
    from api.cli.reset import recreate_database
    from api.cli.seed import find_seed, load_seed

    settings, wanted, progress = load_settings(data_dir), find_seed(name), Progress()
    secret = jwt_secret(settings.server)
    with opened_target(settings, secret) as target:
        if not target.embedded and not yes:
            typer.confirm("This destroys the database that DATABASE_URL names. Go on?", abort=True)
        with progress.step("Recreating the database"):
            recreate_database(target)
        migrate_if_needed(target, progress)
        asyncio.run(load_seed(settings, target, secret, wanted, progress))


def url(data_dir: Path | None) -> None:
    """Print the connection string people and tools use."""
    settings = load_settings(data_dir)
    with opened_target(settings, jwt_secret(settings.server)) as target:
        typer.echo(target.url)


def psql(data_dir: Path | None, arguments: list[str]) -> None:
    """Run psql; its exit status becomes ours."""
    settings = load_settings(data_dir)
    with opened_target(settings, jwt_secret(settings.server)) as target:
        ended = subprocess.run([_psql(settings), target.url, *arguments], check=False, env=_terminal(os.environ))
    raise typer.Exit(ended.returncode)


def _psql(settings: Settings) -> Path:
    program = find_binaries(settings.database.postgres_bin).program("psql")
    if not program.exists():
        raise CommandError(f"{program} does not exist; use any psql with the address of minato db url.")
    return program


def _terminal(environment: os._Environ[str]) -> dict[str, str]:
    """The wheel's readline looks for terminal descriptions where its builder had them."""
    return {"TERMINFO_DIRS": "/etc/terminfo:/lib/terminfo:/usr/share/terminfo", **environment}
