"""What a caller sends to auth, storage or realtime is a value or a name in SQL, never a part of a statement.

The data API's own places stand in tests/integration/rest/test_bad_input.py.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.integration.realtime.phoenix import phoenix
from tests.integration.storage.conftest import Storage
from tests.integration.storage.s3_client import call, s3_client
from tests.support.server import Minato

MAKE = "create table public.injected ()"
PAYLOADS = [
    f"'; {MAKE}; --",
    f'"; {MAKE}; --',
    f"'); {MAKE}; --",
    f"name; {MAKE}; --",
    f"$$; {MAKE}; --",
    f"\\'; {MAKE}; --",
    f"*/ ; {MAKE}; /*",
    "' or '1'='1",
    "' union select encrypted_password from auth.users --",
    "(select pg_sleep(600))",
    "name' || (select pg_sleep(600)) || '",
]
Asked = tuple[str, str, dict[str, Any]]


def of_storage(payload: str, bucket: str) -> list[Asked]:
    """Every text of a request that storage lists, finds or sorts by."""
    listed, listed_v2 = f"/storage/v1/object/list/{bucket}", f"/storage/v1/object/list-v2/{bucket}"
    bodies: list[tuple[str, str, dict[str, Any]]] = [
        *(("POST", listed, {"prefix": "", name: payload}) for name in ("prefix", "search", "offset", "limit")),
        ("POST", listed, {"prefix": "", "sortBy": {"column": payload, "order": "asc"}}),
        ("POST", listed, {"prefix": "", "sortBy": {"column": "name", "order": payload}}),
        *(("POST", listed_v2, {name: payload}) for name in ("prefix", "cursor")),
        ("POST", listed_v2, {"prefix": payload, "with_delimiter": True}),
        ("POST", listed_v2, {"sortBy": {"column": payload, "order": payload}}),
        ("POST", "/storage/v1/object/copy", {"bucketId": payload, "sourceKey": payload, "destinationKey": payload}),
        ("POST", "/storage/v1/object/move", {"bucketId": bucket, "sourceKey": payload, "destinationKey": payload}),
        ("POST", f"/storage/v1/object/sign/{bucket}", {"expiresIn": 60, "paths": [payload]}),
        ("DELETE", f"/storage/v1/object/{bucket}", {"prefixes": [payload]}),
        ("PUT", f"/storage/v1/bucket/{bucket}", {"allowed_mime_types": [payload]}),
    ]
    queries = ({"search": payload}, {"sortColumn": payload}, {"sortOrder": payload})
    return [
        *((method, path, {"json": body}) for method, path, body in bodies),
        *(("GET", "/storage/v1/bucket", {"params": query}) for query in queries),
    ]


def of_auth(payload: str) -> list[Asked]:
    """Every text of a request that auth finds or sorts by."""
    grants = {
        "password": {"email": payload, "password": payload},
        "refresh_token": {"refresh_token": payload},
        "pkce": {"auth_code": payload, "code_verifier": payload},
    }
    queries = [
        *(("/auth/v1/admin/users", {name: payload}) for name in ("filter", "sort", "page")),
        *(("/auth/v1/admin/audit", {"query": query}) for query in (f"author:{payload}", f"{payload}:x")),
    ]
    return [
        *(("POST", f"/auth/v1/token?grant_type={name}", {"json": body}) for name, body in grants.items()),
        *(("GET", path, {"params": query}) for path, query in queries),
        ("POST", "/auth/v1/verify", {"json": {"type": "signup", "token_hash": payload}}),
        ("POST", "/auth/v1/recover", {"json": {"email": payload}}),
    ]


async def require_untouched(minato: Minato) -> None:
    assert await minato.db.fetchval("select to_regclass('public.injected')") is None


@pytest.mark.parametrize("payload", PAYLOADS)
async def test_no_text_of_a_request_becomes_a_part_of_a_statement(minato: Minato, payload: str) -> None:
    bucket = await Storage(minato).bucket()
    headers = {"user-agent": payload, "x-client-info": payload, "x-forwarded-for": payload, "x-request-id": payload}
    async with minato.client(minato.service_role_key, **headers) as client:
        for method, path, arguments in (*of_storage(payload, bucket), *of_auth(payload)):
            answer = await client.request(method, path, **arguments)
            assert answer.status_code < 500, (path, arguments, answer.text)
            assert "syntax error" not in answer.text, (path, arguments, answer.text)
    await require_untouched(minato)


@pytest.mark.parametrize("payload", PAYLOADS)
async def test_no_parameter_of_an_s3_listing_becomes_one_either(storage: Storage, payload: str) -> None:
    s3, bucket = s3_client(storage), await storage.bucket()
    asked = {"Prefix": payload, "Delimiter": payload, "StartAfter": payload}
    assert "Contents" not in await call(s3.list_objects_v2, Bucket=bucket, **asked)
    marked = {"Prefix": payload, "KeyMarker": payload, "UploadIdMarker": payload}
    assert "Uploads" not in await call(s3.list_multipart_uploads, Bucket=bucket, **marked)
    await require_untouched(storage.minato)


@pytest.mark.parametrize("payload", PAYLOADS)
async def test_nothing_a_socket_asks_to_follow_becomes_one_either(minato: Minato, payload: str) -> None:
    known = {"event": "*", "schema": "public", "table": "reviews", "filter": "id=eq.1"}
    places = ("schema", "table", "filter", "select")
    entries = [{**known, name: payload} for name in places] + [
        {**known, "filter": filter_} for filter_ in (f"id=eq.{payload}", f"{payload}=eq.1", f"id={payload}.1")
    ]
    async with phoenix(minato, minato.service_role_key) as client:
        for number, entry in enumerate(entries):
            joined = await client.join(f"room {number}", {"postgres_changes": [entry]})
            assert "syntax error" not in str(joined.payload)
            if joined.payload["status"] == "ok":
                assert "syntax error" not in (await client.system(f"room {number}"))["message"]
        private = {"private": True, "broadcast": {"replay": {"since": payload, "limit": payload}}}
        assert "syntax error" not in str((await client.join(payload, private)).payload)
    await require_untouched(minato)


@pytest.fixture
def storage(minato: Minato) -> Storage:
    return Storage(minato)
