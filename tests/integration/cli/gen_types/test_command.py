"""`minato gen types` in a project's folder, with the Supabase CLI's flags and its words for wrong ones."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg2
import pytest
from minato.cli.gen_types.languages import Style, render

from tests.integration.cli.gen_types.conftest import Databases, catalog_of
from tests.support.local_project import LocalProject, local_project

MIGRATION = """
create schema shop;
create type shop.size as enum ('s', 'm');
create table shop.shirts (id bigint generated always as identity primary key, size shop.size not null);
create table notes (id int primary key, body text);
"""
LOCAL_GROUP = "if any flags in the group [local linked project-id db-url] are set none of the others can be; "


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalProject]:
    """A project that runs; its data API shows `shop`, too."""
    config = '[api]\nschemas = ["public", "shop"]\n'
    with local_project(tmp_path_factory.mktemp("types"), migration=MIGRATION, config=config) as found:
        found.start()
        yield found


@pytest.fixture
def idle(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalProject]:
    """A project that does not run."""
    with local_project(tmp_path_factory.mktemp("idle")) as found:
        yield found


def expected(project: LocalProject, schemas: list[str], language: str = "typescript") -> str:
    """What is printed of the project's database; the line break behind the file is the print's own."""
    return render(catalog_of(project.values()["DB_URL"], schemas), language, Style()) + "\n"


def test_types_of_the_local_project_are_those_of_its_exposed_schemas(project: LocalProject) -> None:
    ended = project.minato("gen", "types", "--local")
    assert ended.stdout == expected(project, ["public", "shop"])
    assert "shirts: {" in ended.stdout
    assert "notes: {" in ended.stdout
    assert ended.stderr.startswith("Connecting to 127.0.0.1 ")


def test_the_language_may_be_named_where_it_once_was(project: LocalProject) -> None:
    assert project.minato("gen", "types", "typescript", "--local").stdout == expected(project, ["public", "shop"])


def test_schemas_are_named_by_commas_or_one_by_one(project: LocalProject) -> None:
    together = project.minato("gen", "types", "--local", "--schema", "public,shop")
    apart = project.minato("gen", "types", "--local", "-s", "shop", "-s", "public")
    assert together.stdout == apart.stdout == expected(project, ["public", "shop"])
    alone = project.minato("gen", "types", "--local", "--schema", "shop").stdout
    assert "shirts: {" in alone
    assert "notes: {" not in alone


@pytest.mark.parametrize("language", ["go", "swift", "python", "zod"])
def test_other_languages_have_a_name(project: LocalProject, language: str) -> None:
    ended = project.minato("gen", "types", "--lang", language, "--local", "--schema", "shop")
    assert ended.stdout == expected(project, ["shop"], language)


def test_any_database_is_named_by_its_url(project: LocalProject) -> None:
    url = project.values()["DB_URL"]
    ended = project.minato("gen", "types", "--db-url", url, "--schema", "shop", "--postgrest-v9-compat")
    assert ended.returncode == 0, ended.stderr
    assert "isOneToOne" not in ended.stdout
    assert "postgres:postgres" not in ended.stderr


def test_access_control_stands_before_what_swift_declares(project: LocalProject) -> None:
    ended = project.minato("gen", "types", "--local", "--lang=swift", "--swift-access-control", "public", "-s", "shop")
    assert "public enum ShopSchema {" in ended.stdout


def test_a_schema_that_there_is_not_makes_types_of_nothing(project: LocalProject) -> None:
    ended = project.minato("gen", "types", "--local", "--schema", "nowhere")
    assert ended.returncode == 0
    assert "export type Database = {}" in ended.stdout


def test_a_query_that_takes_too_long_is_ended(idle: LocalProject, databases: Databases) -> None:
    url = databases.oddities
    # It waits for what it reads: where a time is as short as a statement PostgreSQL may tell of a user's request.
    with closing(psycopg2.connect(url.replace("postgres@", "supabase_admin@", 1))) as other, other.cursor() as cursor:
        cursor.execute("lock table pg_catalog.pg_enum in access exclusive mode")
        ended = idle.minato("gen", "types", "--db-url", url, "--query-timeout", "500ms")
    assert ended.returncode == 1
    assert "canceling statement due to statement timeout" in ended.stderr
    assert ended.stdout == ""


def test_a_data_folder_needs_no_server(data_dir: Path, idle: LocalProject) -> None:
    ended = idle.minato("gen", "types", "--data-dir", str(data_dir), "--schema", "public")
    assert ended.returncode == 0, ended.stderr
    assert "agent_posts: {" in ended.stdout


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((), "supabase start is not running."),
        (("--local",), "supabase start is not running."),
        (("--linked",), "Cannot find project ref. Have you run supabase link?"),
        (("--project-id", "shop"), "Invalid project ref format. Must be like `abcdefghijklmnopqrst`."),
        (
            ("--project-id", "abcdefghijklmnopqrst", "--lang", "go"),
            "Unable to generate go types for selected project. Try using --db-url flag instead.",
        ),
        (("--local", "--linked"), f"{LOCAL_GROUP}[linked local] were all set"),
        (("--local", "--db-url", "postgresql://x"), f"{LOCAL_GROUP}[db-url local] were all set"),
        (("--local", "--postgrest-v9-compat"), "--postgrest-v9-compat must used together with --db-url"),
        (("python", "--local"), "use --lang flag to specify the typegen language"),
        (
            ("--linked", "--query-timeout", "5s"),
            "if any flags in the group [linked project-id query-timeout] are set none of the others can be; "
            "[linked query-timeout] were all set",
        ),
        (
            ("--local", "--query-timeout", "5"),
            'invalid argument "5" for "--query-timeout" flag: time: missing unit in duration "5"',
        ),
        (("--local", "--lang", "rust"), "must be one of [ typescript | go | swift | python | zod ]"),
        (("--local", "--shcema", "x"), "unknown flag: --shcema"),
    ],
)
def test_wrong_flags_are_told_as_the_cli_tells_them(
    idle: LocalProject, arguments: tuple[str, ...], sentence: str
) -> None:
    ended = idle.minato("gen", "types", *arguments)
    assert ended.returncode == 1
    assert sentence in ended.stderr
    assert ended.stdout == ""
