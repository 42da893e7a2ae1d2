"""Every option of postgrest.conf that shows in answers, on a database that has nothing of ours."""

from __future__ import annotations

import base64
import json
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from tests.support.data_api import SECRET, Alone, serving, token
from tests.support.postgres import Cluster

SCHEMA = Path(__file__).with_name("alone.sql")
COUNT_PREPARED = "select count(*) from pg_prepared_statements"
Serve = Callable[..., AbstractAsyncContextManager[Alone]]


@pytest.fixture(scope="module")
async def serve(cluster: Cluster) -> AsyncIterator[Serve]:
    """Serve with options by name: `serve(db_max_rows=2)`."""
    async with cluster.bare_database() as address:
        connection = await asyncpg.connect(address.admin)
        await connection.execute(SCHEMA.read_text())
        await connection.close()
        given = {"DB_URI": cluster.url(address, "alone_login"), "DB_SCHEMAS": "api", "DB_ANON_ROLE": "alone_web"}

        @asynccontextmanager
        async def served(**options: object) -> AsyncIterator[Alone]:
            upper = {name.upper(): str(value) for name, value in options.items()}
            environment = {f"PGRST_{name}": value for name, value in ({"JWT_SECRET": SECRET} | given | upper).items()}
            async with serving(None, environment) as alone:
                yield alone

        yield served


async def got(alone: Alone, path: str, bearer: str | None = None, **headers: str) -> Any:
    async with alone.client(bearer) as client:
        return await client.get(path, headers={name.replace("_", "-"): value for name, value in headers.items()})


async def test_it_serves_at_the_root_without_key(serve: Serve) -> None:
    async with serve() as alone:
        assert (await got(alone, "/books?id=eq.1")).json() == [{"id": 1, "title": "One", "price": 10}]
        assert (await got(alone, "/")).json()["swagger"] == "2.0"
        assert (await got(alone, "/books", token(role="alone_member"))).status_code == 200
        assert (await got(alone, "/private")).status_code == 401
        assert (await got(alone, "/private", token(role="alone_member"))).json() == []


@pytest.mark.parametrize(
    ("options", "path", "expected"),
    [
        ({"db_max_rows": 2}, "/books?select=id&order=id", [{"id": 1}, {"id": 2}]),
        ({"db_max_rows": 1}, "/books?select=id,reviews(id)&id=eq.1", [{"id": 1, "reviews": [{"id": 1}]}]),
        ({"db_pre_config": "api.pre_config"}, "/books?select=id&order=id", [{"id": 1}]),
        ({"db_pre_config": "api.pre_config"}, "/rpc/whoami", "alone_member"),
        ({"db_pre_config": "true"}, "/books?select=id&order=id", [{"id": 1}, {"id": 2}]),
        ({"db_aggregates_enabled": True}, "/books?select=price.sum()", [{"sum": 60}]),
        ({"app_settings_key": "value"}, "/rpc/setting?name=app.settings.key", "value"),
        ({"db_root_spec": "root"}, "/", {"root": True}),
        ({"db_extra_search_path": ""}, "/rpc/setting?name=search_path", '"api"'),
        (
            {"db_extra_search_path": 'public, Ünï/côde"'},
            "/rpc/setting?name=search_path",
            '"api", "public", "Ünï/côde"""',
        ),
        ({"db_schemas": 'Ünï/côde"'}, "/t%C3%A4ble", [{"id": 7}]),
    ],
)
async def test_an_option_changes_what_is_answered(
    serve: Serve, options: dict[str, object], path: str, expected: object
) -> None:
    async with serve(**options) as alone:
        assert (await got(alone, path)).json() == expected


