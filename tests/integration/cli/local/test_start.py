"""`minato start`, `status` and `stop` in a project of one's own: real processes in real folders."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import asyncpg
import httpx
import pytest

from tests.support.command import START_LIMIT
from tests.support.copies import Copy, run
from tests.support.local_project import LocalProject, local_project
from tests.support.postgres import Cluster
from tests.support.processes import wait_until

ANON = (
    "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJzdXBhYmFzZS1kZW1vIiwicm9sZSI6ImFub24iLCJleHAiOjE5ODM4MTI5OTZ9."
    "CRXP1A7WOeoJeXxjNni43kdQwgnWNReilDMblYTn_I0"
)
STOPPED = "Stopped supabase local development setup.\n"


def server_pid(project: LocalProject) -> int:
    return int(json.loads((project.data / "server.lock").read_text())["pid"])


def test_a_new_project_gets_its_migrations_and_seeds_and_the_constants_everybody_knows(project: LocalProject) -> None:
    project.write("seed.sql", "insert into notes values (1, 'seeded');")
    project.write("roles.sql", "create role reader nologin;")
    started = project.start()
    said = started.stderr.splitlines()
    order = [
        "Starting database...",
        "Initialising schema...",
        "Seeding globals from roles.sql...",
        "Applying migration 20260101000000_notes.sql...",
        "Seeding data from supabase/seed.sql...",
        "Started supabase local development setup.",
    ]
    assert [line for line in said if line in order] == order
    assert started.stdout.startswith("╭")
    assert "Project URL" in started.stdout
    assert "service_role" not in started.stdout
    values = project.values()
    assert values["ANON_KEY"] == ANON
    assert values["PUBLISHABLE_KEY"] == "sb_publishable_ACJWlzQHlZjBrEguHvfOxg_3BJgxAaH"
    assert values["JWT_SECRET"] == "super-secret-jwt-token-with-at-least-32-characters-long"
    assert re.fullmatch(r"postgresql://postgres:postgres@127\.0\.0\.1:\d+/postgres", values["DB_URL"])
    rows = httpx.get(f"{values['REST_URL']}/notes", headers={"apikey": values["SECRET_KEY"]})
    assert rows.json() == [{"id": 1, "body": "seeded"}]
    assert project.sql("select count(*) from pg_roles where rolname = 'reader'") == 1
    assert project.sql("select count(*) from supabase_migrations.seed_files where path = 'supabase/seed.sql'") == 1
    assert project.sql("select current_setting('app.settings.jwt_exp')") == "3600"
    ignored = (project.data / ".gitignore").read_text()
    assert ignored == "*\n"
    assert (project.data / "server.log").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("name", ["letters.txt", "storage/letters.txt"])
def test_a_folder_that_holds_other_things_is_refused_and_left_as_it_is(project: LocalProject, name: str) -> None:
    kept = project.root / "mine" / name
    kept.parent.mkdir(parents=True)
    kept.write_text("dear me")
    refused = project.minato("start", "--port", "0", "--data-dir", "mine")
    assert refused.returncode == 1
    assert f"holds {name.split('/')[0]}" in refused.stderr
    assert kept.read_text() == "dear me"
    project.minato("stop", "--no-backup", "--data-dir", "mine")
    assert kept.read_text() == "dear me"


def test_what_a_person_puts_beside_the_data_outlives_them(project: LocalProject) -> None:
    project.start("--data-dir", "data")
    mine = project.root / "data" / "letters.txt"
    mine.write_text("dear me")
    assert project.minato("stop", "--no-backup", "--data-dir", "data").returncode == 0
    assert mine.read_text() == "dear me"
    assert not (project.root / "data" / "postgres").exists()


def test_requests_of_sql_and_webhooks_work_without_an_extension_and_a_migration_may_drop_theirs(
    project: LocalProject,
) -> None:
    there = "select extowner::regrole::text from pg_extension where extname = 'pg_net'"
    project.start()
    assert project.sql(there) == "postgres"
    assert project.sql("select net.http_get('http://127.0.0.1:9/') > 0") is True
    project.write("migrations/20260102000000_without.sql", 'drop extension if exists "pg_net";')
    project.minato("migration", "up")
    assert project.sql(there) is None


GRAPHQL = """
create extension if not exists "pg_graphql" with schema "graphql";
comment on extension pg_graphql is 'pg_graphql: GraphQL support';
grant all on function graphql.resolve to authenticated;
"""


def test_graphql_is_there_by_name_as_in_a_hosted_project_and_a_migration_may_drop_it(project: LocalProject) -> None:
    project.write("migrations/20260102000000_graphql.sql", GRAPHQL)
    assert "leaves out" not in project.start().stderr
    said = project.sql("select graphql.resolve('query { a }')::text")
    assert said == '{"data": null, "errors": [{"message": "GraphQL is not served here."}]}'
    assert project.sql("select graphql.resolve('', '{}', '\"', '{}') is not null") is True
    project.write("migrations/20260103000000_without.sql", "DROP EXTENSION pg_graphql;")
    assert project.minato("migration", "up").returncode == 0
    assert project.sql("select count(*) from pg_extension where extname = 'pg_graphql'") == 0
    # The shadow of a comparison had it, and lost it, too.
    compared = project.minato("db", "diff")
    assert (compared.returncode, compared.stdout.strip()) == (0, ""), compared.stdout + compared.stderr


def test_development_behaves_as_the_clis(project: LocalProject) -> None:
    project.start()
    values = project.values()
    auth = f"{values['API_URL']}/auth/v1"
    with httpx.Client(headers={"apikey": values["ANON_KEY"]}) as client:
        opened = client.post(f"{auth}/signup", json={"email": "a@example.com", "password": "secret-1"}).json()
        token = opened["access_token"]
        bearer = {"authorization": f"Bearer {token}"}
        changed = client.put(f"{auth}/user", json={"password": "secret-2"}, headers=bearer)
        keys = client.get(f"{auth}/.well-known/jwks.json").json()["keys"]
    assert changed.status_code == 200
    assert [key["kid"] for key in keys] == ["b81269f1-21d8-4f2e-b719-c2240a840d90"]


def test_a_second_start_is_told_where_the_first_one_is(project: LocalProject) -> None:
    first = project.start()
    pid = server_pid(project)
    again = project.minato("start")
    assert again.returncode == 0
    assert again.stderr.splitlines()[0] == "supabase start is already running."
    assert again.stdout == first.stdout == project.minato("status").stdout
    assert server_pid(project) == pid
    below = project.root / "src" / "deep"
    below.mkdir(parents=True)
    found = run(("status", "-o", "env"), cwd=below, env=project.environment(), timeout=START_LIMIT)
    assert f"Using workdir {project.root.resolve()}" in found.stderr
    assert f'ANON_KEY="{ANON}"\n' in found.stdout


def test_two_starts_at_once_give_one_server(project: LocalProject) -> None:
    both = [
        Copy(
            ("start", "--port", "0"),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=project.root,
            env=project.environment(),
        )
        for _ in range(2)
    ]
    outputs = [process.communicate(timeout=START_LIMIT) for process in both]
    assert [process.returncode for process in both] == [0, 0], outputs
    assert outputs[0][0] == outputs[1][0]
    assert sum("already running" in said for _, said in outputs) == 1


def test_stopping_keeps_the_data_and_a_later_start_runs_nothing_unasked(project: LocalProject) -> None:
    project.write("seed.sql", "insert into notes values (1, 'seeded');")
    project.start()
    project.sql("insert into notes values (2, 'mine') returning 1")
    url = project.values()["API_URL"]
    ended = project.minato("stop")
    assert (ended.returncode, ended.stdout) == (0, STOPPED)
    assert "--no-backup" in ended.stderr
    with pytest.raises(httpx.ConnectError):
        httpx.get(url)
    project.write("migrations/20260102000000_more.sql", "create table more ();")
    again = project.start()
    assert "Starting database from backup..." in again.stderr
    assert "20260102000000_more.sql" in again.stderr
    assert "--migrate" in again.stderr
    assert project.sql("select count(*) from notes") == 2
    assert project.sql("select to_regclass('more') is null") is True
    project.minato("stop")
    assert "Applying migration 20260102000000_more.sql..." in project.start("--migrate").stderr
    assert project.sql("select to_regclass('more') is not null") is True


def test_stopping_without_a_backup_leaves_nothing(project: LocalProject) -> None:
    project.start()
    ended = project.minato("stop", "--no-backup")
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, STOPPED, "")
    assert not project.data.exists()
    assert list((project.state / "minato" / "projects").iterdir()) == []


def test_what_does_not_run_has_no_status_and_can_be_stopped(project: LocalProject) -> None:
    shown = project.minato("status", "-o", "env")
    assert (shown.returncode, shown.stdout) == (1, "")
    assert "No such container: supabase_db_app" in shown.stderr
    assert project.minato("stop").stdout == STOPPED
    assert not project.data.exists()


def test_a_migration_that_fails_leaves_nothing_of_the_new_database(project: LocalProject) -> None:
    project.write("migrations/20260102000000_bad.sql", "create table made ();\nselect\n  nonsense;\n")
    failed = project.minato("start", "--port", "0")
    assert (failed.returncode, failed.stdout) == (1, "")
    for words in ("20260102000000_bad.sql:3", 'ERROR: column "nonsense" does not exist (SQLSTATE 42703)', "  ^"):
        assert words in failed.stderr
    assert "mend the file and start again" in failed.stderr
    assert not (project.data / "postgres").exists()
    project.write("migrations/20260102000000_bad.sql", "create table made ();")
    project.start()
    assert project.sql("select to_regclass('made') is not null") is True


def test_a_migration_gains_nothing_by_resetting_its_role(project: LocalProject) -> None:
    who = "reset role;\ncreate table who as select current_user::text, session_user::text;"
    project.write("migrations/20260102000000_role.sql", who)
    project.start()
    assert project.sql("select current_user || ' ' || session_user from who") == "postgres postgres"
    assert project.sql("select tableowner from pg_tables where tablename = 'who'") == "postgres"


def test_a_start_that_was_cut_off_begins_anew(project: LocalProject) -> None:
    project.start()
    project.sql("insert into notes values (9, 'half') returning 1")
    project.minato("stop")
    (project.data / "unfinished").touch()
    assert "Applying migration" in project.start().stderr
    assert project.sql("select count(*) from notes") == 0


def test_a_killed_server_confuses_nobody_and_no_stranger_is_ended(project: LocalProject) -> None:
    project.start()
    pid = server_pid(project)
    os.kill(pid, signal.SIGKILL)
    wait_until(lambda: project.minato("status").returncode == 1, "the lock is free")
    stranger = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    try:
        (project.data / "server.lock").write_text(json.dumps({"pid": stranger.pid, "began": "1"}))
        assert project.minato("stop").stdout == STOPPED
        assert stranger.poll() is None
    finally:
        stranger.communicate(b"\n")
    project.start()
    assert project.sql("select count(*) from notes") == 0


def test_projects_run_side_by_side_and_all_are_stopped(tmp_path: Path) -> None:
    with local_project(tmp_path / "a") as one, local_project(tmp_path / "b") as two:
        other = LocalProject(two.root, one.state)
        one.start()
        other.start()
        assert one.values()["API_URL"] != other.values()["API_URL"]
        assert one.minato("stop", "--all").stdout == STOPPED
        assert [one.minato("status").returncode, other.minato("status").returncode] == [1, 1]


def test_a_project_is_stopped_by_its_id_from_anywhere(tmp_path: Path) -> None:
    with local_project(tmp_path, config='project_id = "shop"') as project:
        project.start()
        elsewhere = LocalProject(tmp_path, project.state)
        assert elsewhere.minato("stop", "--project-id", "other").returncode == 0
        assert project.minato("status").returncode == 0
        assert elsewhere.minato("stop", "--project-id", "shop").stdout == STOPPED
        assert project.minato("status").returncode == 1


def test_a_folder_without_a_project_gives_an_empty_platform(tmp_path: Path) -> None:
    project = LocalProject(tmp_path / "bare", tmp_path / "state")
    project.root.mkdir()
    try:
        assert "WARN" not in project.start().stderr
        assert httpx.get(f"{project.values()['API_URL']}/readyz").status_code == 200
        assert project.sql("select count(*) from pg_tables where schemaname = 'public'") == 0
    finally:
        project.remove()


def test_production_is_refused(project: LocalProject) -> None:
    refused = project.minato("start", MINATO_ENVIRONMENT="production")
    assert (refused.returncode, refused.stdout) == (1, "")
    assert len(refused.stderr.splitlines()) == 1
    assert "minato serve" in refused.stderr
    assert not project.data.exists()


def test_data_of_local_development_are_refused_in_production(project: LocalProject) -> None:
    project.start()
    shown = project.minato("db", "url", "--data-dir", str(project.data)).stdout
    assert shown.startswith("postgresql://postgres:postgres@127.0.0.1:")
    project.minato("stop")
    refused = project.minato("serve", "--data-dir", str(project.data), MINATO_ENVIRONMENT="production")
    assert refused.returncode == 1
    assert "The data folder is one of minato start" in refused.stderr


def test_what_an_application_keeps_for_itself_is_no_setting_of_ours(project: LocalProject) -> None:
    (project.root / ".env").write_text("DATABASE_URL=postgresql://nobody@127.0.0.1:1/live\nSMTP_HOST=live.example\n")
    project.write("config.toml", "[db]\nport = 54399\n")
    project.start(DATABASE_URL="postgresql://postgres:postgres@localhost:54399/postgres")
    assert project.sql("select 1") == 1


def test_a_taken_port_is_told_in_a_sentence_and_leaves_no_data(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with local_project(tmp_path, config=f"[api]\nport = {port}") as project:
            failed = project.minato("start")
            assert failed.returncode == 1
            assert f"Port {port} is taken" in failed.stderr
            assert not (project.data / "postgres").exists()


def test_a_taken_database_port_is_told_in_a_sentence_too(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with local_project(tmp_path, config=f"[db]\nport = {port}\n[inbucket]\nenabled = false") as project:
            failed = project.minato("start", SUPABASE_API_PORT=str(free_port()))
            assert failed.returncode == 1
            assert f"Port {port} is taken" in failed.stderr
            assert not (project.data / "postgres").exists()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_scripts_get_one_line_and_end_the_server_by_a_signal(project: LocalProject) -> None:
    process = Copy(
        ("start", "--port", "0", "--json"),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=project.root,
        env=project.environment(),
    )
    assert process.stdout is not None
    try:
        ready = json.loads(process.stdout.readline())
        assert list(ready)[:5] == ["url", "anon_key", "service_role_key", "publishable_key", "secret_key"]
        assert ready["pid"] == process.pid
        assert httpx.get(f"{ready['url']}/readyz").status_code == 200
    finally:
        process.send_signal(signal.SIGTERM)
    rest, _ = process.communicate(timeout=START_LIMIT)
    assert (process.returncode, rest) == (0, "")


def test_secrets_of_config_toml_are_kept_in_the_vault_under_its_root_key(tmp_path: Path) -> None:
    find = "select decrypted_secret from vault.decrypted_secrets where name = 'key'"
    vault = '[db.vault]\nkey = "env(KEY)"\n'
    with local_project(tmp_path, config=f'[db]\nroot_key = "env(ROOT)"\n{vault}') as project:
        said = project.start(KEY="secret-value", ROOT="AB" * 32).stderr
        assert "Updating vault secrets..." in said
        assert project.sql(find) == "secret-value"
        assert (project.data / "vault.key").read_text() == "ab" * 32 + "\n"
        assert "secret-value" not in said
        assert project.minato("stop").returncode == 0
        project.start(KEY="secret-value", ROOT="cd" * 32)
        assert (project.data / "vault.key").read_text() == "cd" * 32 + "\n" + "ab" * 32 + "\n"
        assert project.sql(find) == "secret-value"
        assert project.minato("stop").returncode == 0
        refused = project.minato("start", "--port", "0", ROOT="cd" * 31)
        assert refused.returncode == 1
        assert "db.root_key in config.toml must be 64 hexadecimal digits." in refused.stderr
        assert "cdcd" not in refused.stderr


def test_config_toml_is_heeded(tmp_path: Path) -> None:
    config = (
        '[api]\nschemas = ["app"]\nmax_rows = 1\nnonsense = 1\n[realtime]\nenabled = false\n'
        '[auth]\nenable_signup = false\n[storage.buckets.pictures]\npublic = true\nobjects_path = "./pictures"\n'
        '[db.vault]\nkey = "env(KEY)"\n'
    )
    schema = "create schema app; create table app.t as select generate_series(1, 3) n;"
    grants = "grant usage on schema app to anon; grant select on app.t to anon;"
    with local_project(tmp_path, migration=schema + grants, config=config) as project:
        project.write("pictures/a/b.txt", "hello")
        said = project.start(KEY="secret-value").stderr
        assert "api.nonsense in config.toml is not known and is left out." in said
        assert "secret-value" not in said
        url, key = project.values()["API_URL"], {"apikey": ANON}
        assert httpx.get(f"{url}/rest/v1/t", headers=key).json() == [{"n": 1}]
        assert httpx.get(f"{url}/auth/v1/settings", headers=key).json()["disable_signup"] is True
        assert httpx.get(f"{url}/storage/v1/object/public/pictures/a/b.txt").text == "hello"
        off = httpx.get(f"{url}/realtime/v1/api/ping", headers=key)
        assert (off.status_code, off.json()) == (503, {"message": "name resolution failed"})
        assert "supabase_realtime_app" in project.minato("status").stderr


async def test_a_database_of_somebody_else_is_refused_untouched(cluster: Cluster, project: LocalProject) -> None:
    async with cluster.bare_database() as address:
        theirs = await asyncpg.connect(address.admin)
        try:
            await theirs.execute("create table theirs ()")
            refused = await asyncio.to_thread(project.minato, "start", "--port", "0", DATABASE_URL=address.admin)
            assert refused.returncode == 1
            assert "public.theirs" in refused.stderr
            assert "nothing was changed" in refused.stderr
            made = "select count(*) from pg_namespace where nspname in ('auth', 'minato', 'supabase_migrations')"
            assert await theirs.fetchval(made) == 0
        finally:
            await theirs.close()


async def test_an_empty_database_of_another_server_becomes_the_projects(
    cluster: Cluster, project: LocalProject
) -> None:
    async with cluster.bare_database() as address:
        started = await asyncio.to_thread(project.start, DATABASE_URL=address.admin)
        assert "Applying migration 20260101000000_notes.sql..." in started.stderr
        found = await asyncpg.connect(address.admin)
        try:
            owner = "select relowner::regrole::text from pg_class where oid = 'public.notes'::regclass"
            assert await found.fetchval(owner) == "postgres"
        finally:
            await found.close()
            await asyncio.to_thread(project.remove)


def test_the_clis_global_flags_and_their_variables_change_nothing(project: LocalProject) -> None:
    flags = ("--yes", "--debug", "--experimental", "--network-id", "none", "--dns-resolver=https", "--agent", "no")
    project.start(*flags, SUPABASE_YES="true", SUPABASE_DEBUG="true", SUPABASE_PROFILE="supabase")
    assert project.sql("select count(*) from notes") == 0
    asked = ("--debug", "--workdir", str(project.root), "-o", "json", "status")
    elsewhere = run(asked, cwd="/", env=project.environment(), timeout=START_LIMIT)
    assert elsewhere.returncode == 0
    assert json.loads(elsewhere.stdout) == project.values()


def test_addresses_are_told_under_the_host_name_that_was_asked_for(project: LocalProject) -> None:
    project.start(SUPABASE_SERVICES_HOSTNAME="localhost")
    values = project.values()
    assert re.fullmatch(r"http://localhost:\d+", values["API_URL"])
    assert values["REST_URL"] == f"{values['API_URL']}/rest/v1"
    assert re.fullmatch(r"postgresql://postgres:postgres@localhost:\d+/postgres", values["DB_URL"])
    assert httpx.get(f"{values['REST_URL']}/notes", headers={"apikey": values["SECRET_KEY"]}).json() == []
    assert project.sql("select count(*) from notes") == 0
