"""`roles.sql`, the seeds of `db.seed.sql_paths` and the secrets of `[db.vault]`: what a new database gets besides the
migrations.
"""

from __future__ import annotations

import glob
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from psycopg2.extensions import cursor as Cursor

from minato.project.folder import Project
from minato.project.script import begin_where_none_is_open, read_sql, run_statements
from minato.project.statements import split_statements

Tell = Callable[[str], None]

_CREATE_FILES = """
create schema if not exists supabase_migrations;
create table if not exists supabase_migrations.seed_files (path text not null primary key, hash text not null)
"""
_HAS_FILES = "select to_regclass('supabase_migrations.seed_files') is not null"
_HASHES = "select path, hash from supabase_migrations.seed_files"
_KEEP_HASH = """
insert into supabase_migrations.seed_files (path, hash) values (%s, %s)
on conflict (path) do update set hash = excluded.hash
"""
_HAS_VAULT = "select to_regprocedure('vault.create_secret(text,text,text,uuid)') is not null"
_FIND_SECRET = "select id from vault.secrets where name = %s"


@dataclass(frozen=True)
class SeedFile:
    """`path` is as the CLI writes it; `is_changed` says that another content of it was run before."""

    file: Path
    path: str
    digest: str
    is_changed: bool


def run_roles(cursor: Cursor, project: Project, tell: Tell) -> None:
    """`supabase/roles.sql`, as one. Raises `ProjectError`."""
    tell("Seeding globals from roles.sql...")
    file = project.folder / "roles.sql"
    if not file.is_file():
        return
    begin_where_none_is_open(cursor)
    run_statements(cursor, "roles.sql", split_statements(read_sql(file)))
    begin_where_none_is_open(cursor)
    cursor.execute("commit")


def seed_files(project: Project, patterns: Sequence[str], tell: Tell) -> list[Path]:
    """The files of the patterns, which are relative to `supabase/`: each once, those of a pattern sorted."""
    found: dict[Path, None] = {}
    for pattern in patterns:
        matches = sorted(glob.glob(pattern, root_dir=project.folder))
        if not matches:
            tell(f"WARN: no files matched pattern: {_shown(project, project.folder / pattern)}")
        for match in matches:
            path = Path(project.folder, match)
            if path.is_file():
                found[path] = None
    return list(found)


def pending_seeds(cursor: Cursor, project: Project, patterns: Sequence[str], tell: Tell) -> list[SeedFile]:
    """The files that the database has not seen, or not as they are now."""
    files = seed_files(project, patterns, tell)
    cursor.execute(_HAS_FILES)
    row = cursor.fetchone()
    known: dict[str, str] = {}
    if files and row == (True,):
        cursor.execute(_HASHES)
        known = dict(cursor.fetchall())
    found = []
    for file in files:
        path, digest = _shown(project, file), hashlib.sha256(file.read_bytes()).hexdigest()
        if known.get(path) != digest:
            found.append(SeedFile(file, path, digest, path in known))
    return found


def run_seeds(cursor: Cursor, seeds: Sequence[SeedFile], tell: Tell) -> None:
    """Every new file with its hash in one transaction; a file that changed has only its hash kept. Raises
    `ProjectError`."""
    if seeds:
        cursor.execute(_CREATE_FILES)
    for seed in seeds:
        begin_where_none_is_open(cursor)
        if seed.is_changed:
            tell(f"Updating seed hash to {seed.path}...")
        else:
            tell(f"Seeding data from {seed.path}...")
            run_statements(cursor, seed.path, split_statements(read_sql(seed.file)))
            begin_where_none_is_open(cursor)
        cursor.execute(_KEEP_HASH, (seed.path, seed.digest))
        cursor.execute("commit")


def keep_secrets(cursor: Cursor, secrets: Mapping[str, str], tell: Tell) -> None:
    """Make or renew the secrets of `[db.vault]`; without a vault one warning. The values are told to nobody."""
    if not secrets:
        return
    cursor.execute(_HAS_VAULT)
    if cursor.fetchone() != (True,):
        tell(f"WARN: there is no vault in this database; left out: {', '.join(secrets)}")
        return
    tell("Updating vault secrets...")
    for name, value in secrets.items():
        cursor.execute(_FIND_SECRET, (name,))
        row = cursor.fetchone()
        if row is None:
            cursor.execute("select vault.create_secret(%s, %s)", (value, name))
        else:
            cursor.execute("select vault.update_secret(%s, %s)", (row[0], value))


def _shown(project: Project, path: Path) -> str:
    """As the CLI writes it: from the project's folder on."""
    try:
        return path.resolve().relative_to(project.root.resolve()).as_posix()
    except ValueError:
        return str(path)
