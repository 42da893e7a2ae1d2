"""What operators of `minato rest` work with: numbers, the log, a configuration read again, commands that only tell."""

from __future__ import annotations

import signal
from collections.abc import AsyncIterator
from pathlib import Path

import asyncpg
import orjson
import pytest
from minato.database.address import DatabaseAddress
from minato.log import create_log
from minato.log_lines import LogLines

from tests.integration.cli.test_rest import get, rest, unused_port, written
from tests.support.command import run_minato
from tests.support.postgres import Cluster
from tests.support.processes import wait_until


@pytest.fixture
async def address(cluster: Cluster) -> AsyncIterator[DatabaseAddress]:
    """A database with one table that anybody may read."""
    async with cluster.bare_database() as address:
        db = await asyncpg.connect(address.admin)
        await db.execute("create table public.things as select generate_series(1, 3) as id")
        await db.execute("grant select on public.things to anon")
        await db.close()
        yield address


def number(metrics: str, name: str) -> float:
    return float(next(line for line in metrics.splitlines() if line.startswith(f"{name} ")).split()[-1])


async def test_the_admin_server_shows_postgrests_numbers(address: DatabaseAddress, tmp_path: Path) -> None:
    port = unused_port()
    settings = {"THE_DATABASE": address.authenticator, "PGRST_ADMIN_SERVER_PORT": str(port), "PGRST_DB_POOL": "3"}
    with rest(written(tmp_path), **settings) as (url, _):
        assert get(f"{url}/things").status_code == 200
        # The request's session, and that of the schema cache where its read had not given it back by then.
        metrics = f"http://127.0.0.1:{port}/metrics"
        wait_until(lambda: number(get(metrics).text, "pgrst_db_pool_available") in (1, 2), "a session is given back")
        answer = get(metrics)
    assert answer.headers["content-type"].startswith("text/plain")
    assert number(answer.text, "pgrst_db_pool_max") == 3
    assert number(answer.text, "pgrst_db_pool_waiting") == 0
    assert number(answer.text, "pgrst_db_pool_timeouts_total") == 0
    assert number(answer.text, 'pgrst_schema_cache_loads_total{status="SUCCESS"}') >= 1
    assert number(answer.text, "pgrst_schema_cache_query_time_seconds") > 0
    assert number(answer.text, "pgrst_jwt_cache_requests_total") == 0


async def test_the_admin_server_shows_the_schema_cache(address: DatabaseAddress, tmp_path: Path) -> None:
    port = unused_port()
    settings = {"THE_DATABASE": address.authenticator, "PGRST_ADMIN_SERVER_PORT": str(port)}
    with rest(written(tmp_path), **settings):
        shown = get(f"http://127.0.0.1:{port}/schema_cache").json()
    assert [table["name"] for table in shown["tables"]] == ["public.things"]


@pytest.mark.parametrize(("level", "logged"), [("error", []), ("warn", ["404"]), ("info", ["200", "404"])])
async def test_the_access_log_has_what_its_level_asks_for(
    address: DatabaseAddress, tmp_path: Path, level: str, logged: list[str]
) -> None:
    settings = {"THE_DATABASE": address.authenticator, "PGRST_LOG_LEVEL": level}
    with rest(written(tmp_path), **settings) as (url, process):
        assert [get(f"{url}/{path}").status_code for path in ("things?id=eq.1", "nothing")] == [200, 404]
        process.send_signal(signal.SIGTERM)
        assert process.stdout is not None
        lines = process.stdout.read().splitlines()
    assert [line.split('"')[2].split()[0] for line in lines] == logged
    assert all(line.startswith("127.0.0.1 - anon [") for line in lines)
    assert level != "info" or '"GET /things?id=eq.1 HTTP/1.1" 200 ' in lines[0]


async def test_the_file_is_read_again_when_asked(address: DatabaseAddress, tmp_path: Path) -> None:
    conf = written(tmp_path)
    with rest(conf, THE_DATABASE=address.authenticator) as (url, process):
        assert len(get(f"{url}/things").json()) == 3
        conf.write_text(f"{conf.read_text()}\ndb-max-rows = 2")
        process.send_signal(signal.SIGUSR2)
        wait_until(lambda: len(get(f"{url}/things").json()) == 2, "the new limit holds")
        conf.write_text("db-max-rows = ")
        process.send_signal(signal.SIGUSR2)
        conf.write_text(f"{written(tmp_path).read_text()}\ndb-max-rows = 1")
        db = await asyncpg.connect(address.admin)
        await db.execute("notify pgrst, 'reload config'")
        await db.close()
        wait_until(lambda: len(get(f"{url}/things").json()) == 1, "the next limit holds")


