"""An outage of the database is told once when it begins and once when it ends, however many requests meet it."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

import httpx
from minato.postgres.layout import Layout

from tests.support.processes import wait_until
from tests.support.starts import started
from tests.support.waiting import PATIENCE

TABLE = "/rest/v1/profiles?select=user_id&limit=1"


def test_an_outage_is_one_line_and_its_end_another(data_dir: Path) -> None:
    with started(data_dir, "--json", "--no-seed") as server:
        server.wait_for(lambda: "\n" in server.out, "the server is ready")
        info = json.loads(server.out)
        with httpx.Client(
            base_url=info["url"], headers={"apikey": info["service_role_key"]}, timeout=PATIENCE
        ) as client:
            assert client.get(TABLE).status_code == 200
            crash(data_dir)
            refused = [client.get(TABLE).status_code for _ in range(20)]
            wait_until(lambda: client.get(TABLE).status_code == 200, "answers from the new PostgreSQL")
        assert set(refused) <= {200, 503}
        server.wait_for(lambda: "answers again" in server.err, "the end of the outage is told")
        assert server.end(signal.SIGINT) == 0
    events = [json.loads(line) for line in server.err.splitlines()]
    assert [event["event"] for event in events if "the database" in event["event"]] == [
        "the database does not answer",
        "the database answers again",
    ]
    assert not [event for event in events if "exception" in event or event.get("logger") == "asyncpg"]


def crash(folder: Path) -> None:
    """As the kernel ends a process that took too much memory."""
    os.kill(int(Layout(folder).pid_file.read_text().split()[0]), signal.SIGKILL)
