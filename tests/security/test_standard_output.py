"""Standard output is one line; the log is on standard error, and a reader who does not read it holds up nothing."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event

import httpx
import psycopg2
from minato.log import create_log
from minato.log_lines import CAPACITY, LogLines

from tests.support.command import ELSEWHERE, environment
from tests.support.starts import started
from tests.support.waiting import PATIENCE

# More than the pipes hold: each failure is logged with a traceback of some kilobytes.
FAILURES = 120


@contextmanager
def unread(data_dir: Path) -> Iterator[tuple[subprocess.Popen[str], dict[str, str]]]:
    """`serve --json`, of whose outputs the first line alone was read."""
    arguments = ["serve", "--port", "0", "--json", "--no-seed", "--data-dir", str(data_dir)]
    pipe = subprocess.PIPE
    command = [sys.executable, "-m", "minato", *arguments]
    with subprocess.Popen(command, cwd=ELSEWHERE, env=environment(), stdout=pipe, stderr=pipe, text=True) as process:
        assert process.stdout is not None
        try:
            yield process, json.loads(process.stdout.readline())
        finally:
            process.kill()


def break_refreshing(db_url: str) -> None:
    connection = psycopg2.connect(db_url)
    with connection, connection.cursor() as cursor:
        cursor.execute("alter table auth.refresh_tokens rename column token to lost")
    connection.close()


def fail(info: dict[str, str], times: int) -> None:
    """Requests that are answered 500, with a traceback in the log."""
    url = f"{info['url']}/auth/v1/token?grant_type=refresh_token"
    with httpx.Client(headers={"apikey": info["anon_key"]}, timeout=PATIENCE) as client:
        for _ in range(times):
            assert client.post(url, json={"refresh_token": "abcdefghijkl"}).status_code == 500


def test_a_server_whose_output_nobody_reads_goes_on_and_writes_one_line_to_standard_output(data_dir: Path) -> None:
    with unread(data_dir) as (process, info):
        break_refreshing(info["db_url"])
        fail(info, FAILURES)
        assert httpx.get(f"{info['url']}/healthz", timeout=PATIENCE).text == "ok"
        process.send_signal(signal.SIGINT)
        rest, log = process.communicate(timeout=60)
    assert rest == ""
    events = [json.loads(line) for line in log.splitlines()]
    assert any("Traceback" in event.get("exception", "") for event in events)
    assert "\x1b" not in log


def test_every_line_about_a_request_carries_its_id(data_dir: Path) -> None:
    with started(data_dir, "--json", "--no-seed") as server:
        server.wait_for(lambda: "\n" in server.out, "the server is ready")
        info = json.loads(server.out)
        break_refreshing(info["db_url"])
        answer = httpx.post(
            f"{info['url']}/auth/v1/token?grant_type=refresh_token",
            json={"refresh_token": "abcdefghijkl"},
            headers={"apikey": info["anon_key"], "x-request-id": "a-request"},
        )
        assert server.end(signal.SIGINT) == 0
    assert answer.headers["x-request-id"] == "a-request"
    events = [json.loads(line) for line in server.err.splitlines()]
    assert {event["event"] for event in events if event.get("request_id") == "a-request"} == {
        "auth request failed",
        "request failed",
    }


def test_a_file_gets_no_colours_though_a_person_does(data_dir: Path) -> None:
    written: dict[bool, bytes] = {}
    for as_json in (True, False):
        parts: list[bytes] = []
        lines = LogLines(parts.append)
        create_log(lines, as_json).error("something", reason="a\nb")
        lines.flush(5)
        written[as_json] = b"".join(parts)
    assert re.search(rb"\x1b\[", written[False])
    assert b"\x1b" not in written[True]
    assert json.loads(written[True])["reason"] == "a\nb"


def test_lines_that_find_no_room_are_dropped_and_counted() -> None:
    written: list[bytes] = []
    read = Event()

    def write(content: bytes) -> None:
        read.wait(30)
        written.append(content)

    lines = LogLines(write)
    log = create_log(lines, as_json=True)
    for number in range(3 * CAPACITY):
        log.error("line", number=number)
    read.set()
    lines.flush(30)
    events = [json.loads(line) for line in b"".join(written).splitlines()]
    (dropped,) = [event["count"] for event in events if "dropped" in event["event"]]
    assert len(events) - 1 + dropped == 3 * CAPACITY
    assert dropped >= CAPACITY
