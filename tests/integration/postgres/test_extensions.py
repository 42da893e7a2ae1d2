"""The extensions written in SQL give what the real ones and other implementations of the same standards give."""

from __future__ import annotations

import hashlib
import hmac
import uuid
from collections.abc import AsyncIterator

import asyncpg
import pytest
from minato.postgres.extensions import SHARE
from passlib.hash import sha256_crypt, sha512_crypt

from tests.support.postgres import Cluster

MESSAGES = [b"", b"abc", b"x" * 55, b"x" * 56, b"x" * 64, b"x" * 119, "Grüße, 港".encode()]
ALGORITHMS = ["md5", "sha1", "sha224", "sha256", "sha384", "sha512"]


@pytest.fixture
async def db(cluster: Cluster) -> AsyncIterator[asyncpg.Connection]:
    """A connection whose work is rolled back; what the extensions bring is in a schema that is not on the path. Their
    scripts are run by hand: a server that has these extensions itself would take its own."""
    connection = await asyncpg.connect(cluster.postgres.socket_url(database="template1"))
    transaction = connection.transaction()
    await transaction.start()
    await connection.execute("create schema ext")
    for script in ("uuid-ossp--1.1.sql", "pgcrypto--1.3.sql"):
        await connection.execute(_run_by_hand((SHARE / "extension" / script).read_text()))
    yield connection
    await transaction.rollback()
    await connection.close()


def _run_by_hand(script: str) -> str:
    """As `create extension ... with schema ext` runs it."""
    named = script.replace("@extschema@", "ext")
    return f"set local search_path = ext, pg_temp; {named}; set local search_path to default"


@pytest.mark.parametrize("algorithm", ALGORITHMS)
async def test_digests_are_those_of_the_standard(db: asyncpg.Connection, algorithm: str) -> None:
    for message in MESSAGES:
        expected = hashlib.new(algorithm, message).digest()
        assert await db.fetchval("select ext.digest($1::bytea, $2)", message, algorithm) == expected


@pytest.mark.parametrize("algorithm", ALGORITHMS)
async def test_hmacs_are_those_of_the_standard(db: asyncpg.Connection, algorithm: str) -> None:
    for key in (b"key", b"k" * 64, b"k" * 200):
        expected = hmac.new(key, b"message", algorithm).digest()
        assert await db.fetchval("select ext.hmac($1::bytea, $2::bytea, $3)", b"message", key, algorithm) == expected


async def test_text_is_digested_in_the_databases_encoding(db: asyncpg.Connection) -> None:
    expected = hashlib.sha256("港".encode()).digest()
    assert await db.fetchval("select ext.digest('港', 'sha256')") == expected


async def test_an_unknown_digest_is_refused(db: asyncpg.Connection) -> None:
    with pytest.raises(asyncpg.InvalidParameterValueError, match="No such hash algorithm"):
        await db.fetchval("select ext.digest('x', 'sha3')")


@pytest.mark.parametrize("count", [1, 13, 14, 1024])
async def test_random_bytes_are_as_many_as_asked_for_and_never_the_same(db: asyncpg.Connection, count: int) -> None:
    draws = {await db.fetchval("select ext.gen_random_bytes($1)", count) for _ in range(8)}
    assert {len(draw) for draw in draws} == {count}
    assert len(draws) > 1


@pytest.mark.parametrize("count", [0, 1025])
async def test_random_bytes_have_pgcryptos_limits(db: asyncpg.Connection, count: int) -> None:
    with pytest.raises(asyncpg.InvalidParameterValueError, match="Length not in range"):
        await db.fetchval("select ext.gen_random_bytes($1)", count)


@pytest.mark.parametrize("salt", ["bf", "sha256crypt", "sha512crypt"])
@pytest.mark.parametrize("password", ["secret", "", "Grüße, 港", "long " * 30])
async def test_hashed_passwords_verify_in_sql_and_elsewhere(db: asyncpg.Connection, salt: str, password: str) -> None:
    hashed = await db.fetchval("select ext.crypt($1, ext.gen_salt($2))", password, salt)
    scheme = sha256_crypt if salt == "sha256crypt" else sha512_crypt
    assert scheme.verify(password, hashed)
    assert await db.fetchval("select ext.crypt($1, $2) = $2", password, hashed)
    assert not await db.fetchval("select ext.crypt($1, $2) = $2", password + "x", hashed)


async def test_hashes_made_elsewhere_verify_in_sql(db: asyncpg.Connection) -> None:
    for scheme in (sha256_crypt.using(rounds=1000), sha512_crypt.using(rounds=1234)):
        hashed = scheme.hash("secret")
        assert await db.fetchval("select ext.crypt('secret', $1)", hashed) == hashed


@pytest.mark.parametrize("salt", ["$2a$06$abcdefghijklmnopqrstuu", "$1$salt$", "ab", ""])
async def test_a_salt_that_cannot_be_computed_is_refused_not_answered_wrongly(
    db: asyncpg.Connection, salt: str
) -> None:
    with pytest.raises(asyncpg.FeatureNotSupportedError, match=r"only salts of sha256crypt"):
        await db.fetchval("select ext.crypt('secret', $1)", salt)


async def test_named_uuids_are_those_of_the_standard(db: asyncpg.Connection) -> None:
    for space, known in (("dns", uuid.NAMESPACE_DNS), ("url", uuid.NAMESPACE_URL), ("oid", uuid.NAMESPACE_OID)):
        assert await db.fetchval(f"select ext.uuid_ns_{space}()") == known
    assert await db.fetchval("select ext.uuid_ns_x500()") == uuid.NAMESPACE_X500
    for name in ("minato.example", "", "港"):
        expected = (uuid.uuid3(uuid.NAMESPACE_DNS, name), uuid.uuid5(uuid.NAMESPACE_DNS, name))
        statement = "select ext.uuid_generate_v3(ext.uuid_ns_dns(), $1), ext.uuid_generate_v5(ext.uuid_ns_dns(), $1)"
        assert tuple(await db.fetchrow(statement, name)) == expected


async def test_generated_uuids_carry_their_version(db: asyncpg.Connection) -> None:
    assert await db.fetchval("select ext.uuid_nil()") == uuid.UUID(int=0)
    for version in ("1", "1mc", "4"):
        first, second = await db.fetchrow(
            f"select ext.uuid_generate_v{version}() as first, ext.uuid_generate_v{version}() as second"
        )
        assert uuid.UUID(str(first)).version == int(version[0])
        assert uuid.UUID(str(first)).variant == uuid.RFC_4122
        assert first != second


async def test_a_version_1_uuid_tells_its_time(db: asyncpg.Connection) -> None:
    made, now = await db.fetchrow("select ext.uuid_generate_v1() as made, extract(epoch from clock_timestamp()) as now")
    seconds = (uuid.UUID(str(made)).time - 0x01B21DD213814000) / 1e7
    assert abs(seconds - float(now)) < 1
