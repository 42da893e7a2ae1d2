"""`minato db start --from-backup`: a hosted project's backup is served by the real endpoints, or nothing of it stays.

`hosted_backup.sql` is written as `pg_dumpall` writes such a backup, in small.
"""

from __future__ import annotations

import gzip
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.local_project import LocalProject, local_project

BACKUP = Path(__file__).parents[3] / "fixtures" / "hosted_backup.sql"
ANN = {"email": "ann@shop.test", "password": "hosted-pass"}


@pytest.fixture
def project(tmp_path: Path) -> Iterator[LocalProject]:
    """A folder whose one migration the backup has run."""
    with local_project(tmp_path) as project:
        yield project


def start_database(project: LocalProject, *arguments: str) -> subprocess.CompletedProcess[str]:
    return project.minato("db", "start", *arguments, MINATO_PORT="0", MINATO_POSTGRES_PORT="0")


@dataclass(frozen=True)
class Served:
    """The project with every service, after its database was made of the backup; `told` is what that said."""

    project: LocalProject
    told: str
    url: str
    anon: str

    def post(self, path: str, **body: Any) -> httpx.Response:
        return httpx.post(f"{self.url}{path}", json=body, headers={"apikey": self.anon})

    def get(self, path: str, token: str) -> Any:
        headers = {"apikey": self.anon, "authorization": f"Bearer {token}"}
        return httpx.get(f"{self.url}{path}", headers=headers).json()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("served")
    (folder / "backup.sql.gz").write_bytes(gzip.compress(BACKUP.read_bytes()))
    with local_project(folder) as project:
        made = start_database(project, "--from-backup", "../backup.sql.gz")
        assert made.returncode == 0, made.stderr
        project.minato("stop")
        project.start()
        values = project.values()
        yield Served(project, made.stderr, values["API_URL"], values["ANON_KEY"])


def test_an_account_of_the_backup_signs_in_and_reads_its_own_rows(served: Served) -> None:
    answer = served.post("/auth/v1/token?grant_type=password", **ANN)
    assert answer.status_code == 200, answer.text
    session = answer.json()
    assert session["user"]["user_metadata"] == {"name": "Ann"}
    assert [one["provider"] for one in session["user"]["identities"]] == ["email"]
    assert [note["body"] for note in served.get("/rest/v1/notes", session["access_token"])] == ["mine"]
    assert served.get("/rest/v1/notes", served.anon) == []


def test_its_buckets_and_objects_are_listed_by_its_policies(served: Served) -> None:
    token = served.post("/auth/v1/token?grant_type=password", **ANN).json()["access_token"]
    service = served.project.values()["SERVICE_ROLE_KEY"]
    (bucket,) = served.get("/storage/v1/bucket", service)
    assert (bucket["id"], bucket["public"], bucket["file_size_limit"]) == ("pictures", True, 1048576)
    headers = {"apikey": served.anon, "authorization": f"Bearer {token}"}
    found = httpx.post(f"{served.url}/storage/v1/object/list/pictures", json={"prefix": "ann"}, headers=headers).json()
    assert [one["name"] for one in found] == ["cat.png"]


def test_what_the_project_hung_on_the_platform_works_on(served: Served) -> None:
    answer = served.post("/auth/v1/signup", email="bob@shop.test", password="another-pass")
    assert answer.status_code == 200, answer.text
    sql = served.project.sql
    assert sql("select body from notes order by id desc limit 1") == "welcome", "citext, by the trigger on auth.users"
    assert sql("select count(*) from pg_publication_tables where tablename = 'notes'") == 1
    assert sql("select count(*) from pg_trigger where tgname = 'update_objects_updated_at'") == 1


