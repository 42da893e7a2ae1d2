"""The vault gives a secret back to whom it may, and to nobody who has the rows without the key."""

from __future__ import annotations

import hmac
from base64 import b64decode, b64encode
from collections.abc import AsyncIterator
from pathlib import Path
from uuid import UUID

import asyncpg
import pytest
from minato.database.address import DatabaseAddress

from tests.support.postgres import Cluster

CREATE = "select vault.create_secret($1, $2, $3)"
FIND = "select decrypted_secret from vault.decrypted_secrets where name = $1"


@pytest.fixture
async def admin(address: DatabaseAddress) -> AsyncIterator[asyncpg.Connection]:
    """A connection of the superuser to the owner's database."""
    connection = await asyncpg.connect(address.admin)
    try:
        yield connection
    finally:
        await connection.close()


async def root_key(admin: asyncpg.Connection) -> bytes:
    """The first line of the file."""
    folder = await admin.fetchval("show data_directory")
    return bytes.fromhex((Path(folder).parent / "vault.key").read_text().split()[0])


def derived(root: bytes, name: str) -> bytes:
    return hmac.digest(root, b"minato vault 1: " + name.encode(), "sha256")


def encrypted(root: bytes, message: bytes, additional: bytes, nonce: bytes) -> bytes:
    """What the script's head says, computed by another program."""
    parts = (b"pgsodium", (0).to_bytes(8, "big"), additional, nonce)
    framed = b"".join(len(part).to_bytes(8, "big") + part for part in parts)
    tag = hmac.digest(derived(root, "tag"), framed + message, "sha256")
    key = derived(root, "stream")
    blocks = (hmac.digest(key, tag + number.to_bytes(8, "big"), "sha256") for number in range(len(message) // 32 + 1))
    body = bytes(a ^ b for a, b in zip(message, b"".join(blocks), strict=False))
    return b"\x01" + derived(root, "fingerprint")[:8] + tag + body


@pytest.mark.parametrize("secret", ["s3kr3t", "", "Grüße, 港", "x" * 31, "x" * 32, "x" * 33, "line\nline " * 5000])
async def test_a_secret_comes_back_as_it_was(owner: asyncpg.Connection, secret: str) -> None:
    await owner.fetchval(CREATE, secret, "a name", "what it is for")
    row = await owner.fetchrow("select *, updated_at = created_at as fresh from vault.decrypted_secrets")
    assert (row["name"], row["description"], row["decrypted_secret"]) == ("a name", "what it is for", secret)
    assert row["fresh"]
    assert row["key_id"] is None
    assert list(row.keys())[:-1] == [
        *("id", "name", "description", "secret", "decrypted_secret", "key_id", "nonce", "created_at", "updated_at")
    ]


async def test_what_lies_in_the_table_is_what_another_program_computes_with_the_key(
    owner: asyncpg.Connection, admin: asyncpg.Connection
) -> None:
    root = await root_key(admin)
    for message in ("", "a", "x" * 32, "Grüße, 港 " * 40):
        identifier: UUID = await owner.fetchval("select vault.create_secret($1)", message)
        row = await owner.fetchrow("select secret, nonce from vault.secrets where id = $1", identifier)
        expected = encrypted(root, message.encode(), str(identifier).encode(), row["nonce"])
        assert b64decode(row["secret"]) == expected
        assert len(row["nonce"]) == 16


async def test_no_part_of_a_secret_reaches_the_disk_in_plain(
    owner: asyncpg.Connection, admin: asyncpg.Connection
) -> None:
    """Neither the table's file nor the log of changes: the statement's parameters are in none of them."""
    secret = "a plain text nobody else writes"
    identifier = await owner.fetchval("select vault.create_secret($1, 'n')", secret)
    await owner.execute("select vault.update_secret($1, $2)", identifier, secret + "!")
    await admin.execute("checkpoint")
    cluster = Path(await admin.fetchval("show data_directory"))
    table = cluster / await admin.fetchval("select pg_relation_filepath('vault.secrets')")
    log = cluster / "pg_wal" / await admin.fetchval("select pg_walfile_name(pg_current_wal_lsn())")
    assert str(identifier).replace("-", "") in table.read_bytes().hex()
    assert secret.encode() not in table.read_bytes()
    assert secret.encode() not in log.read_bytes()


async def test_the_same_secret_twice_looks_different(owner: asyncpg.Connection) -> None:
    for _ in range(20):
        await owner.fetchval("select vault.create_secret('the same')")
    assert await owner.fetchval("select count(distinct secret) from vault.secrets") == 20
    assert await owner.fetchval("select count(distinct nonce) from vault.secrets") == 20


async def test_a_secret_is_updated_in_the_parts_that_are_given(owner: asyncpg.Connection) -> None:
    identifier = await owner.fetchval(CREATE, "old", "name", "description")
    before = await owner.fetchrow("select * from vault.secrets")
    await owner.execute("select vault.update_secret($1, new_name => 'other')", identifier)
    row = await owner.fetchrow("select * from vault.decrypted_secrets")
    assert (row["name"], row["description"], row["decrypted_secret"]) == ("other", "description", "old")
    assert row["secret"] == before["secret"]
    assert row["updated_at"] > before["updated_at"]
    await owner.execute("select vault.update_secret($1, 'new', null, 'told')", identifier)
    row = await owner.fetchrow("select * from vault.decrypted_secrets")
    assert (row["name"], row["description"], row["decrypted_secret"]) == ("other", "told", "new")
    assert row["nonce"] != before["nonce"]


async def test_names_are_unique_where_there_are_any(owner: asyncpg.Connection) -> None:
    await owner.execute("select vault.create_secret('a', 'name'), vault.create_secret('b'), vault.create_secret('c')")
    with pytest.raises(asyncpg.UniqueViolationError, match="secrets_name_idx"):
        await owner.execute("select vault.create_secret('d', 'name')")
    with pytest.raises(asyncpg.NotNullViolationError):
        await owner.execute("select vault.create_secret(null, 'other')")


async def test_a_row_that_was_moved_or_changed_opens_nothing(
    owner: asyncpg.Connection, admin: asyncpg.Connection
) -> None:
    await owner.execute("select vault.create_secret('one', 'one'), vault.create_secret('two', 'two')")
    good = b64decode(await owner.fetchval("select secret from vault.secrets where name = 'one'"))
    moved = await admin.fetchrow("select secret, nonce from vault.secrets where name = 'two'")
    await admin.execute("update vault.secrets set secret = $1, nonce = $2 where name = 'one'", *moved)
    with pytest.raises(asyncpg.DataError, match="invalid ciphertext"):
        await owner.fetchval(FIND, "one")
    for place in (0, 9, 40, 41, len(good) - 1):
        changed = bytearray(good)
        changed[place] ^= 1
        await admin.execute(
            "update vault.secrets set secret = $1 where name = 'one'", b64encode(bytes(changed)).decode()
        )
        with pytest.raises(asyncpg.DataError, match="invalid ciphertext"):
            await owner.fetchval(FIND, "one")
    for short in (b"", b"\x01", good[:40]):
        await admin.execute("update vault.secrets set secret = $1 where name = 'one'", b64encode(short).decode())
        with pytest.raises(asyncpg.DataError, match="invalid ciphertext"):
            await owner.fetchval(FIND, "one")
    assert await owner.fetchval(FIND, "two") == "two"


@pytest.mark.parametrize("role", ["postgres", "service_role"])
async def test_who_may_reads_deletes_and_writes_by_the_functions_alone(owner: asyncpg.Connection, role: str) -> None:
    await owner.execute(f"set role {role}")
    await owner.execute("select vault.create_secret('a', 'name')")
    assert await owner.fetchval(FIND, "name") == "a"
    for statement in (
        "insert into vault.secrets (secret) values ('plain')",
        "update vault.secrets set name = 'x'",
        "update vault.decrypted_secrets set name = 'x'",
        "truncate vault.secrets",
    ):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await owner.execute(statement)
    assert await owner.execute("delete from vault.secrets where name = 'name'") == "DELETE 1"


@pytest.mark.parametrize("role", ["anon", "authenticated"])
async def test_callers_of_the_api_reach_nothing(owner: asyncpg.Connection, role: str) -> None:
    await owner.execute("select vault.create_secret('a', 'name')")
    await owner.execute(f"set role {role}")
    for statement in (
        "select * from vault.secrets",
        "select * from vault.decrypted_secrets",
        "select vault.create_secret('a')",
        "select vault._root_keys()",
    ):
        with pytest.raises(asyncpg.InsufficientPrivilegeError, match="schema vault"):
            await owner.fetch(statement)


async def test_the_owner_uses_the_key_and_never_sees_it(owner: asyncpg.Connection) -> None:
    for statement in (
        "select vault._root_keys()",
        "select vault._derived('x', 'stream')",
        "select vault._crypto_aead_det_encrypt('x', 'y', 0)",
        "select vault._encrypt_again()",
        "select pg_read_file('../vault.key')",
        "copy pg_temp.t from '/etc/hostname'",
        "alter function vault.create_secret owner to postgres",
        "create or replace function vault._root_keys() returns bytea[] language sql as $$ select null::bytea[] $$",
        "create function vault.mine() returns int language sql as $$ select 1 $$",
        "alter table vault.secrets add column mine text",
        "create trigger mine before insert on vault.secrets for each row execute function mine()",
        "create policy mine on vault.secrets using (true)",
    ):
        with pytest.raises((asyncpg.InsufficientPrivilegeError, asyncpg.UndefinedTableError)):
            await owner.execute(statement)


async def test_nobodys_types_and_operators_are_taken_for_the_vaults(owner: asyncpg.Connection) -> None:
    """A temporary schema comes before all others in a search path that does not name it."""
    await owner.execute(
        """
        create domain pg_temp.bytea as text;
        create domain pg_temp.varbit as text;
        create temporary table lines (line text);
        create function public.sha256(pg_catalog.bytea) returns pg_catalog.bytea language plpgsql as $$
        begin raise exception 'taken: %', $1; end $$;
        set search_path = pg_temp, public, pg_catalog;
        """
    )
    await owner.execute("select vault.create_secret('a', 'name')")
    assert await owner.fetchval(FIND, "name") == "a"


async def test_the_extension_is_there_and_asked_for_again(owner: asyncpg.Connection) -> None:
    await owner.execute("select vault.create_secret('a', 'name')")
    await owner.execute('create extension if not exists "supabase_vault" with schema "vault"')
    assert await owner.fetchval(FIND, "name") == "a"
    row = await owner.fetchrow(
        "select extversion, extnamespace::regnamespace::text from pg_extension where extname = 'supabase_vault'"
    )
    assert tuple(row) == ("0.3.1", "vault")


async def test_a_table_of_the_projects_refers_to_a_secret(owner: asyncpg.Connection) -> None:
    await owner.execute(
        """
        create table public.logins (id int primary key, password uuid references vault.secrets on delete set null);
        insert into public.logins select 1, vault.create_secret('s3kr3t', 'a name');
        """
    )
    with pytest.raises(asyncpg.ForeignKeyViolationError):
        await owner.execute("insert into public.logins values (2, gen_random_uuid())")
    await owner.execute("delete from vault.secrets")
    assert await owner.fetch("select id, password from public.logins") == [(1, None)]
    await owner.execute("grant references on vault.secrets to service_role")


async def test_names_are_listed_without_the_key(owner: asyncpg.Connection, admin: asyncpg.Connection) -> None:
    await owner.execute("select vault.create_secret('a', 'name')")
    await admin.execute("update vault.secrets set secret = 'broken'")
    assert await owner.fetchval("select name from vault.decrypted_secrets") == "name"


async def test_a_function_that_fits_better_is_never_called_as_the_superuser(cluster: Cluster) -> None:
    """Of functions with one name PostgreSQL calls the one whose types fit best, and whoever makes a database may own
    its schema."""
    async with cluster.bare_database() as address:
        db = await asyncpg.connect(address.admin)
        await db.execute("create schema vault authorization postgres")
        await db.execute(f'grant create on database "{await db.fetchval("select current_database()")}" to postgres')
        await db.execute("set role postgres")
        await db.execute("create extension supabase_vault; grant usage on schema vault to postgres")
        types = "message bytea, additional bytea, key_id int, context bytea, nonce bytea"
        body = "begin execute 'alter role postgres superuser'; return null; end"
        for name in ("_crypto_aead_det_encrypt", "_crypto_aead_det_decrypt"):
            await db.execute(f"create function vault.{name}({types}) returns bytea language plpgsql as $$ {body} $$")
        await db.fetchval("select vault.create_secret('s3kr3t', 'name')")
        assert await db.fetchval(FIND, "name") == "s3kr3t"
        assert not await db.fetchval("select rolsuper from pg_roles where rolname = 'postgres'")
        await db.close()
