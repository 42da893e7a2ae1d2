"""The marketplace is a project like any other, and data of `minato serve` are opened with nothing lost."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from minato.places import MIGRATIONS
from minato.project.folder import Project

from tests.support.command import run_minato, served
from tests.support.local_project import LocalProject

MARKETPLACE = MIGRATIONS / "marketplace"


@dataclass(frozen=True)
class Elsewhere(LocalProject):
    """A project whose data lie outside its folder, because the folder is the repository's."""

    folder: Path

    @property
    def data(self) -> Path:
        return self.folder

    @property
    def place(self) -> tuple[str, str]:
        return ("--data-dir", str(self.folder))


@pytest.fixture
def marketplace(tmp_path: Path) -> Iterator[Elsewhere]:
    project = Elsewhere(MARKETPLACE, tmp_path / "state", tmp_path / "data")
    try:
        yield project
    finally:
        project.minato("stop", "--no-backup", *project.place)


def rows(project: Elsewhere, table: str) -> int:
    shown = run_minato("db", "url", "--data-dir", str(project.folder)).stdout.strip()
    assert shown.startswith("postgresql://")
    listed = run_minato("db", "psql", "--data-dir", str(project.folder), "-Atc", f"select count(*) from {table}")
    return int(listed.stdout)


def test_the_marketplace_is_served_by_the_same_code_as_anybodys_project(marketplace: Elsewhere) -> None:
    started = marketplace.start(*marketplace.place)
    migrations = [file.path.name for file in Project(MARKETPLACE).migrations()]
    assert [line for line in started.stderr.splitlines() if line.startswith("Applying")] == [
        f"Applying migration {name}..." for name in migrations
    ]
    assert rows(marketplace, "public.profiles") == 0
    assert rows(marketplace, "storage.buckets") > 0
    # Nothing of it lies in the folder of the project itself.
    assert not (MARKETPLACE / "supabase" / ".minato").exists()


def test_data_of_serve_are_opened_with_nothing_lost(marketplace: Elsewhere) -> None:
    assert run_minato("db", "seed", "small", "--data-dir", str(marketplace.folder)).returncode == 0
    counted = {table: rows(marketplace, table) for table in ("auth.users", "public.profiles", "storage.objects")}
    with served(marketplace.folder) as server:
        before = server.info
    assert min(counted.values()) > 0
    started = marketplace.start(*marketplace.place)
    assert "Starting database from backup..." in started.stderr
    assert "Applying migration" not in started.stderr
    assert {table: rows(marketplace, table) for table in counted} == counted
    # Keys, and what is sealed in the database, follow from the secret that the folder has.
    assert before["publishable_key"] in started.stdout
    url = next(word for word in started.stdout.split() if word.startswith("http://"))
    assert httpx.get(f"{url}/auth/v1/settings", headers={"apikey": before["anon_key"]}).status_code == 200
