"""The `minato db` commands."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import unquote, urlsplit, urlunsplit

import typer

from minato.cli.environment import process_environment
from minato.cli.errors import CommandError
from minato.cli.options import load_settings
from minato.cli.progress import Progress
from minato.cli.secrets_file import jwt_secret
from minato.cli.target import opened_target
from minato.config import Settings
from minato.postgres.binaries import find_binaries


def migrate(data_dir: Path | None) -> None:
    """Bring the database to the newest revision."""
    from minato.cli.migrate import migrate_if_needed

    settings = load_settings(data_dir)
    with opened_target(settings, jwt_secret(settings.server)) as target:
        migrate_if_needed(settings, target, Progress())


def seed(data_dir: Path | None, name: str) -> None:
    """Migrate, then load the seed called `name`; a second time changes nothing."""
    from minato.cli.configure import configure
    from minato.cli.migrate import migrate_if_needed
    from minato.cli.seed import demo_password, find_seed, is_seeded, load_seed

    settings, progress = load_settings(data_dir), Progress()
    wanted = find_seed(settings, name)
    demo_password(settings)  # refused before anything is done
    secret = jwt_secret(settings.server)
    with opened_target(settings, secret) as target:
        target = migrate_if_needed(settings, target, progress)
        if is_seeded(target, wanted):
            raise CommandError(f"The {name} data is loaded already; minato db reset {name} starts afresh.")
        configure(settings, target)
        asyncio.run(load_seed(settings, target, secret, wanted, progress))


def reset(data_dir: Path | None, name: str, yes: bool) -> None:
    """Drop the database, create it again, migrate and seed."""
    from minato.cli.configure import configure
    from minato.cli.kept_installation import find_installation, keep_installation
    from minato.cli.migrate import migrate_if_needed
    from minato.cli.reset import recreate_database
    from minato.cli.seed import demo_password, find_seed, load_seed

    settings, progress = load_settings(data_dir), Progress()
    wanted = find_seed(settings, name)
    demo_password(settings)  # refused before anything is destroyed
    secret = jwt_secret(settings.server)
    with opened_target(settings, secret) as target:
        if not target.embedded and not yes:
            typer.confirm("This destroys the database that DATABASE_URL names. Go on?", abort=True)
        files = find_installation(target)
        with progress.step("Recreating the database"):
            recreate_database(target)
        target = migrate_if_needed(settings, target, progress)
        keep_installation(target, files)
        configure(settings, target)
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
        url, password = without_password(target.url)
        environment = {**_terminal(process_environment()), **({"PGPASSWORD": password} if password else {})}
        ended = subprocess.run([_psql(settings), url, *arguments], check=False, env=environment)
    raise typer.Exit(ended.returncode)


def without_password(url: str) -> tuple[str, str | None]:
    """A connection string that every user of the machine may see in the list of processes, and its password.

    >>> without_password("postgresql://me:p%40ss@127.0.0.1:5432/db")
    ('postgresql://me@127.0.0.1:5432/db', 'p@ss')
    """
    parts = urlsplit(url)
    if parts.password is None:
        return url, None
    login, _, place = parts.netloc.rpartition("@")
    shown = parts._replace(netloc=f"{login.partition(':')[0]}@{place}")
    return urlunsplit(shown), unquote(parts.password)


def _psql(settings: Settings) -> Path:
    program = find_binaries(settings.database.postgres_bin).program("psql")
    if not program.exists():
        raise CommandError(f"{program} does not exist; use any psql with the address of minato db url.")
    return program


def _terminal(environment: Mapping[str, str]) -> dict[str, str]:
    """The wheel's readline looks for terminal descriptions where its builder had them."""
    return {"TERMINFO_DIRS": "/etc/terminfo:/lib/terminfo:/usr/share/terminfo", **environment}
