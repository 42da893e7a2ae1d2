"""Loads sample data: the files of a seed through the storage service, its rows by SQL in one transaction.

Files go first and may be uploaded again, so an interrupted seed is simply repeated; a note in the database, written
with the rows, says that it is complete. Python knows the folders' layout, never what is in the tables.
"""

from __future__ import annotations

import json
import mimetypes
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import psycopg2

from minato.cli.environment import processors
from minato.cli.errors import CommandError
from minato.cli.progress import Progress
from minato.cli.published import DEMO_PASSWORD
from minato.cli.target import OWNER, Target, open_superuser
from minato.config import Settings
from minato.host.host import Host
from minato.project.folder import Project

if TYPE_CHECKING:
    import httpx

# GoTrue's cost; the one hash serves every account of a seed.
PASSWORD_COST = 10

NOTE = "insert into minato.seeds (name) values (%s)"
NOTES_TABLE = f"""
create table if not exists minato.seeds (name text primary key, loaded_at timestamptz default now());
grant usage on schema minato to {OWNER};
grant select, insert on minato.seeds to {OWNER};
"""
HAS_NOTES = "select to_regclass('minato.seeds') is not null"
HAS_NOTE = "select exists (select from minato.seeds where name = %s)"


@dataclass(frozen=True)
class Seed:
    """A folder below the project's `seeds/`: `*.sql` in order, `objects/<bucket>/<key>`, `accounts.json`."""

    folder: Path

    @property
    def name(self) -> str:
        """What the seed is called on the command line."""
        return self.folder.name

    @property
    def scripts(self) -> list[Path]:
        """The SQL files in the order they run."""
        return sorted(self.folder.glob("*.sql"))

    @property
    def objects(self) -> list[tuple[str, str, Path]]:
        """Every file to upload as (bucket, key, where it lies)."""
        root = self.folder / "objects"
        files = sorted(path for path in root.rglob("*") if path.is_file())
        parts = [(path.relative_to(root).parts, path) for path in files]
        return [(names[0], "/".join(names[1:]), path) for names, path in parts]

    @property
    def accounts(self) -> list[dict[str, str]]:
        """Who can sign in, as the seed's author describes them: objects with `email` and `role`."""
        path = self.folder / "accounts.json"
        return list(json.loads(path.read_text())) if path.exists() else []


def find_seed(settings: Settings, name: str) -> Seed:
    """The project's seed called `name`. Raises `CommandError` when there is none."""
    known = available_seeds(settings)
    if name not in known:
        raise CommandError(f"There is no seed called {name!r}; known: {', '.join(known) or 'none'}.")
    return known[name]


def available_seeds(settings: Settings) -> dict[str, Seed]:
    """Every seed of the project by its name."""
    if settings.server.project is None:
        return {}
    folders = sorted(path for path in Project(settings.server.project).seeds_folder.glob("*") if path.is_dir())
    return {path.name: Seed(path) for path in folders if any(path.glob("*.sql"))}


def is_seeded(target: Target, seed: Seed) -> bool:
    """Whether the seed is in the database completely."""
    with open_superuser(target) as connection, connection.cursor() as cursor:
        cursor.execute(HAS_NOTES)
        if cursor.fetchone() != (True,):
            return False
        cursor.execute(HAS_NOTE, (seed.name,))
        return bool(cursor.fetchone() == (True,))


async def load_seed(settings: Settings, target: Target, secret: str, seed: Seed, progress: Progress) -> None:
    """Load the files, then the rows. Raises `CommandError`; a failure leaves no row behind."""
    with progress.step(f"Loading the {seed.name} data"):
        if seed.objects:
            await _upload(settings, target, secret, seed)
        _run_scripts(settings, target, seed)


def demo_password(settings: Settings) -> str:
    """The password of the accounts a seed makes. Raises `CommandError` in production without one of its own."""
    given = settings.server.demo_password
    if given is None and settings.server.environment == "production":
        raise CommandError("Production takes no sample data with a published password: set DEMO_PASSWORD.")
    return given.get_secret_value() if given else DEMO_PASSWORD


@asynccontextmanager
async def service_client(settings: Settings, target: Target, secret: str) -> AsyncIterator[httpx.AsyncClient]:
    """A client of service_role, to services in this process that nobody else reaches."""
    import httpx  # 10 MB that a server without a seed to load has no use for

    running = Host(processors()).running(settings, target.address, "http://localhost", secret)
    async with running as application:
        key = application.backend.api_keys.service_role
        headers = {"apikey": key, "authorization": f"Bearer {key}", "x-upsert": "true"}
        transport = httpx.ASGITransport(application)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost", headers=headers) as client:
            yield client


async def _upload(settings: Settings, target: Target, secret: str, seed: Seed) -> None:
    """Through the storage service as a client would, so that row and bytes are both there."""
    async with service_client(settings, target, secret) as client:
        for bucket, name, path in seed.objects:
            await upload(client, bucket, name, path.read_bytes())


async def upload(client: httpx.AsyncClient, bucket: str, name: str, content: bytes) -> None:
    """One object, whether there is one already or not. Raises `CommandError`."""
    content_type = mimetypes.guess_type(name)[0] or "application/octet-stream"
    url = f"/storage/v1/object/{quote(bucket)}/{quote(name)}"
    answer = await client.post(url, content=content, headers={"content-type": content_type})
    if answer.is_error:
        raise CommandError(f"Uploading {bucket}/{name} failed: {answer.status_code} {answer.text}")


def _run_scripts(settings: Settings, target: Target, seed: Seed) -> None:
    """As the project's owner, whose triggers fire for the rows; the note comes with them."""
    with open_superuser(target) as superuser, superuser.cursor() as cursor:
        cursor.execute(NOTES_TABLE)
    superuser.close()
    connection = psycopg2.connect(target.owner)
    try:
        with connection, connection.cursor() as cursor:
            cursor.execute(f"set local role {OWNER}")
            for name, value in _seed_settings(settings).items():
                cursor.execute("select set_config(%s, %s, true)", (name, value))
            for script in seed.scripts:
                cursor.execute(script.read_text(encoding="utf-8"))
            cursor.execute(NOTE, (seed.name,))
    except psycopg2.Error as error:
        raise CommandError(f"The {seed.name} seed could not be loaded: {str(error).strip()}") from None
    finally:
        connection.close()


def _seed_settings(settings: Settings) -> dict[str, str]:
    """What a seed's SQL reads by `current_setting`."""
    import bcrypt

    salt = bcrypt.gensalt(PASSWORD_COST, prefix=b"2a")
    return {
        "minato.seed_password_hash": bcrypt.hashpw(demo_password(settings).encode(), salt).decode(),
        "minato.admin_email": settings.server.admin_email,
    }
