"""Bytes that are no text: in paths, queries, headers and keys, on every service."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from urllib.parse import quote_from_bytes

import pytest
from minato.http.protocols import LONGEST_HEAD

from tests.integration.robustness.wire import ask, connection, request
from tests.support.server import Minato
from tests.support.waiting import PATIENCE

PATHS = [
    b"/rest/v1/cars",
    b"/rest/v1/rpc/public_config",
    b"/auth/v1/user",
    b"/auth/v1/verify",
    b"/auth/v1/admin/users",
    b"/storage/v1/bucket",
    b"/storage/v1/object/public/photos/x",
    b"/storage/v1/object/photos/x",
    b"/realtime/v1/api/ping",
    b"/",
]
NONSENSE = [
    b"\xff\xfe",
    b"\xc3\x28",
    b"\x00",
    b"\xed\xa0\x80",
    b"\xf0\x9f\x92\xa9",
    b"'\";--",
    b"..",
    b"%",
    b"\r\n",
    b"a" * 3000,
]


def key(minato: Minato) -> tuple[bytes, bytes]:
    return b"apikey", minato.service_role_key.encode()


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("nonsense", NONSENSE, ids=lambda value: repr(value[:8]))
async def test_escaped_nonsense_in_a_path_or_a_query_is_answered(minato: Minato, path: bytes, nonsense: bytes) -> None:
    escaped = quote_from_bytes(nonsense, safe="").encode()
    for target in (path + b"/" + escaped, path + escaped, path + b"?" + escaped, path + b"?a=" + escaped):
        answer = await ask(minato, request(b"GET", target, [key(minato)]))
        assert answer.status < 500, (target, answer)


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("raw", [b"\xff", "é".encode(), b"\x7f", b"%zz", b"\\", b"|"], ids=repr)
async def test_bytes_that_should_have_been_escaped_are_answered(minato: Minato, path: bytes, raw: bytes) -> None:
    for target in (path + b"/" + raw, path + b"?x=" + raw):
        answer = await ask(minato, request(b"GET", target, [key(minato)]))
        assert answer.status < 500, (target, answer)


@pytest.mark.parametrize(
    "name",
    [
        b"prefer", b"range", b"accept", b"accept-profile", b"content-type", b"cookie", b"x-upsert", b"x-metadata",
        b"x-supabase-api-version", b"x-request-id", b"origin", b"referer", b"user-agent", b"redirect_to",
        b"if-modified-since", b"x-client-info", b"x-jwt-aud", b"x-forwarded-for", b"cache-control", b"tus-resumable",
        b"upload-length", b"upload-metadata", b"content-length",
    ],
    ids=repr,
)  # fmt: skip
async def test_a_header_of_any_bytes_is_answered(minato: Minato, name: bytes) -> None:
    for value in (b"\xff\xfe", b"", b"\xc3\xa9", b"'; drop table x; --", b"a" * 8000, b',;="', b"9" * 30, b"-1"):
        if name == b"content-length" and value not in (b"-1", b"9" * 30, b"\xff\xfe"):
            continue
        for method, path in ((b"GET", PATHS[0]), (b"POST", PATHS[1]), (b"GET", PATHS[4]), (b"GET", PATHS[5])):
            answer = await ask(minato, request(method, path, [key(minato), (name, value)]))
            assert answer.status < 500, (path, name, value, answer)


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("value", [b"%E2%82%AC", b"%ff", b"\xff", b"%00", b"", b"sb_secret_%E2%82%AC"], ids=repr)
async def test_a_key_of_any_bytes_is_refused(minato: Minato, path: bytes, value: bytes) -> None:
    in_query = await ask(minato, request(b"GET", path + b"?apikey=" + value, []))
    in_header = await ask(minato, request(b"GET", path, [(b"apikey", value)]))
    in_both = await ask(minato, request(b"GET", path, [(b"apikey", value), (b"authorization", b"Bearer " + value)]))
    assert max(in_query.status, in_header.status, in_both.status) < 500, (in_query, in_header, in_both)


async def test_a_key_in_the_query_leaves_the_rest_of_the_query_as_it_was(minato: Minato) -> None:
    target = b"/rest/v1/no_such_table?apikey=" + minato.anon_key.encode() + b"&x=eq.%2B+1%26"
    answer = await ask(minato, request(b"GET", target, []))
    assert json.loads(answer.body)["code"] == "PGRST205"


@pytest.mark.parametrize("method", [b"TRACE", b"CONNECT", b"PROPFIND", b"FOO", b"HEAD", b"OPTIONS", b"PUT", b"DELETE"])
async def test_a_method_that_nobody_knows_is_refused(minato: Minato, method: bytes) -> None:
    for path in PATHS:
        if path.startswith(b"/storage/v1/") and method in (b"PUT", b"DELETE"):
            continue
        answer = await ask(minato, request(method, path, [key(minato)]))
        assert answer.status < 500 or answer.status == 501, (path, answer)


@pytest.mark.parametrize(
    "content",
    [
        b"GET\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"GET / HTTP/9.9\r\n\r\n",
        b"POST /rest/v1/x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"POST /rest/v1/x HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
        b"POST /rest/v1/x HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ],
    ids=lambda content: repr(content[:16]),
)
async def test_what_is_no_http_is_400(minato: Minato, content: bytes) -> None:
    assert (await ask(minato, content)).status == 400


@pytest.mark.parametrize("repeated", [b"a", b"\r\nx: 1"], ids=["one header", "many headers"])
async def test_a_head_without_end_is_refused_before_it_is_whole(minato: Minato, repeated: bytes) -> None:
    begun = b"GET /healthz HTTP/1.1\r\nHost: a\r\nX: 1"
    answer = await ask(minato, begun + repeated * (LONGEST_HEAD // len(repeated) + 1))
    assert answer.status == 431


async def test_a_head_as_long_as_cookies_make_it_comes_in(minato: Minato) -> None:
    long = [(b"cookie", b"a" * 100_000), key(minato)]
    assert (await ask(minato, request(b"GET", b"/auth/v1/health", long))).status == 200


POST = b"POST /auth/v1/signup HTTP/1.1\r\nHost: a\r\n"
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n\r\n"
LAST_CHUNK = b"2\r\n{}\r\n0\r\n"
SMUGGLED = b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"


@pytest.mark.parametrize(
    "content",
    [
        *(POST + b"Transfer-Encoding" + coding + b"\r\n\r\n0\r\n\r\n" for coding in (
            b": xchunked", b" : chunked", b": \x0bchunked", b": identity", b": chunked, identity", b': "chunked"',
            b":\r\n chunked", b": chunked\r\nTransfer-Encoding: identity", b": chunked\r\nContent-Length: 5",
        )),
        *(POST + b"Content-Length:" + length + b"\r\n\r\nhello" for length in (
            b" 5\r\nContent-Length: 5", b" 5, 5", b" +5", b" -5", b" 0x5", b" 5 5", b"", b" 99999999999999999999",
            b" 5\r\nTransfer-Encoding:\r\n chunked",
        )),
        *(CHUNKED + chunks + b"0\r\n\r\n" for chunks in (
            b"-1\r\nok\r\n", b"0x2\r\nok\r\n", b"f" * 18 + b"\r\nok\r\n", b"2\nok\n", b"2\r\nokXX", b"2;\nxx\r\nok\r\n",
        )),
        b"GET /healthz HTTP/1.1\nHost: a\n\n",
        b"GET /healthz HTTP/1.1\r\nHost: a\nX: b\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nHost: a\rX: b\r\n\r\n",
        b"GET /healthz HTTP/1.1\rHost: a\r\r",
        b"GET /healthz HTTP/1.1\r\n Host: a\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n",
        b"POST /auth/v1/signup HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ],
    ids=repr,
)  # fmt: skip
async def test_a_request_whose_end_is_doubtful_hides_no_second_one(minato: Minato, content: bytes) -> None:
    answer = await ask(minato, content + SMUGGLED)
    assert (answer.status, b"HTTP/1.1" in answer.body) == (400, False), answer


async def test_what_stands_behind_a_body_is_no_header(minato: Minato) -> None:
    closing = CHUNKED.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n") + LAST_CHUNK
    without, behind = await ask(minato, closing + b"\r\n"), await ask(minato, closing + b"Host: b\r\n\r\n")
    assert (behind.status, behind.body) == (without.status, without.body)


async def test_what_stands_behind_a_body_has_an_end(minato: Minato) -> None:
    async with connection(minato) as (reader, writer), asyncio.timeout(PATIENCE):
        writer.write(CHUNKED + LAST_CHUNK + b"x: " + b"a" * (2 * LONGEST_HEAD))
        # The server leaves the rest unread, which its system may say in this way.
        with suppress(ConnectionResetError):
            assert await reader.read(-1) == b""
