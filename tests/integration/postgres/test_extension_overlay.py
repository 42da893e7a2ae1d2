"""The folder before the server's own: made at start, anew when it has to be, and with empty extensions on demand."""

from __future__ import annotations

import shutil
from pathlib import Path

import asyncpg
import pytest
from minato.postgres.address import PostgresAddress
from minato.postgres.binaries import PostgresBinaries, find_binaries
from minato.postgres.cluster import EmbeddedOptions
from minato.postgres.embedded import EmbeddedPostgres
from minato.postgres.extensions import OFFERED, SHARE, TRUSTED, control_path, keep_overlay, server_program
from minato.postgres.layout import Layout

from tests.integration.postgres.conftest import SERVER


def stamps(folder: Path) -> dict[str, tuple[int, int]]:
    return {path.name: (path.stat().st_ino, path.stat().st_mtime_ns) for path in (folder / "extension").iterdir()}


def test_a_folder_that_fits_is_left_alone(tmp_path: Path) -> None:
    keep_overlay(find_binaries(None), tmp_path / "made", leave_out=False)
    before = stamps(tmp_path / "made")
    assert {Path(name).stem for name in before if name.endswith(".control")} <= TRUSTED
    keep_overlay(find_binaries(None), tmp_path / "made", leave_out=False)
    assert stamps(tmp_path / "made") == before


@pytest.mark.parametrize("change", ["lost", "altered", "foreign"])
def test_one_that_does_not_is_made_anew(tmp_path: Path, change: str) -> None:
    folder = tmp_path / "made"
    keep_overlay(find_binaries(None), folder, leave_out=True)
    whole = {path.name: path.read_text() for path in (folder / "extension").iterdir()}
    some = folder / "extension" / "citext.control"
    if change == "lost":
        some.unlink()
    elif change == "altered":
        some.write_text("trusted = false\n")
    else:
        (folder / "extension" / "file_fdw.control").write_text("trusted = true\n")
    keep_overlay(find_binaries(None), folder, leave_out=True)
    assert {path.name: path.read_text() for path in (folder / "extension").iterdir()} == whole


def test_another_installation_of_the_same_programs_is_another_folder(tmp_path: Path) -> None:
    found = find_binaries(None)
    assert found.extensions is not None
    for name in ("one", "it's two"):
        shutil.copytree(found.extensions, tmp_path / name / "share" / "extension")
        (tmp_path / name / "bin").mkdir()
        keep_overlay(PostgresBinaries(tmp_path / name / "bin", 18), tmp_path / "made", leave_out=False)
        text = (tmp_path / "made" / "extension" / "citext.control").read_text()
        place = str(tmp_path / name / "share" / "extension").replace("'", "''")
        assert text.endswith(f"trusted = true\ndirectory = '{place}'\n")


def older_installation(folder: Path) -> PostgresBinaries:
    """What an older server looks like on the disk, with an extension of its own that is ours, too."""
    extensions = folder / "share" / "postgresql" / "15" / "extension"
    programs = folder / "lib" / "postgresql" / "15" / "bin"
    for place in (extensions, programs, programs.parent / "lib", extensions.parent / "timezone"):
        place.mkdir(parents=True)
    for name in ("plpgsql", "citext", "amcheck", "pgmq"):
        (extensions / f"{name}.control").write_text(f"comment = '{name}'\n")
        (extensions / f"{name}--1.0.sql").write_text("select 1;\n")
    (programs / "postgres").write_text("#!/bin/sh\necho 'postgres (PostgreSQL) 15.14'\n")
    (programs / "postgres").chmod(0o755)
    (programs / "pg_config").write_text(f"#!/bin/sh\necho '{extensions.parent}'\n")
    (programs / "pg_config").chmod(0o755)
    return PostgresBinaries(programs, 15)


def test_an_older_server_runs_between_links_in_which_its_extensions_and_ours_lie(tmp_path: Path) -> None:
    older, made = older_installation(tmp_path / "usr"), tmp_path / "made"
    keep_overlay(older, made, leave_out=False)
    assert control_path(older, made) is None
    program = server_program(older, made)
    assert program == made / "lib/postgresql/15/bin/postgres"
    assert not program.is_symlink()
    assert (made / "lib/postgresql/15/lib").readlink() == tmp_path / "usr/lib/postgresql/15/lib"
    share = made / "share/postgresql/15"
    assert (share / "timezone").readlink() == tmp_path / "usr/share/postgresql/15/timezone"
    assert "trusted = true" in (share / "extension/citext.control").read_text()
    assert (share / "extension/amcheck.control").read_text() == "comment = 'amcheck'\n"
    assert (share / "extension/pg_cron.control").readlink() == SHARE / "extension" / "pg_cron.control"
    assert sorted(path.name for path in (share / "extension").glob("pgmq*")) == ["pgmq--1.0.sql", "pgmq.control"]