@pytest.mark.parametrize(
    ("options", "path", "headers", "status", "code"),
    [
        ({"db_anon_role": ""}, "/books", {}, 401, "PGRST302"),
        ({"openapi_mode": "disabled"}, "/", {}, 404, "PGRST126"),
        ({}, "/books?select=price.sum()", {}, 400, "PGRST123"),
        ({}, "/books", {"accept": "application/vnd.pgrst.plan"}, 406, "PGRST107"),
        ({"db_plan_enabled": True}, "/books", {"accept": "application/vnd.pgrst.plan"}, 200, None),
        ({}, "/rpc/slow", {}, 500, "57014"),
        ({"db_hoisted_tx_settings": "default_transaction_isolation"}, "/rpc/slow", {}, 204, None),
        ({"db_schemas": "api,public"}, "/books", {"accept-profile": "other"}, 406, "PGRST106"),
    ],
)
async def test_an_option_changes_whether_it_is_answered(
    serve: Serve, options: dict[str, object], path: str, headers: dict[str, str], status: int, code: str | None
) -> None:
    async with serve(**options) as alone, alone.client() as client:
        answer = await client.get(path, headers=headers)
        assert answer.status_code == status, answer.text
        assert code is None or answer.json()["code"] == code


async def test_several_schemas_are_told_apart_by_profile(serve: Serve) -> None:
    async with serve(db_schemas='api,Ünï/côde"') as alone, alone.client() as client:
        profile = 'Ünï/côde"'.encode()
        answer = await client.get("/t%C3%A4ble", headers={b"accept-profile": profile})
        assert answer.json() == [{"id": 7}]
        assert (await client.get("/books?id=eq.1")).headers["content-profile"] == "api"


@pytest.mark.parametrize(
    ("end", "prefer", "applied", "stays"),
    [
        ("commit", "tx=rollback", "", True),
        ("commit-allow-override", "tx=rollback", "tx=rollback", False),
        ("commit-allow-override", "", "", True),
        ("rollback", "tx=commit", "", False),
        ("rollback-allow-override", "tx=commit", "tx=commit", True),
        ("rollback-allow-override", "", "", False),
    ],
)
async def test_db_tx_end_decides_what_stays(serve: Serve, end: str, prefer: str, applied: str, stays: bool) -> None:
    async with serve(db_tx_end=end) as alone, alone.client() as client:
        wanted = ", ".join(part for part in ("return=representation", prefer) if part)
        answer = await client.post("/books", json={"id": 99}, headers={"prefer": wanted})
        assert (answer.status_code, answer.json()[0]["id"]) == (201, 99)
        assert answer.headers["preference-applied"] == ", ".join(
            part for part in ("return=representation", applied) if part
        )
        assert (await client.get("/books?select=id&id=eq.99")).json() == ([{"id": 99}] if stays else [])
        await client.delete("/books?id=eq.99", headers={"prefer": "tx=commit"})


async def test_the_pre_request_function_runs_before_every_request(serve: Serve) -> None:
    async with serve(db_pre_request="api.pre_request") as alone:
        async with alone.client() as client:
            for method in ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"):
                body = {"id": 9} if method in ("POST", "PUT", "PATCH") else None
                answer = await client.request(method, "/reviews?id=eq.9", json=body)
                assert (answer.headers["x-method"], answer.headers["vary"]) == (method, "Mine"), answer.text
        assert (await got(alone, "/rpc/whoami", x_role="alone_member")).json() == "alone_member"
        refused = await got(alone, "/books", x_refuse="1")
        assert (refused.status_code, refused.json()["message"], refused.json()["hint"]) == (400, "refused", "go away")
        assert (await got(alone, "/rpc/whoami")).json() == "alone_web"


async def test_minimal_errors_leave_out_details_and_hint(serve: Serve) -> None:
    async with serve(client_error_verbosity="minimal") as alone:
        assert set((await got(alone, "/boooks")).json()) == {"code", "message"}


@pytest.mark.parametrize("is_on", [True, False])
async def test_server_timing_names_every_stage(serve: Serve, is_on: bool) -> None:
    async with serve(server_timing_enabled=is_on) as alone, alone.client() as client:
        for method, path in [("GET", "/books"), ("POST", "/rpc/whoami"), ("OPTIONS", "/books"), ("HEAD", "/")]:
            timing = (await client.request(method, path)).headers.get("server-timing")
            stages = [part.partition(";dur=") for part in timing.split(", ")] if timing else []
            named = ["jwt", "parse", "plan", "transaction", "response"] if is_on else []
            assert [stage for stage, _, _ in stages] == named
            assert all(float(spent) >= 0 for _, _, spent in stages)


