"""`minato start --foreground`, as `make start` gives it: a terminal that tells a person where everything is."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from minato.postgres.layout import Layout
from minato.postgres.leftovers import cluster_processes

from tests.support.local_project import LocalProject, local_project
from tests.support.starts import Started, watched

OWN = """\
[web]
anonKey = "anon_key"
boss = "admin_email"
[development]
admin_email = "boss@shop.test"
demo_mode = true
web_root = "../dist"
[start]
data_dir = "../data"
"""
PRODUCTION = "MINATO_ENVIRONMENT=production\n"


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[LocalProject]:
    """A project with demo data, a page, and a file for what Minato alone knows."""
    with local_project(tmp_path) as project:
        project.write("minato.toml", OWN)
        project.write("seeds/demo/10_notes.sql", "insert into notes values (1, current_setting('minato.admin_email'));")
        project.write("seeds/demo/accounts.json", '[{"email": "anna@shop.test", "role": "customer"}]')
        (project.root / "dist").mkdir()
        (project.root / "dist" / "index.html").write_text("the shop")
        yield project


@contextmanager
def in_terminal(project: LocalProject, *arguments: str, **settings: str) -> Iterator[Started]:
    """`start --foreground` on free ports, which may fail."""
    given = ("start", "--foreground", "--port", "0", *arguments)
    with watched(given, project.root, project.environment(**settings)) as running:
        yield running


def when_ready(running: Started) -> str:
    """The address of a server that has said all it says."""
    running.wait_for(lambda: running.out.endswith("anna@shop.test  customer\n\n"), "the server is ready")
    return next(line.split()[1] for line in running.out.splitlines() if line.strip().startswith("URL  "))


def test_a_person_is_told_where_everything_is_and_ctrl_c_ends_it(shop: LocalProject) -> None:
    with in_terminal(shop) as running:
        url = when_ready(running)
        assert "Project URL" in running.out
        assert f"Mailbox           {url}/_dev/mailbox" in running.out
        assert "Ctrl-C stops it." in running.out
        assert "Demo accounts, password minato-demo:" in running.out
        assert "Loading the demo data..." in running.err
        assert httpx.get(url).text == "the shop"
        script = httpx.get(f"{url}/config.js").text
        assert script.endswith(',"boss":"boss@shop.test"};\n')
        assert running.end(signal.SIGINT) == 0
        assert "Traceback" not in running.err
    assert not cluster_processes(Layout(shop.root / "data").tag)
    assert not shop.data.exists()


def test_a_start_in_the_background_tells_the_demo_accounts_where_it_loaded_them(shop: LocalProject) -> None:
    told = "Demo accounts, password minato-demo:\n\n  anna@shop.test  customer\n"
    assert shop.start().stdout.endswith(f"\n{told}")
    shop.minato("stop")
    assert shop.start().stdout.endswith(f"\n{told}"), "they are still there"
    shop.minato("stop", "--no-backup")
    assert "Demo accounts" not in shop.start(MINATO_DEMO_MODE="false").stdout


def test_the_demo_data_are_loaded_once_and_missing_migrations_at_every_start_that_asks(shop: LocalProject) -> None:
    with in_terminal(shop, "--migrate") as running:
        when_ready(running)
        assert shop.sql("select body from notes") == "boss@shop.test"
        running.end(signal.SIGINT)
    shop.write("migrations/20260102000000_more.sql", "create table more ();")
    with in_terminal(shop, "--migrate") as running:
        when_ready(running)
        assert "Applying migration 20260102000000_more.sql..." in running.err
        assert "Loading" not in running.err
        assert "Demo accounts" in running.out
        assert shop.sql("select count(*) from notes") == 1
        assert shop.sql("select to_regclass('more') is not null") is True


def test_a_second_start_in_a_terminal_is_one_sentence(shop: LocalProject) -> None:
    with in_terminal(shop) as running:
        url = when_ready(running)
        again = shop.minato("start", "--foreground")
        assert (again.returncode, again.stdout) == (0, "")
        [sentence] = again.stderr.splitlines()
        assert sentence.startswith(f"It runs already, at {url} (process {running.process.pid}): ")
        command = sentence.split("minato ")[1].removesuffix(" ends it.").split()
        assert shop.minato(*command).returncode == 0
        assert running.process.wait(30) == 0


def test_a_start_that_production_stands_in_the_env_file_of_is_refused(shop: LocalProject) -> None:
    env = shop.root / "own.env"
    for text in (PRODUCTION, PRODUCTION.replace("MINATO_ENVIRONMENT", "minato_environment")):
        env.write_text(text)
        refused = shop.minato("start", "--foreground", "--env-file", str(env))
        assert (refused.returncode, refused.stdout) == (1, "")
        assert "minato serve" in refused.stderr
        assert len(refused.stderr.splitlines()) == 1
    assert not (shop.root / "data").exists()


def test_a_file_of_settings_that_is_not_there_is_refused(shop: LocalProject) -> None:
    refused = shop.minato("start", "--env-file", "gone.env")
    assert refused.returncode == 1
    assert refused.stderr.endswith("gone.env does not exist.\n")
    assert not (shop.root / "data").exists()


def test_a_file_of_settings_says_where_the_data_are_and_is_read_as_serve_reads_it(shop: LocalProject) -> None:
    env = shop.root / "own.env"
    env.write_text("MINATO_DATA_DIR=elsewhere\nDEMO_PASSWORD=pa$word\nMINATO_DEMO_MODE=true\n")
    with in_terminal(shop, "--env-file", "own.env", MINATO_ADMIN_EMAIL="") as running:
        url = when_ready(running)
        assert "password pa$word:" in running.out
        assert ',"boss":""};' in httpx.get(f"{url}/config.js").text
        assert (shop.root / "elsewhere" / "postgres").is_dir()
    assert not (shop.root / "data").exists()


def test_the_data_of_another_project_are_not_opened_by_mistake(shop: LocalProject) -> None:
    for other in ("", "../other"):
        refused = shop.minato("start", MINATO_PROJECT=other)
        assert refused.returncode == 1
        assert "MINATO_PROJECT is" in refused.stderr
    assert not (shop.root / "data").exists()
    with in_terminal(shop, MINATO_PROJECT=".") as running:
        when_ready(running)


def test_a_mistake_in_the_projects_file_is_told_with_its_line(shop: LocalProject) -> None:
    shop.write("minato.toml", "[web]\nkey = 'secret_key'\n")
    refused = shop.minato("start")
    assert refused.returncode == 1
    assert "supabase/minato.toml:2: web.key wants the name of a setting that a page may be told" in refused.stderr
    assert not shop.data.exists()


def test_the_secret_that_keys_were_printed_from_before_the_first_start_is_kept(shop: LocalProject) -> None:
    printed = shop.minato("keys", "--data-dir", "data").stdout
    with in_terminal(shop) as running:
        url = when_ready(running)
        script = httpx.get(f"{url}/config.js").text
        assert script.split('"anonKey":"')[1].split('"')[0] in printed