def test_the_links_are_left_alone_until_the_installation_changes(tmp_path: Path) -> None:
    older, made = older_installation(tmp_path / "usr"), tmp_path / "made"
    keep_overlay(older, made, leave_out=False)
    before = server_program(older, made).stat().st_ino
    keep_overlay(older, made, leave_out=False)
    assert server_program(older, made).stat().st_ino == before
    with older.program("postgres").open("a") as program:
        program.write("# 15.15\n")
    (tmp_path / "usr/share/postgresql/15/extension/hstore.control").write_text("")
    keep_overlay(older, made, leave_out=True)
    assert server_program(older, made).read_text().endswith("# 15.15\n")
    found = {path.name for path in (made / "share/postgresql/15/extension").iterdir()}
    assert {"hstore.control", "postgis--left-out.sql"} <= found


def test_the_plain_program_runs_where_a_copy_cannot(tmp_path: Path) -> None:
    older, made = older_installation(tmp_path / "usr"), tmp_path / "made"
    older.program("postgres").write_text("#!/nowhere/sh\n")
    keep_overlay(older, made, leave_out=False)
    assert server_program(older, made) == older.program("postgres")


def test_a_folder_whose_name_has_a_colon_stays_out_of_the_path(tmp_path: Path) -> None:
    assert control_path(find_binaries(None), tmp_path / "a:b") == f"$system:{SHARE}"


async def test_a_data_folder_with_a_colon_or_a_quote_opens(tmp_path: Path) -> None:
    for name, may in (("a:b", False), ("it's", True)):
        postgres = EmbeddedPostgres(EmbeddedOptions(tmp_path / name, durable=False))
        connection = await asyncpg.connect((await postgres.start()).socket_url())
        try:
            statement = "select superuser and trusted from pg_available_extension_versions where name = 'vector'"
            assert (await connection.fetchval(statement + " and version = '0.8.6'")) is may
            await connection.execute("create extension vector")
        finally:
            await connection.close()
            await postgres.stop()


async def test_what_is_loaded_at_start_is_for_the_clusters_own_files_to_say(tmp_path: Path) -> None:
    postgres = EmbeddedPostgres(EmbeddedOptions(tmp_path / "data", durable=False))
    assert await _shown(await postgres.start(), "shared_preload_libraries") == "pg_stat_statements"
    await postgres.stop()
    configuration = Layout(tmp_path / "data").cluster / "postgresql.auto.conf"
    configuration.write_text(configuration.read_text() + "shared_preload_libraries = 'auto_explain'\n")
    assert await _shown(await postgres.start(), "shared_preload_libraries") == "auto_explain"
    await postgres.stop()


async def _shown(address: PostgresAddress, setting: str) -> object:
    connection = await asyncpg.connect(address.socket_url())
    try:
        return await connection.fetchval(f"show {setting}")
    finally:
        await connection.close()


async def test_what_a_hosted_project_has_and_this_server_lacks_is_empty_on_demand(tmp_path: Path) -> None:
    options = EmbeddedOptions(tmp_path / "data", SERVER.folder, durable=False, leave_out_extensions=True)
    postgres = EmbeddedPostgres(options)
    connection = await asyncpg.connect((await postgres.start()).socket_url())
    warned: list[str] = []
    connection.add_log_listener(lambda _, message: warned.append(message.message))
    try:
        await connection.execute("create role postgres login; grant create on database postgres to postgres")
        await connection.execute("create schema gis authorization postgres; set role postgres")
        # As people write them, and as tools do.
        await connection.execute("""
            create extension if not exists "postgis" with schema "gis" cascade;
            do $$ begin
                if not exists (select from pg_extension where extname = 'plv8') then create extension plv8; end if;
            exception when undefined_file then null; end $$;
            comment on extension postgis is 'geometry';
            alter extension postgis set schema gis;
            alter extension postgis update;
            drop extension if exists "postgis";
            create extension postgis;
            set search_path = '';
            create extension if not exists "pgsodium";
            reset search_path;
        """)
        assert warned == [
            'extension "postgis" is left out: this PostgreSQL does not have it',
            'extension "plv8" is left out: this PostgreSQL does not have it',
            'version "left-out" of extension "postgis" is already installed',
            'extension "postgis" is left out: this PostgreSQL does not have it',
            'extension "pgsodium" is left out: this PostgreSQL does not have it',
        ]
        # A dump grants on functions that lie in the schema public, whosever they are.
        await connection.execute("create extension pgaudit with schema gis; set role postgres")
        await connection.execute("""
            grant all on function gis.pgaudit_ddl_command_end() to pg_monitor;
            grant all on function gis.pgaudit_sql_drop() to pg_monitor;
        """)
        # Not any name, and none that the server has.
        with pytest.raises(asyncpg.FeatureNotSupportedError):
            await connection.execute("create extension postgiss")
        await connection.execute("create extension citext")
        assert await connection.fetchval("select 'A'::citext = 'a'")
        assert "timescaledb" in OFFERED
    finally:
        await connection.close()
        await postgres.stop()
