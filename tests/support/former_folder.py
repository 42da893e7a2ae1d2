"""A data folder as `minato serve` of release 0.1 left it, laid out file by file.

The database is the dump in `release_0_1.sql.gz`, in a cluster with that release's roles; the rest of what it wrote, the
session of a member, and what it had handed out lie in `release_0_1_folder`.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import subprocess
from dataclasses import dataclass
from pathlib import Path

import psycopg2
from minato.places import MIGRATIONS
from minato.postgres.address import PostgresAddress
from minato.postgres.binaries import find_binaries
from minato.postgres.cluster import EmbeddedOptions
from minato.postgres.embedded import EmbeddedPostgres
from psycopg2.extensions import cursor as Cursor

FIXTURES = Path(__file__).parents[1] / "fixtures"
DUMP = FIXTURES / "release_0_1.sql.gz"
PARTS = FIXTURES / "release_0_1_folder"
SAMPLES = MIGRATIONS / "marketplace" / "supabase" / "seeds" / "small" / "objects"

# The rights to the database itself are not in a dump of one.
RIGHTS = "grant all on database postgres to postgres, dashboard_user;\n"
# A restored database is a copy, which owns no files; the one that 0.1 left owns its own.
OWNER = """
update minato.installation set database = minato.database_identity()
returning prefix, json_build_object('installation', id, 'generation', current)
"""
TABLES = """
select c.oid::regclass::text from pg_class c where relkind = 'r' and (relnamespace = 'public'::regnamespace
    or c.oid in ('auth.users'::regclass, 'auth.identities'::regclass, 'storage.objects'::regclass))
"""
OBJECTS = "select bucket_id, name, version, metadata ->> 'eTag' from storage.objects"
MEMBER = "anna.schmidt@minato.example"


@dataclass(frozen=True)
class StoredFile:
    """A file of storage; `md5` is what its ETag tells."""

    bucket: str
    name: str
    md5: str


@dataclass(frozen=True)
class FormerFolder:
    """`password` is that of the roles supabase_admin and postgres; `keys` by their names in `serve --json`; `rows` how
    many a table has.
    """

    password: str
    keys: dict[str, str]
    access_token: str
    refresh_token: str
    rows: dict[str, int]
    files: list[StoredFile]


def lay_former_folder(folder: Path) -> FormerFolder:
    """Fill `folder` as 0.1 would have, and leave it as after a stop."""
    postgres = EmbeddedPostgres(EmbeddedOptions(folder, durable=False))
    address = postgres.start_now()
    try:
        _fill_database(address)
        rows = rows_by_table(address.tcp_url("postgres"))
        files = _fill_storage(address, folder / "storage")
    finally:
        postgres.stop_now()
    (folder / "uploads").mkdir(mode=0o700)
    _write(folder / "secrets.json", (PARTS / "secrets.json").read_bytes())
    handed_out = json.loads((PARTS / "handed_out.json").read_text())
    return FormerFolder(address.password, **handed_out, rows=rows, files=files)


def rows_by_table(url: str) -> dict[str, int]:
    """How many rows the tables of the app have, and those of users and files."""
    connection = psycopg2.connect(url)
    try:
        with connection.cursor() as cursor:
            cursor.execute(TABLES)
            return {name: _count(cursor, name) for (name,) in cursor.fetchall()}
    finally:
        connection.close()


def _count(cursor: Cursor, table: str) -> int:
    cursor.execute(f"select count(*) from {table}")
    [(count,)] = cursor.fetchall()
    return int(count)


def _fill_database(address: PostgresAddress) -> None:
    session = (PARTS / "session.sql").read_text()
    password = f"alter role postgres password '{address.password}';\n"
    parts = [(PARTS / "roles.sql").read_text(), password, RIGHTS, gzip.decompress(DUMP.read_bytes()).decode(), session]
    psql = [str(find_binaries(None).program("psql")), address.socket_url(), "--quiet", "--output", "/dev/null"]
    restored = subprocess.run(
        [*psql, "--set", "ON_ERROR_STOP=1"], check=False, input="".join(parts), capture_output=True, text=True
    )
    assert restored.returncode == 0, restored.stderr


def _fill_storage(address: PostgresAddress, storage: Path) -> list[StoredFile]:
    connection = psycopg2.connect(address.socket_url())
    try:
        with connection, connection.cursor() as cursor:
            cursor.execute(OWNER)
            [(prefix, owner)] = cursor.fetchall()
            cursor.execute(OBJECTS)
            found = cursor.fetchall()
    finally:
        connection.close()
    _write(storage / prefix / "minato.json", json.dumps(owner, separators=(",", ":")).encode())
    return [_stored(storage / prefix, *each) for each in found]


def _stored(place: Path, bucket: str, name: str, version: str, etag: str) -> StoredFile:
    content = (SAMPLES / bucket / name).read_bytes()
    md5 = hashlib.md5(content, usedforsecurity=False).hexdigest()
    assert etag == f'"{md5}"', f"{bucket}/{name} is no longer the file of 0.1"
    _write(place / bucket / version[:2] / version, content)
    return StoredFile(bucket, name, md5)


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    path.write_bytes(content)
    path.chmod(0o600)