def test_roles_of_the_backup_are_made_and_none_is_more_than_postgres(served: Served) -> None:
    sql = served.project.sql
    attributes = "select (rolsuper, rolcanlogin, rolbypassrls)::text from pg_roles where rolname = 'reporter'"
    assert sql(attributes) == "(f,t,t)"
    assert sql("select pg_has_role('reporter', 'anon', 'usage')")
    assert not sql("select pg_has_role('reporter', 'supabase_admin', 'member')")
    assert sql("select has_table_privilege('reporter', 'notes', 'select')")
    assert sql("select proowner::regrole::text from pg_proc where proname = 'made_by_the_dashboard'") == "postgres"
    assert sql("select to_regclass('public.not_ours')") is None, "of another database"


def test_what_cannot_come_along_is_told(served: Served) -> None:
    assert "Restoring backup.sql.gz..." in served.told
    assert "WARN: not restored: event triggers (1)" in served.told
    assert "WARN: not restored: secrets of the vault (1)" in served.told
    assert "Applying migration" not in served.told
    assert served.project.sql("select string_agg(version, ',') from supabase_migrations.schema_migrations") == (
        "20260101000000"
    )


def test_a_backup_that_fails_leaves_no_database_behind(project: LocalProject, tmp_path: Path) -> None:
    broken = BACKUP.read_text().replace("CREATE SCHEMA shop;", "CREATE SCHEMA shop; select no_such_function();")
    (tmp_path / "broken.sql").write_text(broken)
    failed = start_database(project, "--from-backup", "../broken.sql")
    assert failed.returncode == 1
    assert "failed to restore broken.sql: ERROR:  function no_such_function() does not exist" in failed.stderr
    assert start_database(project).returncode == 0
    assert project.sql("select count(*) from notes") == 0, "the migration ran in a database of its own"
    again = project.minato("stop")
    assert again.returncode == 0
    refused = start_database(project, "--from-backup", "../broken.sql")
    assert refused.returncode == 1
    assert "backup volume already exists" in refused.stderr


def test_the_shells_commands_in_a_backup_are_not_run(project: LocalProject, tmp_path: Path) -> None:
    here = tmp_path / "here"
    text = BACKUP.read_text().replace("CREATE SCHEMA shop;", f"CREATE SCHEMA shop;\n\\! touch {here}\n")
    (tmp_path / "evil.sql").write_text(text)
    failed = start_database(project, "--from-backup", "../evil.sql")
    assert failed.returncode == 1
    assert not here.exists()


@pytest.mark.parametrize("packed", [False, True])
def test_half_a_backup_is_none(project: LocalProject, tmp_path: Path, packed: bool) -> None:
    whole = BACKUP.read_bytes()
    half = gzip.compress(whole)[:-400] if packed else whole[: whole.index(b"ann/cat.png")]
    (tmp_path / "half.sql").write_bytes(half)
    failed = start_database(project, "--from-backup", "../half.sql")
    assert failed.returncode == 1
    reason = (
        "failed to restore half.sql: Compressed file ended" if packed else "the backup ends in the middle of storage."
    )
    assert reason in failed.stderr
    assert "Traceback" not in failed.stderr
    assert not (project.data / "postgres").exists()


def test_a_backup_that_ends_between_two_statements_is_half_of_one_too(project: LocalProject, tmp_path: Path) -> None:
    whole = BACKUP.read_text()
    (tmp_path / "half.sql").write_text(whole[: whole.rindex("--\n-- Name:")])
    failed = start_database(project, "--from-backup", "../half.sql")
    assert failed.returncode == 1
    assert "the backup lacks its last line, -- PostgreSQL database cluster dump complete" in failed.stderr
    assert not (project.data / "postgres").exists()


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (None, "failed to open backup file: open "),
        (b"PGDMP\x01\x0e", "an archive of pg_dump's, not the script"),
        (b"\x1f\x8bno gzip at all", "failed to open backup file: open "),
    ],
)
def test_a_file_that_is_no_backup_is_refused_before_anything_is_made(
    project: LocalProject, tmp_path: Path, content: bytes | None, sentence: str
) -> None:
    if content is not None:
        (tmp_path / "file").write_bytes(content)
    failed = start_database(project, "--from-backup", "../file")
    assert failed.returncode == 1
    assert sentence in failed.stderr
    assert not (project.data / "postgres").exists()
