"""What pg_net's functions queue is sent as they say, and what comes back stands in net._http_response."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import asyncpg
import pytest

from tests.support.loopback import Loopback, Told, loopback
from tests.support.net import Net

EMPTYING = Path(__file__).parents[4] / "migrations/platform/20261128_0139_emptying_what_pg_net_keeps.sql"
NOBODY = "http://127.0.0.1:9/"


async def test_a_post_carries_its_body_its_headers_and_its_parameters(net: Net, there: Loopback) -> None:
    there.answer = lambda _: Told(201, {"made": True}, headers={"X-Seen": "yes"})
    answer = await net.ask(
        'select net.http_post($1, \'{"name": "Föhr"}\', \'{"a": "b c&d", "e": 1}\', \'{"Authorization": "Bearer x"}\')',
        f"{there.url}/hook?first=1",
    )
    (asked,) = there.asked
    assert (asked.method, asked.path) == ("POST", "/hook?first=1&a=b%20c%26d&e=1")
    assert asked.json == {"name": "Föhr"}
    assert asked.headers["content-type"] == "application/json"
    assert (asked.headers["authorization"], asked.headers["user-agent"]) == ("Bearer x", "pg_net/0.20.4")
    assert (answer["status_code"], answer["content_type"]) == (201, "application/json")
    assert (answer["content"], answer["timed_out"], answer["error_msg"]) == ('{"made": true}', False, None)
    assert json.loads(answer["headers"])["X-Seen"] == "yes"
    assert answer["created"] == net.clock.now()


@pytest.mark.parametrize(
    ("call", "sent"),
    [
        ("net.http_get($1)", ("GET", "/", b"")),
        ("net.http_get($1 || '/x', '{\"q\": \"ä\"}')", ("GET", "/x?q=%C3%A4", b"")),
        ("net.http_delete($1)", ("DELETE", "/", b"")),
        ("net.http_delete($1, body := '{\"id\": 1}')", ("DELETE", "/", b'{"id": 1}')),
        ("net.http_post($1, null)", ("POST", "/", b"")),
    ],
)
async def test_each_method_is_sent(net: Net, there: Loopback, call: str, sent: tuple[str, str, bytes]) -> None:
    await net.ask(f"select {call}", there.url)
    (asked,) = there.asked
    assert (asked.method, asked.path, asked.body) == sent


async def test_an_empty_body_is_null_and_bytes_that_are_no_text_are_kept_out(net: Net, there: Loopback) -> None:
    there.answer = lambda _: Told(204, b"", content_type=None)
    answer = await net.ask("select net.http_get($1)", there.url)
    assert (answer["content"], answer["content_type"]) == (None, None)
    there.answer = lambda _: Told(200, b"ok\0rest")
    assert (await net.ask("select net.http_get($1)", there.url))["content"] == "ok"
    there.answer = lambda _: Told(200, b"\xff!")
    assert (await net.ask("select net.http_get($1)", there.url))["content"] == "\ufffd!"


async def test_what_nobody_answers_in_time_timed_out_in_the_words_of_pg_net(net: Net, there: Loopback) -> None:
    there.answer = lambda _: Told(0)
    answer = await net.ask("select net.http_get($1, timeout_milliseconds := 40)", there.url)
    assert (answer["timed_out"], answer["status_code"], answer["content"]) == (True, None, None)
    number = r"[0-9]+\.[0-9]{6} ms"
    assert re.fullmatch(
        rf"Timeout of 40 ms reached. Total time: {number} \(DNS time: {number}, TCP/SSL handshake time: {number}, "
        rf"HTTP Request/Response time: {number}\)",
        answer["error_msg"],
    )


@pytest.mark.parametrize(
    ("url", "message"),
    [(NOBODY, "Could not connect to server"), ("http://nowhere.invalid/", "Could not resolve hostname")],
)
async def test_what_has_no_answer_has_curls_words(net: Net, url: str, message: str) -> None:
    answer = await net.ask("select net.http_get($1)", url)
    assert (answer["error_msg"], answer["timed_out"], answer["status_code"]) == (message, False, None)


async def test_a_header_that_cannot_be_written_is_an_answer_without_the_header(net: Net, there: Loopback) -> None:
    answer = await net.ask(
        "select net.http_get($1, headers := jsonb_build_object('X', E'secret\\r\\nY: z'))", there.url
    )
    assert there.asked == []
    assert "secret" not in answer["error_msg"]


@pytest.mark.parametrize("headers", ["null", "'[1]'", "'{\"A\": null}'", '\'{"Host": "else.example"}\''])
async def test_odd_headers_do_no_harm(net: Net, there: Loopback, headers: str) -> None:
    answer = await net.ask(f"select net.http_get($1, headers := {headers})", there.url)
    assert answer["status_code"] == 200
    assert there.asked[0].headers["host"] == there.url.removeprefix("http://")


@pytest.mark.parametrize("url", ["http://[::1/", "http://x:99999/", "http://\u00ad.example/", "gopher://x/", ""])
async def test_what_was_written_into_the_queue_by_hand_stops_nobody(net: Net, there: Loopback, url: str) -> None:
    await net.owner.execute(
        "insert into net.http_request_queue (method, url, timeout_milliseconds) values ('get', $1, 0)", url
    )
    assert (await net.ask("select net.http_get($1)", there.url))["status_code"] == 200
    assert await net.owner.fetchval("select count(*) from net._http_response where error_msg is not null") == 1


async def test_a_redirect_is_followed_and_keeps_secrets_at_home(net: Net, there: Loopback) -> None:
    async with loopback() as elsewhere:
        there.answer = lambda asked: Told(302, headers={"location": "/b" if asked.path == "/a" else elsewhere.url})
        answer = await net.ask(
            "select net.http_post($1, '{}', headers := '{\"Authorization\": \"x\"}')", f"{there.url}/a"
        )
        assert answer["status_code"] == 200
        assert [(asked.method, asked.path) for asked in there.asked] == [("POST", "/a"), ("GET", "/b")]
        assert there.asked[1].headers["authorization"] == "x"
        assert "authorization" not in elsewhere.asked[0].headers
    there.answer = lambda _: Told(307, headers={"location": "/again"})
    assert (await net.ask("select net.http_get($1)", there.url))["error_msg"] == (
        "Number of redirects hit maximum amount"
    )
    there.answer = lambda _: Told(302, headers={"location": "file:///etc/passwd"})
    assert (await net.ask("select net.http_get($1)", there.url))["error_msg"] == "Unsupported protocol"


async def test_an_answer_that_is_too_large_is_none(net: Net, there: Loopback) -> None:
    there.answer = lambda _: Told(200, b"x" * (5 * 1024 * 1024 + 1))
    answer = await net.ask("select net.http_get($1)", there.url)
    assert answer["error_msg"] == "the reply has more than 5242880 bytes"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("net.http_get('/malformed_url')", 'invalid URL "/malformed_url"'),
        ("net.http_get('localhost:6666')", "Unsupported URL scheme"),
        ("net.http_get('ftp://x.example/')", "Unsupported URL scheme"),
        ("net.http_get(null)", 'null value in column "url"'),
        ("net.http_post(null, '{}')", 'null value in column "url"'),
        (
            "net.http_post('http://x.example', headers := '{\"content-type\": \"text/plain\"}')",
            'Content-Type header must be "application/json"',
        ),
    ],
)
async def test_what_is_no_request_is_refused_at_once(net: Net, call: str, message: str) -> None:
    with pytest.raises(asyncpg.PostgresError) as refused:
        await net.owner.fetchval(f"select {call}")
    assert message in str(refused.value)


async def test_an_answer_is_collected(net: Net, there: Loopback) -> None:
    answer = await net.ask("select net.http_get($1)", there.url)
    row = await net.owner.fetchrow("select * from net.http_collect_response($1)", answer["id"])
    assert (row["status"], row["message"], row["response"]["body"]) == ("SUCCESS", "ok", "{}")
    row = await net.owner.fetchrow("select * from net._http_collect_response(4711)")
    assert (row["status"], row["message"]) == ("ERROR", "request matching request_id not found")
    failed = await net.ask("select net.http_get($1)", NOBODY)
    row = await net.owner.fetchrow("select * from net._http_collect_response($1, false)", failed["id"])
    assert (row["status"], row["message"]) == ("ERROR", "Could not connect to server")


async def test_helpers_encode_as_curl_does(net: Net) -> None:
    assert await net.owner.fetchval("select net._urlencode_string('a b-._~ü/%')") == "a%20b-._~%C3%BC%2F%25"
    assert await net.owner.fetchval("select net._urlencode_string('')") == ""
    assert await net.owner.fetchval("select net._urlencode_string(null)") is None
    assert await net.owner.fetchval("select net._encode_url_with_params_array(null, null)") is None
    encoded = "select net._encode_url_with_params_array($1, '{a=1}')"
    assert await net.owner.fetchval(encoded, "HTTP://x.example#f") == "http://x.example/?a=1#f"


@pytest.mark.parametrize("role", ["anon", "authenticated", "service_role"])
async def test_the_apis_roles_may_ask_as_with_pg_net(net: Net, there: Loopback, role: str) -> None:
    await net.owner.execute(f"set role {role}")
    answer = await net.ask("select net.http_get($1)", there.url)
    assert answer["status_code"] == 200


@pytest.mark.parametrize("table", ["http_request_queue", "_http_response", "_taken"])
async def test_nobody_hangs_a_trigger_on_what_the_server_writes(net: Net, table: str) -> None:
    await net.owner.execute(
        "create function public.climb() returns trigger language plpgsql as $$ begin return new; end $$"
    )
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await net.owner.execute(
            f"create trigger climb before insert on net.{table} for each row execute function public.climb()"
        )


@pytest.mark.parametrize("table", ["http_request_queue", "_http_response"])
async def test_what_is_queued_and_what_came_back_may_be_emptied_at_once(net: Net, table: str) -> None:
    await net.owner.execute("select net.http_get($1)", NOBODY)
    await net.owner.execute("insert into net._http_response (id) values (1)")
    await net.owner.execute(f"truncate net.{table}")
    assert await net.owner.fetchval(f"select count(*) from net.{table}") == 0


async def test_what_an_older_release_created_may_be_emptied_too_once_it_is_migrated(net: Net) -> None:
    await net.admin.execute("revoke truncate on all tables in schema net from public")
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await net.owner.execute("truncate net._http_response")
    await net.admin.execute(EMPTYING.read_text())
    await net.owner.execute("truncate net.http_request_queue, net._http_response")


class Noting:
    """A finder of modules that finds none and notes what is looked for."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        self.names.append(name)


async def test_a_request_after_the_first_looks_for_no_module(
    net: Net, there: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    await net.ask("select net.http_get($1)", there.url)
    noting = Noting()
    monkeypatch.setattr(sys, "meta_path", [noting, *sys.meta_path])
    await net.ask("select net.http_get($1)", there.url)
    assert noting.names == []