async def test_answers_vary_and_repeat_the_trace_header(serve: Serve) -> None:
    async with serve(server_trace_header="X-Request-Id") as alone:
        for path in ("/", "/books", "/rpc/whoami", "/nowhere"):
            answer = await got(alone, path, x_request_id="42")
            assert answer.headers["x-request-id"] == "42"
        assert (await got(alone, "/books")).headers["vary"] == "Accept, Prefer, Range"


LEGACY = "/books?select=id,marks:reviews(stars)&reviews.stars=eq.5&id=eq.1"


async def test_an_aliased_embed_named_by_its_table_is_warned_of(serve: Serve) -> None:
    async with serve() as alone:
        answer = await got(alone, LEGACY)
        assert answer.json() == [{"id": 1, "marks": [{"stars": 5}]}]
        assert "Update `reviews` to `marks` in query string" in answer.headers["warning"]
        assert answer.headers["warning"].startswith('299 PostgRESTv14 "')
        assert "warning" not in (await got(alone, LEGACY.replace("&reviews.", "&marks."))).headers


async def test_without_legacy_names_only_the_alias_counts(serve: Serve) -> None:
    async with serve(url_use_legacy_target_names=False) as alone:
        answer = await got(alone, LEGACY)
        assert (answer.status_code, answer.json()["code"]) == (400, "PGRST108")
        assert answer.json()["details"] == "Target names are not allowed in filters if they have an alias"
        assert answer.json()["hint"] == "Change 'reviews' to 'marks' in filters, orders or limits."
        assert (await got(alone, LEGACY.replace("&reviews.", "&marks."))).status_code == 200


@pytest.mark.parametrize("prepares", [True, False])
async def test_statements_are_prepared_or_never(serve: Serve, prepares: bool) -> None:
    async with serve(db_prepared_statements=prepares, db_pool=1) as alone:
        for _ in range(2):
            assert (await got(alone, "/books?id=eq.1")).status_code == 200
        session = alone.app.database.sessions._idle[0]
        assert bool(session._statements) is prepares


BYTES = bytes(range(200, 240))


def octets(secret: bytes) -> dict[str, str]:
    return {"kty": "oct", "k": base64.urlsafe_b64encode(secret).rstrip(b"=").decode()}


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


async def test_without_secret_a_token_is_the_servers_fault(serve: Serve) -> None:
    async with serve(jwt_secret="") as alone:
        answer = await got(alone, "/books", token(role="alone_member"))
        assert (answer.status_code, answer.json()["code"]) == (500, "PGRST300")
        assert answer.json()["message"] == "Server lacks JWT secret"
        assert (await got(alone, "/books")).status_code == 200


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


async def test_only_listed_origins_are_allowed(serve: Serve) -> None:
    asked = {"access-control-request-method": "POST"}
    async with serve(server_cors_allowed_origins="http://a, http://b") as alone, alone.client() as client:
        listed = await client.options("/books", headers={"origin": "http://b", **asked})
        assert listed.headers["access-control-allow-origin"] == "http://b"
        assert listed.headers["access-control-allow-credentials"] == "true"
        for method in ("GET", "OPTIONS"):
            stranger = await client.request(method, "/books", headers={"origin": "http://c"})
            assert "access-control-allow-origin" not in stranger.headers
            assert stranger.status_code == 200


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


async def test_openapi_tells_the_address_of_the_proxy(serve: Serve) -> None:
    async with serve(openapi_server_proxy_uri="https://api.example.com/v1") as alone:
        document = (await got(alone, "/")).json()
        assert (document["host"], document["basePath"], document["schemes"]) == (
            "api.example.com:443",
            "/v1",
            ["https"],
        )
