"""The Supabase CLI's flags: which database they name, and what is said of wrong ones."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from minato.cli.app import app
from minato.cli.local.data_folder import DataFolder
from minato.cli.local.database_target import DatabaseTarget, choose_database, session_role
from minato.cli.local.failures import CommandFailure
from minato.cli.local.global_flags import GlobalFlags, split_global_flags
from minato.cli.local.plan import Place
from minato.cli.local.target_flags import Chosen
from minato.project.workdir import Workdir
from psycopg2.extensions import parse_dsn
from typer.testing import CliRunner

AGAIN = "Try rerunning the command with --debug to troubleshoot the error.\n"


@pytest.fixture
def place(tmp_path: Path) -> Place:
    (tmp_path / "supabase").mkdir()
    (tmp_path / "supabase" / "config.toml").write_text("[db]\nport = 6000\nshadow_port = 6001\n")
    return Place(Workdir(tmp_path), DataFolder(tmp_path / "data"))


def chosen(place: Place, flags: Chosen, environment: Mapping[str, str] | None = None) -> DatabaseTarget:
    return choose_database(place, environment or {}, flags)


def test_the_local_database_is_the_one_of_config_toml(place: Place) -> None:
    target = chosen(place, Chosen())
    assert target.is_local
    assert parse_dsn(target.dsn) == {
        **{"host": "127.0.0.1", "port": "6000", "user": "postgres", "password": "postgres", "dbname": "postgres"},
        "connect_timeout": "2",
    }
    assert "postgres:postgres" not in repr(target)
    named = chosen(place, Chosen(), {"SUPABASE_SERVICES_HOSTNAME": "host.docker.internal", "SUPABASE_DB_PORT": "7000"})
    parts = parse_dsn(named.dsn)
    assert (parts["host"], parts["port"]) == ("host.docker.internal", "7000")


@pytest.mark.parametrize(
    ("url", "is_local"),
    [
        ("postgresql://me@127.0.0.1:6000/postgres", True),
        ("postgresql://me@127.0.0.1:6001/postgres", True),
        ("postgresql://me@127.0.0.1:6002/postgres", False),
        ("postgresql://me@localhost:6000/postgres", False),
        ("postgresql://me@db.example.com:6000/postgres", False),
    ],
)
def test_a_url_of_the_projects_own_port_is_local(place: Place, url: str, is_local: bool) -> None:
    assert chosen(place, Chosen(url)).is_local is is_local


@pytest.mark.parametrize(
    ("url", "environment", "mode"),
    [
        ("postgresql://me@db.example.com/x", {}, "require"),
        ("postgresql://me@db.example.com/x?sslmode=disable", {}, "disable"),
        ("postgresql://me@db.example.com/x?sslmode=verify-full", {}, "verify-full"),
        ("postgresql://me@db.example.com/x", {"PGSSLMODE": "verify-ca"}, None),
        ("postgresql://me@localhost/x", {}, "prefer"),
        ("postgresql://me@/x?host=/run/pg", {}, "prefer"),
    ],
)
def test_no_session_falls_back_from_tls_unasked(
    place: Place, url: str, environment: dict[str, str], mode: str | None
) -> None:
    assert parse_dsn(chosen(place, Chosen(url), environment).dsn).get("sslmode") == mode


@pytest.mark.parametrize(
    ("user", "role"),
    [("supabase_admin", "postgres"), ("cli_login_postgres.ref", "postgres"), ("me", None), ("supabase_admin2", None)],
)
def test_logins_that_may_too_much_step_down(place: Place, user: str, role: str | None) -> None:
    assert session_role(chosen(place, Chosen(f"postgresql://{user}@db.example.com/x"))) == role


@pytest.mark.parametrize("url", ["nonsense", "", "bad=option", "postgresql://u:secret@[::1/x"])
def test_a_broken_url_is_refused_without_its_password(place: Place, url: str) -> None:
    with pytest.raises(CommandFailure, match="failed to parse connection string") as refused:
        chosen(place, Chosen(url))
    assert "secret" not in str(refused.value)


def test_a_hosted_project_is_found_by_its_link(place: Place) -> None:
    with pytest.raises(CommandFailure, match=r"^Cannot find project ref\. Have you run .*supabase link.*\?$"):
        chosen(place, Chosen(linked=True))
    with pytest.raises(CommandFailure, match="Invalid project ref format"):
        chosen(place, Chosen(linked=True), {"SUPABASE_PROJECT_ID": "shop"})
    (place.workdir.supabase / ".temp").mkdir()
    (place.workdir.supabase / ".temp" / "project-ref").write_text("abcdefghijklmnopqrst\n")
    with pytest.raises(CommandFailure) as refused:
        chosen(place, Chosen(linked=True))
    assert "SUPABASE_DB_PASSWORD" in refused.value.suggestion
    for target in (
        chosen(place, Chosen(linked=True, password="p@ss")),
        chosen(place, Chosen(linked=True), {"SUPABASE_DB_PASSWORD": "p@ss"}),
    ):
        parts = parse_dsn(target.dsn)
        assert (parts["host"], parts["password"], parts["sslmode"]) == (
            "db.abcdefghijklmnopqrst.supabase.co",
            "p@ss",
            "require",
        )


@pytest.mark.parametrize(
    ("flags", "together"),
    [
        (Chosen(local=True, linked=True), "[linked local]"),
        (Chosen("postgresql://h/x", local=True), "[db-url local]"),
    ],
)
def test_one_database_at_a_time(place: Place, flags: Chosen, together: str) -> None:
    with pytest.raises(CommandFailure) as refused:
        chosen(place, flags, {"SUPABASE_PROJECT_ID": "abcdefghijklmnopqrst"})
    assert str(refused.value) == (
        f"if any flags in the group [db-url linked local] are set none of the others can be; {together} were all set"
    )


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ("migration up --foo", "unknown flag: --foo"),
        ("migration up -x", "unknown shorthand flag: 'x' in -x"),
        ("migration up --db-url", "flag needs an argument: --db-url"),
        ("migration list -p", "flag needs an argument: 'p' in -p"),
        (
            "migration up --local=x",
            'invalid argument "x" for "--local" flag: strconv.ParseBool: parsing "x": invalid syntax',
        ),
        (
            "migration down --last abc",
            'invalid argument "abc" for "--last" flag: strconv.ParseUint: parsing "abc": invalid syntax',
        ),
        (
            "db reset --last=-1",
            'invalid argument "-1" for "--last" flag: strconv.ParseUint: parsing "-1": invalid syntax',
        ),
        (
            "migration repair 1 --status done",
            'invalid argument "done" for "--status" flag: must be one of [ applied | reverted ]',
        ),
        ("migration new", "accepts 1 arg(s), received 0"),
        ("migration new a b", "accepts 1 arg(s), received 2"),
        ("migration down now", 'unknown command "now" for "supabase migration down"'),
        ("seed buckets now", 'unknown command "now" for "supabase seed buckets"'),
        ("migration drop", 'unknown command "drop" for "supabase migration"'),
        ("migration down --last 0", "--last must be greater than 0"),
    ],
)
def test_wrong_flags_are_refused_in_the_clis_words(
    given: str, sentence: str, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(place.workdir.root)
    refused = CliRunner().invoke(app, given.split())
    assert (refused.exit_code, refused.stdout, refused.stderr) == (1, "", f"{sentence}\n{AGAIN}")


def test_debug_is_not_suggested_to_who_asked_for_it(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(place.workdir.root)
    for flags, variables in ((["--debug"], {}), ([], {"SUPABASE_DEBUG": "true"})):
        refused = CliRunner().invoke(app, ["migration", "new", *flags], env=variables)
        assert refused.stderr == "accepts 1 arg(s), received 0\n"


def test_global_flags_are_read_wherever_they_stand() -> None:
    words, flags = split_global_flags(["--workdir", "a", "migration", "--yes", "up", "--debug=false", "--agent", "no"])
    assert (words, flags) == (["migration", "up"], GlobalFlags(workdir=Path("a"), yes=True, agent="no"))
    assert split_global_flags(["db", "psql", "--yes"]) == (["db", "psql", "--yes"], GlobalFlags())
