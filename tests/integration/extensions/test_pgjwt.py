"""pgjwt's tokens are what other programs make and read."""

from __future__ import annotations

import json
import time
from base64 import urlsafe_b64encode
from typing import Any

import asyncpg
import pytest
from jose import jws, jwt

CLAIMS = {"sub": "1234567890", "name": "Jörg 港", "admin": True}
ALGORITHMS = ["HS256", "HS384", "HS512"]
SECRET = "a secret – not only ASCII"


@pytest.fixture
async def db(owner: asyncpg.Connection) -> asyncpg.Connection:
    """The project's owner, who made the extension where Supabase's projects do."""
    await owner.execute("create extension if not exists pgjwt with schema extensions")
    return owner


async def verified(db: asyncpg.Connection, token: str, secret: str = SECRET, algorithm: str = "HS256") -> Any:
    """(header, payload, valid) as `verify` tells them."""
    row = await db.fetchrow("select * from extensions.verify($1, $2, $3)", token, secret, algorithm)
    return json.loads(row["header"]), json.loads(row["payload"]), row["valid"]


def part(content: dict[str, Any]) -> str:
    """A part of a token."""
    return urlsafe_b64encode(json.dumps(content).encode()).decode().rstrip("=")


@pytest.mark.parametrize("algorithm", ALGORITHMS)
async def test_a_token_made_in_sql_is_read_elsewhere(db: asyncpg.Connection, algorithm: str) -> None:
    token = await db.fetchval("select extensions.sign($1::json, $2, $3)", json.dumps(CLAIMS), SECRET, algorithm)
    assert jwt.decode(token, SECRET, algorithms=[algorithm]) == CLAIMS
    assert jwt.get_unverified_header(token) == {"alg": algorithm, "typ": "JWT"}


@pytest.mark.parametrize("algorithm", ALGORITHMS)
async def test_a_token_made_elsewhere_is_verified_in_sql(db: asyncpg.Connection, algorithm: str) -> None:
    token = jwt.encode(CLAIMS, SECRET, algorithm=algorithm)
    assert await verified(db, token, algorithm=algorithm) == ({"alg": algorithm, "typ": "JWT"}, CLAIMS, True)


async def test_a_wrong_secret_and_a_changed_payload_are_told_and_not_valid(db: asyncpg.Connection) -> None:
    token = jwt.encode(CLAIMS, SECRET, algorithm="HS256")
    assert (await verified(db, token, "another"))[1:] == (CLAIMS, False)
    head, _, signature = token.split(".")
    forged = {**CLAIMS, "sub": "2"}
    assert (await verified(db, f"{head}.{part(forged)}.{signature}"))[1:] == (forged, False)


async def test_a_token_signed_for_another_algorithm_is_not_valid(db: asyncpg.Connection) -> None:
    assert not (await verified(db, jwt.encode(CLAIMS, SECRET, algorithm="HS512"), algorithm="HS256"))[2]


@pytest.mark.parametrize("end", ["", ".", ".x", ".x.y"])
async def test_a_token_that_says_it_needs_no_signature_is_false_and_never_null(
    db: asyncpg.Connection, end: str
) -> None:
    token = f"{part({'alg': 'none', 'typ': 'JWT'})}.{part(CLAIMS)}{end}"
    header, payload, valid = await verified(db, token)
    assert (header["alg"], payload, valid) == ("none", CLAIMS, False)


@pytest.mark.parametrize("algorithm", ["none", "bogus", "RS256", "hs256", ""])
async def test_an_algorithm_that_is_not_known_is_refused(db: asyncpg.Connection, algorithm: str) -> None:
    with pytest.raises(asyncpg.InvalidParameterValueError, match='Cannot use "": No such hash algorithm'):
        await db.fetchval("select extensions.sign('{}'::json, 'x', $1)", algorithm)
    with pytest.raises(asyncpg.InvalidParameterValueError, match='Cannot use "": No such hash algorithm'):
        await verified(db, jwt.encode(CLAIMS, SECRET), algorithm=algorithm)


@pytest.mark.parametrize(
    ("claims", "valid"),
    [
        ({"exp": 3600}, True),
        ({"exp": -1}, False),
        ({"nbf": -1}, True),
        ({"nbf": 3600}, False),
        ({"nbf": -10, "exp": 3600}, True),
        ({"nbf": 3600, "exp": -3600}, False),
    ],
)
async def test_a_token_holds_between_nbf_and_exp(db: asyncpg.Connection, claims: dict[str, int], valid: bool) -> None:
    now = int(time.time())
    token = jws.sign({name: now + seconds for name, seconds in claims.items()}, SECRET)
    assert (await verified(db, token))[2] is valid


async def test_a_time_that_is_no_number_bounds_nothing(db: asyncpg.Connection) -> None:
    token = jws.sign({"nbf": "no-double", "exp": None}, SECRET)
    assert (await verified(db, token))[2]
    assert await db.fetchval("select extensions.try_cast_double('1.5')") == 1.5
    assert await db.fetchval("select extensions.try_cast_double('x')") is None


async def test_what_is_no_token_is_an_error(db: asyncpg.Connection) -> None:
    head, payload, signature = jwt.encode(CLAIMS, SECRET).split(".")
    for token in (f"!{head}.{payload}.{signature}", f"{head}.{part(CLAIMS)[:-3]}.{signature}"):
        with pytest.raises(asyncpg.DataError):
            await verified(db, token)


async def test_bytes_survive_the_letters_of_addresses(db: asyncpg.Connection) -> None:
    for count in (0, 1, 2, 3, 4, 57, 58, 200):
        data = bytes(range(256))[-count:] if count else b""
        text = await db.fetchval("select extensions.url_encode($1)", data)
        assert text == urlsafe_b64encode(data).decode().rstrip("=")
        assert await db.fetchval("select extensions.url_decode($1)", text) == data