async def test_the_configuration_in_force_is_printed_as_a_file(address: DatabaseAddress, tmp_path: Path) -> None:
    db = await asyncpg.connect(address.admin)
    await db.execute(
        "do $$ begin execute format("
        "'alter role authenticator in database %I set pgrst.db_max_rows = ''7''', current_database()); end $$"
    )
    await db.close()
    done = run_minato("rest", str(written(tmp_path)), "--dump-config", THE_DATABASE=address.authenticator)
    assert 'db-anon-role = "anon"\n' in done.stdout
    assert "db-max-rows = 7\n" in done.stdout
    again = tmp_path / "again.conf"
    again.write_text(done.stdout)
    assert run_minato("rest", str(again), "--dump-config").stdout == done.stdout


async def test_the_schema_cache_is_printed(address: DatabaseAddress, tmp_path: Path) -> None:
    done = run_minato("rest", "--config", str(written(tmp_path)), "--dump-schema", THE_DATABASE=address.authenticator)
    assert [table["name"] for table in orjson.loads(done.stdout)["tables"]] == ["public.things"]


def test_a_database_that_is_not_there_is_told(tmp_path: Path) -> None:
    uri = "postgresql://anon@127.0.0.1:1/nowhere"
    shown = run_minato("rest", str(written(tmp_path)), "--dump-config", THE_DATABASE=uri)
    assert (shown.returncode, f'db-uri = "{uri}"' in shown.stdout) == (0, True)
    refused = run_minato("rest", str(written(tmp_path)), "--dump-schema", THE_DATABASE=uri)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert refused.stderr.startswith("minato: The schema cache can't be loaded:")


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("JWT_SECRET=short", "The JWT secret must be at least 32 characters long."),
        ("JWT_SECRET=@/nothing/here", "No such file or directory"),
        ("OPENAPI_SERVER_PROXY_URI=nonsense", "Malformed proxy uri"),
        ("DB_MAX_ROWS=many", "PGRST_DB_MAX_ROWS: Input should be a valid integer"),
    ],
)
def test_a_value_that_can_not_be_stops_the_start(option: str, said: str) -> None:
    name, _, value = option.partition("=")
    done = run_minato("rest", **{f"PGRST_{name}": value})
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert said in done.stderr


def test_an_example_is_a_file_that_can_be_used(tmp_path: Path) -> None:
    example = run_minato("rest", "--example").stdout
    uncommented = tmp_path / "example.conf"
    uncommented.write_text("\n".join(line.removeprefix("# ") for line in example.splitlines() if "##" not in line))
    shown = run_minato("rest", str(uncommented), "--dump-config", PGRST_DB_CONFIG="false").stdout
    assert shown == run_minato("rest", "--dump-config", PGRST_DB_CONFIG="false").stdout


async def test_readiness_is_an_exit_status(address: DatabaseAddress, tmp_path: Path) -> None:
    port = str(unused_port())
    conf, settings = written(tmp_path), {"THE_DATABASE": address.authenticator, "PGRST_ADMIN_SERVER_PORT": port}
    ask = ("rest", str(conf), "--ready")
    assert "can't be reached" in run_minato(*ask, **settings).stderr
    with rest(conf, **settings):
        wait_until(lambda: get(f"http://127.0.0.1:{port}/ready").status_code == 200, "the schema is loaded")
        done = run_minato(*ask, **settings)
        assert (done.returncode, done.stdout) == (0, f"OK: http://127.0.0.1:{port}/ready\n")
    refused = run_minato(*ask, THE_DATABASE=address.authenticator)
    assert (refused.returncode, "admin-server-port" in refused.stderr) == (1, True)


@pytest.mark.parametrize("as_json", [True, False])
def test_the_log_shows_where_an_error_was_but_no_values(as_json: bool) -> None:
    written: list[bytes] = []
    lines = LogLines(written.append)
    token = "-".join(("secret", "token"))
    try:
        raise ValueError(len(token))
    except ValueError:
        create_log(lines, as_json=as_json).exception("request failed")
    lines.flush(5)
    shown = b"".join(written).decode()
    assert "test_rest_operations.py" in shown
    assert token not in shown
