"""The Supabase CLI itself at a running project: what it does without Docker works as at its own stack."""

from __future__ import annotations

import json
import platform
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.command import REPOSITORY, START_LIMIT
from tests.support.local_project import NOTES, LocalProject, local_project

PROGRAM = REPOSITORY / "tests" / "judges" / "node_modules" / "@supabase" / "cli-linux-x64" / "bin" / "supabase"
# The program that the lock names is made for one kind of machine; npm leaves it out on others.
pytestmark = pytest.mark.skipif(
    (sys.platform, platform.machine()) != ("linux", "x86_64"), reason="this Supabase CLI is for Linux on x86-64"
)
BUCKETS = '\n[storage.buckets.pictures]\nobjects_path = "./pictures"\n'


@dataclass(frozen=True)
class SupabaseCli:
    """The program in a project's folder; `ports` name where the project was started."""

    project: LocalProject
    ports: dict[str, str]

    def __call__(self, *arguments: str) -> str:
        """What it says on standard output; it must succeed."""
        # No settings of the person who runs the tests, and no word to anybody elsewhere.
        own = {"HOME": str(self.project.root), "SUPABASE_TELEMETRY_DISABLED": "1", "DO_NOT_TRACK": "1"}
        ended = subprocess.run(
            [str(PROGRAM), *arguments],
            cwd=self.project.root,
            env=self.project.environment(**own, **self.ports),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=START_LIMIT,
        )
        assert ended.returncode == 0, ended.stdout + ended.stderr
        return ended.stdout

    def json(self, *arguments: str) -> Any:
        return json.loads(self(*arguments, "--output-format", "json"))

    def migrations(self) -> list[tuple[str, str]]:
        """Of each its version in the folder and in the database."""
        found = self.json("migration", "list")["migrations"]
        return [(migration["local"], migration["remote"]) for migration in found]


@pytest.fixture(scope="module")
def cli(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SupabaseCli]:
    """A project that the CLI made, which Minato runs."""
    assert PROGRAM.exists(), "the judges are not installed: run make .state/judges"
    with local_project(tmp_path_factory.mktemp("cli")) as project:
        (project.root / "supabase" / "config.toml").unlink()
        SupabaseCli(project, {})("init")
        with (project.root / "supabase" / "config.toml").open("a") as config:
            config.write(BUCKETS)
        project.write("pictures/a.txt", "hello")
        told = project.start().stderr
        assert [line for line in told.splitlines() if "config.toml" in line] == []
        values = project.values()
        ports = {
            "SUPABASE_API_PORT": str(httpx.URL(values["API_URL"]).port),
            "SUPABASE_DB_PORT": str(httpx.URL(values["DB_URL"]).port),
        }
        yield SupabaseCli(project, ports)


def test_migrations_are_listed_applied_and_marked(cli: SupabaseCli) -> None:
    first, second = "20260101000000", "20260102000000"
    assert cli.migrations() == [(first, first)]
    cli.project.write(f"migrations/{second}_more.sql", "create table more (id int primary key);")
    assert cli.migrations() == [(first, first), (second, "")]
    cli("migration", "up")
    assert cli.project.sql("select to_regclass('public.more') is not null")
    cli("migration", "repair", second, "--status", "reverted", "--yes")
    assert cli.migrations()[-1] == (second, "")
    cli("migration", "repair", second, "--status", "applied", "--yes")
    assert cli.migrations()[-1] == (second, second)
    cli.project.write("migrations/20260103000000_last.sql", "create table last (id int primary key);")
    cli("db", "push", "--yes")
    assert cli.project.sql("select to_regclass('public.last') is not null")


def test_migrations_are_fetched_from_the_database(cli: SupabaseCli) -> None:
    path = cli.project.root / "supabase" / "migrations" / "20260101000000_notes.sql"
    path.unlink()
    cli("migration", "fetch", "--yes")
    assert path.read_text().split() == NOTES.split()


def test_sql_is_asked_and_the_schema_looked_at(cli: SupabaseCli, tmp_path: Path) -> None:
    assert json.loads(cli("db", "query", "select 1 as one", "-o", "json")) == [{"one": 1}]
    found = {lint["name"] for lint in cli.json("db", "advisors", "--level", "info")["results"]}
    assert "rls_enabled_no_policy" in found
    cli("inspect", "report", "--output-dir", str(tmp_path))
    reports = {path.stem for path in tmp_path.rglob("*.csv")}
    assert {"bloat", "calls", "db_stats", "index_stats", "locks", "outliers", "role_stats", "table_stats"} <= reports


def test_files_go_there_and_back(cli: SupabaseCli, tmp_path: Path) -> None:
    cli("seed", "buckets", "--yes")
    source = cli.project.root / "supabase" / "pictures" / "a.txt"
    storage = ("--experimental", "storage")
    cli(*storage, "cp", str(source), "ss:///pictures/b/c.txt")
    assert cli(*storage, "ls", "-r", "ss:///pictures/").split() == ["/pictures/a.txt", "/pictures/b/c.txt"]
    cli(*storage, "mv", "ss:///pictures/b/c.txt", "ss:///pictures/d.txt")
    cli(*storage, "cp", "ss:///pictures/d.txt", str(tmp_path / "d.txt"))
    assert (tmp_path / "d.txt").read_text() == "hello"
    cli(*storage, "rm", "ss:///pictures/d.txt", "--yes")
    assert cli(*storage, "ls", "-r", "ss:///pictures/").split() == ["/pictures/a.txt"]


def test_a_token_of_its_own_making_is_taken(cli: SupabaseCli) -> None:
    token = cli("gen", "bearer-jwt", "--role", "service_role").split()[-1]
    url = cli.project.values()["API_URL"]
    answer = httpx.get(f"{url}/rest/v1/notes", headers={"authorization": f"Bearer {token}"})
    assert (answer.status_code, answer.json()) == (200, [])
