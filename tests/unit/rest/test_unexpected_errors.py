"""The net below the data API: what nobody foresaw is a plain 500 that tells nothing of the inside."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from minato.database.address import DatabaseAddress
from minato.host.host import Host
from minato.http.asgi import Message, Scope
from minato.rest.app import create_rest

from tests.support.server import JWT_SECRET, settings_for

NOWHERE = DatabaseAddress("postgresql:///nowhere", "postgresql:///nowhere")


@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_what_nobody_foresaw_is_a_plain_500(tmp_path: Path, method: str) -> None:
    backend = Host(1).create(settings_for(tmp_path), NOWHERE, "http://localhost", JWT_SECRET).backend
    # as no server of ours makes it: a header without a value
    headers = [(b"authorization", None)]
    scope: Scope = {"type": "http", "method": method, "raw_path": b"/", "query_string": b"", "headers": headers}
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b"secret", "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    await create_rest(backend).app(scope, receive, send)
    assert sent[0]["status"] == 500
    assert json.loads(sent[1]["body"]) == {
        "code": "PGRSTX00",
        "message": "Internal server error",
        "details": None,
        "hint": None,
    }
