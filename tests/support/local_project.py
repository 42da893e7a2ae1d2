"""A project's folder and the commands a person gives in it; whatever was started there is ended and gone afterwards."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg2

from tests.support.command import START_LIMIT, environment
from tests.support.copies import run

NOTES = "create table notes (id int primary key, body text);\nalter table notes enable row level security;\n"


@dataclass(frozen=True)
class LocalProject:
    """`root` holds `supabase/`; notes about running projects lie in `state`."""

    root: Path
    state: Path

    @property
    def data(self) -> Path:
        return self.root / "supabase" / ".minato"

    def write(self, name: str, text: str) -> None:
        """A file below `supabase/`."""
        path = self.root / "supabase" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def minato(self, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
        """Run a command in the project's folder to its end."""
        return run(arguments, cwd=self.root, env=self.environment(**settings), timeout=START_LIMIT)

    def start(self, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
        """`minato start` on free ports, which must come up."""
        ended = self.minato("start", "--port", "0", *arguments, **settings)
        assert ended.returncode == 0, ended.stderr
        return ended

    def values(self) -> dict[str, str]:
        """What `minato status` tells."""
        ended = self.minato("status", "-o", "json")
        assert ended.returncode == 0, ended.stderr
        found: dict[str, str] = json.loads(ended.stdout)
        return found

    def sql(self, statement: str) -> Any:
        """The first column of the first row, asked as `postgres` with the password everybody knows."""
        connection = psycopg2.connect(self.values()["DB_URL"])
        try:
            with connection, connection.cursor() as cursor:
                cursor.execute(statement)
                row = cursor.fetchone()
                return row[0] if row else None
        finally:
            connection.close()

    def environment(self, **settings: str) -> dict[str, str]:
        return environment(XDG_STATE_HOME=str(self.state), **settings)

    def remove(self) -> None:
        self.minato("stop", "--no-backup")


@contextmanager
def local_project(folder: Path, *, migration: str | None = NOTES, config: str = "") -> Iterator[LocalProject]:
    """A project with one migration; its server ends with the block."""
    project = LocalProject(folder / "app", folder / "state")
    project.root.mkdir(parents=True)
    project.write("config.toml", config)
    if migration is not None:
        project.write("migrations/20260101000000_notes.sql", migration)
    try:
        yield project
    finally:
        project.remove()
