"""The vault's key: made with the database, kept with it, changed by `minato vault rotate-key`."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import psycopg2
import pytest
from minato.postgres.cluster import EmbeddedOptions
from minato.postgres.embedded import EmbeddedPostgres

from tests.support.command import run_minato, served

FIND = "select decrypted_secret from vault.decrypted_secrets where name = 'name'"


@pytest.fixture
def kept(data_dir: Path) -> Path:
    """A data folder whose vault has a secret."""
    with served(data_dir) as server:
        ask(server.info["db_url"], "select vault.create_secret('s3kr3t', 'name', 'what for')")
    return data_dir


@pytest.fixture
def postgres(kept: Path) -> Iterator[str]:
    """Its PostgreSQL alone; the superuser's address."""
    server = EmbeddedPostgres(EmbeddedOptions(kept, durable=False))
    try:
        yield server.start_now().socket_url()
    finally:
        server.stop_now()


def ask(url: str, statement: str) -> object:
    """The first value of an answer."""
    connection = psycopg2.connect(url)
    try:
        with connection, connection.cursor() as cursor:
            cursor.execute(statement)
            row = cursor.fetchone()
            return row[0] if row else None
    finally:
        connection.close()


def lines(data_dir: Path) -> list[str]:
    """The keys of the file."""
    return (data_dir / "vault.key").read_text().split()


def test_the_key_is_made_for_its_owner_alone_and_stays(kept: Path) -> None:
    assert (kept / "vault.key").stat().st_mode & 0o777 == 0o600
    before = lines(kept)
    assert [len(key) for key in before] == [64]
    with served(kept) as server:
        assert ask(server.info["db_url"], FIND) == "s3kr3t"
    assert lines(kept) == before


def test_the_database_without_its_key_is_worth_nothing(kept: Path) -> None:
    """The thief has the whole cluster, and a server of his own that makes a key of its own."""
    shutil.move(kept / "vault.key", kept.parent / "away.key")
    with served(kept) as server:
        with pytest.raises(psycopg2.DataError, match="lacks the key of this secret"):
            ask(server.info["db_url"], FIND)
        own = (kept / "vault.key").read_text()
        (kept / "vault.key").write_text(own + (kept.parent / "away.key").read_text())
        assert ask(server.info["db_url"], FIND) == "s3kr3t"


def test_without_any_key_the_vault_says_what_it_lacks(kept: Path, postgres: str) -> None:
    (kept / "vault.key").write_text("not a key\n")
    for statement in (FIND, "select vault.create_secret('other')"):
        with pytest.raises(psycopg2.errors.ObjectNotInPrerequisiteState, match="the vault has no key") as refusal:
            ask(postgres, statement)
        assert "vault.key" in str(refusal.value.diag.message_hint)


def test_a_new_key_takes_every_secret_and_the_former_one_stays_until_it_is_forgotten(kept: Path) -> None:
    first = lines(kept)
    with served(kept) as server:
        url = server.info["db_url"]
        before = ask(url, "select secret from vault.secrets")
        ended = run_minato("vault", "rotate-key", "--data-dir", str(kept))
        assert (ended.returncode, ended.stderr) == (0, "")
        assert ended.stdout.startswith("1 secrets are under a new key")
        assert lines(kept)[1:] == first
        assert ask(url, "select secret from vault.secrets") != before
        assert ask(url, FIND) == "s3kr3t"
        assert ask(url, "select updated_at = created_at from vault.secrets")
    ended = run_minato("vault", "rotate-key", "--forget", "--data-dir", str(kept))
    assert (ended.returncode, ended.stderr) == (0, "")
    assert len(lines(kept)) == 1
    assert lines(kept)[0] not in first
    with served(kept) as server:
        assert ask(server.info["db_url"], FIND) == "s3kr3t"


def test_secrets_of_all_databases_are_reached_and_one_that_is_shut_keeps_the_former_key(
    kept: Path, postgres: str
) -> None:
    first = lines(kept)
    autocommitted(postgres, "create database shut template postgres", "create database open template postgres")
    autocommitted(postgres, "alter database shut allow_connections false")
    ended = run_minato("vault", "rotate-key", "--forget", "--data-dir", str(kept))
    assert ended.returncode == 0
    assert ended.stdout.startswith("2 secrets are under a new key")
    assert ended.stderr == "Not reached, so the former keys stay: shut.\n"
    assert lines(kept)[1:] == first
    (kept / "vault.key").write_text(lines(kept)[0] + "\n")
    for name in ("postgres", "open"):
        assert ask(postgres.replace("/postgres?", f"/{name}?"), FIND) == "s3kr3t"


def test_a_rotation_waits_for_who_is_writing_a_secret(kept: Path, postgres: str) -> None:
    """Else the row would come with a key that is forgotten."""
    writer = psycopg2.connect(postgres)
    with writer.cursor() as cursor:
        cursor.execute("select vault.create_secret('late', 'late')")
        with psycopg2.connect(postgres) as rotation, rotation.cursor() as other:
            other.execute("set lock_timeout = '100ms'")
            with pytest.raises(psycopg2.errors.LockNotAvailable):
                other.execute("select vault._encrypt_again()")
        rotation.close()
    writer.commit()
    writer.close()
    ended = run_minato("vault", "rotate-key", "--forget", "--data-dir", str(kept))
    assert ended.stdout.startswith("2 secrets are under a new key")
    assert ask(postgres, FIND.replace("'name'", "'late'")) == "late"


def test_a_secret_that_does_not_open_stops_the_rotation_and_loses_nothing(kept: Path, postgres: str) -> None:
    first = lines(kept)
    ask(postgres, "select vault.create_secret('other', 'other')")
    autocommitted(postgres, "update vault.secrets set secret = encode('x', 'base64') where name = 'other'")
    ended = run_minato("vault", "rotate-key", "--forget", "--data-dir", str(kept))
    assert ended.returncode == 1
    assert "A secret could not be opened" in ended.stderr
    assert lines(kept)[1:] == first
    assert ask(postgres, FIND) == "s3kr3t"


def test_what_somebody_else_calls_a_vault_is_not_touched_as_the_superuser(kept: Path, postgres: str) -> None:
    body = "begin execute 'alter role postgres superuser'; return 7; end"
    autocommitted(postgres, "set role postgres", "create database mine template template0")
    autocommitted(
        postgres.replace("/postgres?", "/mine?"),
        "set role postgres",
        "create schema vault",
        f"create function vault._encrypt_again() returns bigint language plpgsql as $$ {body} $$",
    )
    ended = run_minato("vault", "rotate-key", "--data-dir", str(kept))
    assert ended.stdout.startswith("1 secrets are under a new key"), ended.stderr
    assert not ask(postgres, "select rolsuper from pg_roles where rolname = 'postgres'")


def test_another_servers_vault_is_left_to_it(tmp_path: Path) -> None:
    ended = run_minato("vault", "rotate-key", "--data-dir", str(tmp_path), DATABASE_URL="postgresql://me@127.0.0.1:1/x")
    assert ended.returncode == 1
    assert "keeps the key of its own vault" in ended.stderr


def autocommitted(url: str, *statements: str) -> None:
    """Run statements, each by itself."""
    connection = psycopg2.connect(url)
    connection.autocommit = True
    try:
        with connection.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement)
    finally:
        connection.close()
