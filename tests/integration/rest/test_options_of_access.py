"""Options about who may call, from where, and what the root document says; on a database that has nothing of ours."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from jose import jwk
from minato.tokens.keys import KeySet, key_from_jwk

from tests.support.data_api import SECRET, Serve, got, token

BYTES = bytes(range(200, 240))


def octets(secret: bytes) -> dict[str, str]:
    return {"kty": "oct", "k": base64.urlsafe_b64encode(secret).rstrip(b"=").decode()}


# rest: KEY-2
@pytest.mark.parametrize(
    ("secret", "is_base64", "signed_with"),
    [
        (SECRET, False, SECRET),
        (base64.b64encode(BYTES).decode(), True, BYTES),
        (base64.urlsafe_b64encode(BYTES).decode().replace("=", "."), True, BYTES),
        (json.dumps(octets(BYTES)), False, BYTES),
        (json.dumps({**octets(BYTES), "alg": "HS256"}), False, BYTES),
        (json.dumps({"keys": [octets(b"x" * 40), octets(BYTES)]}), False, BYTES),
        ("@", False, SECRET),
    ],
)
async def test_the_secret_is_a_text_bytes_a_key_a_set_or_a_file(
    serve: Serve, tmp_path: Path, secret: str, is_base64: bool, signed_with: str | bytes
) -> None:
    (tmp_path / "secret").write_text(f"{SECRET}\n")
    given = f"@{tmp_path}/secret" if secret == "@" else secret
    async with serve(jwt_secret=given, jwt_secret_is_base64=is_base64) as alone:
        assert (await got(alone, "/rpc/whoami", token(signed_with, role="alone_member"))).json() == "alone_member"
        assert (await got(alone, "/rpc/whoami", token("y" * 40, role="alone_member"))).status_code == 401


# rest: NOANON-2
async def test_without_secret_a_token_is_the_servers_fault(serve: Serve) -> None:
    async with serve(jwt_secret="") as alone:
        answer = await got(alone, "/books", token(role="alone_member"))
        assert (answer.status_code, answer.json()["code"]) == (500, "PGRST300")
        assert answer.json()["message"] == "Server lacks JWT secret"
        assert (await got(alone, "/books")).status_code == 200


# rest: ERR-3
@pytest.mark.parametrize(
    ("claims", "status", "code"),
    [
        ({"role": None}, 401, "22023"),
        ({"role": "alone_member", "exp": 1e30}, 401, "PGRST303"),
        ({"role": "alone_member", "exp": 99999999999}, 200, None),
    ],
)
async def test_claims_are_read_as_postgrest_reads_them(
    serve: Serve, claims: dict[str, Any], status: int, code: str | None
) -> None:
    async with serve() as alone:
        answer = await got(alone, "/rpc/whoami", token(**claims))
        assert answer.status_code == status
        assert code is None or answer.json()["code"] == code


# rest: ERR-3
@pytest.mark.parametrize(
    ("authorization", "status"),
    [
        ("Bearer {}", 200),
        ("bearer\t{}", 200),
        ("Bearer   {}", 200),
        ("Bearer {}=", 401),
        ("Bearer", 401),
        ("Bearer {} x", 401),
    ],
)
async def test_the_header_holds_a_scheme_blanks_and_an_unpadded_token(
    serve: Serve, authorization: str, status: int
) -> None:
    async with serve() as alone, alone.client() as client:
        header = authorization.format(token(role="alone_member"))
        answer = await client.get("/rpc/whoami", headers={"authorization": header})
        assert answer.status_code == status


# rest: AUD-1, AUD-2
@pytest.mark.parametrize(
    ("audience", "status"),
    [("us", 200), (["them", "us"], 200), (None, 200), ([], 200), ("them", 401), ("", 401), (["them"], 401), (5, 401)],
)
async def test_jwt_aud_is_compared(serve: Serve, audience: object, status: int) -> None:
    async with serve(jwt_aud="us") as alone:
        answer = await got(alone, "/rpc/whoami", token(role="alone_member", aud=audience))
        assert answer.status_code == status
        assert status == 200 or answer.json()["code"] == "PGRST303"


async def test_the_role_is_where_jwt_role_claim_key_says(serve: Serve) -> None:
    async with serve(jwt_role_claim_key='$.realm["db-roles"][1]', jwt_cache_max_entries=0) as alone:
        bearer = token(realm={"db-roles": ["x", "alone_member"]})
        assert (await got(alone, "/rpc/whoami", bearer)).json() == "alone_member"
        assert (await got(alone, "/rpc/whoami", token(role="alone_member"))).json() == "alone_web"


# rest: CORS-1, CORS-2, CORS-3
async def test_preflights_allow_what_was_asked_for(serve: Serve) -> None:
    asked = {"origin": "http://a", "access-control-request-method": "POST", "access-control-request-headers": "Foo,Bar"}
    async with serve() as alone, alone.client() as client:
        answer = await client.options("/books", headers=asked)
        assert (answer.status_code, answer.content) == (200, b"")
        assert answer.headers["access-control-allow-origin"] == "*"
        assert answer.headers["access-control-allow-methods"] == "GET, POST, PATCH, PUT, DELETE, OPTIONS, HEAD"
        allowed = "Authorization, Foo, Bar, Accept, Accept-Language, Content-Language"
        assert answer.headers["access-control-allow-headers"] == allowed
        assert answer.headers["access-control-max-age"] == "86400"
        read = await client.get("/books", headers={"origin": "http://a"})
        assert read.headers["access-control-expose-headers"].startswith("Content-Encoding, Content-Location")
        plain = await client.options("/books", headers={"origin": "http://a", "accept": "text/odd"})
        assert (plain.status_code, plain.headers["access-control-allow-origin"]) == (200, "*")


# rest: CORS-4
async def test_only_listed_origins_are_allowed(serve: Serve) -> None:
    asked = {"access-control-request-method": "POST"}
    async with serve(server_cors_allowed_origins="http://a, http://b") as alone, alone.client() as client:
        listed = await client.options("/books", headers={"origin": "http://b", **asked})
        assert listed.headers["access-control-allow-origin"] == "http://b"
        assert listed.headers["access-control-allow-credentials"] == "true"
        stranger = await client.get("/books", headers={"origin": "http://c"})
        assert (stranger.status_code, stranger.headers.get("access-control-allow-origin")) == (200, None)
        asked_plainly = await client.options("/books", headers={"origin": "http://c"})
        assert asked_plainly.headers["access-control-allow-origin"] == "*"
        assert "access-control-expose-headers" not in asked_plainly.headers


# rest: APIX-1, APIX-3, API-7
@pytest.mark.parametrize(
    ("mode", "lists_private"), [("follow-privileges", False), ("ignore-privileges", True)]
)  # fmt: skip
async def test_openapi_mode_decides_what_is_listed(serve: Serve, mode: str, lists_private: bool) -> None:
    async with serve(openapi_mode=mode, openapi_security_active=True) as alone:
        document = (await got(alone, "/")).json()
        assert ("/private" in document["paths"]) is lists_private
        assert document["securityDefinitions"]["JWT"]["name"] == "Authorization"
        widened = (await got(alone, "/", token(role="alone_member"))).json()
        assert "/private" in widened["paths"]


# rest: APIX-4
async def test_openapi_tells_the_address_of_the_proxy(serve: Serve) -> None:
    async with serve(openapi_server_proxy_uri="https://api.example.com/v1") as alone:
        document = (await got(alone, "/")).json()
        assert (document["host"], document["basePath"], document["schemes"]) == (
            "api.example.com:443",
            "/v1",
            ["https"],
        )


# rest: KEY-1
@pytest.mark.parametrize("with_algorithm", [True, False])
@pytest.mark.parametrize("in_set", [True, False])
async def test_an_rsa_key_verifies(serve: Serve, with_algorithm: bool, in_set: bool) -> None:
    pair = jwk.construct(rsa.generate_private_key(65537, 2048), "RS256")
    private = {name: value.decode() if isinstance(value, bytes) else value for name, value in pair.to_dict().items()}
    public = {name: private[name] for name in ("kty", "n", "e", *(["alg"] if with_algorithm else []))}
    bearer = KeySet([key_from_jwk({**private, "key_ops": ["sign"]})]).sign({"role": "alone_member"})
    async with serve(jwt_secret=json.dumps({"keys": [public]} if in_set else public)) as alone:
        assert (await got(alone, "/rpc/whoami", bearer)).json() == "alone_member"
        assert (await got(alone, "/rpc/whoami", token(role="alone_member"))).status_code == 401


# rest: JCACHE-1
@pytest.mark.parametrize("entries", [0, 1, 1000])
@pytest.mark.parametrize("timed", [True, False])
async def test_a_token_may_come_again(serve: Serve, entries: int, timed: bool) -> None:
    async with serve(jwt_cache_max_entries=entries, server_timing_enabled=timed) as alone:
        for bearer in (token(role="alone_member"), token(role="alone_web", exp=4102444800)) * 2:
            answer = await got(alone, "/rpc/whoami", bearer)
            assert answer.json() in ("alone_member", "alone_web")
            assert ("server-timing" in answer.headers) is timed


# rest: APIX-5
@pytest.mark.parametrize("accept", ["application/openapi+json", "application/json", "*/*"])
async def test_a_function_may_be_the_root_document(serve: Serve, accept: str) -> None:
    async with serve(db_root_spec="root") as alone:
        assert (await got(alone, "/", accept=accept)).json() == {"root": True}
