"""One room asks another within the process, as somebody without a key would: there is nobody whose rights it has."""

from __future__ import annotations

from collections.abc import Mapping

import orjson

from minato.http.asgi import JSON, ASGIApp, Message, Scope


async def status_of(app: ASGIApp, path: str, body: Mapping[str, str]) -> int:
    """POST `body` as JSON to `path` of a room; the status of its answer."""
    sent = orjson.dumps(body)
    statuses: list[int] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": sent, "more_body": False}

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            statuses.append(message["status"])

    await app(_request(path, len(sent)), receive, send)
    return statuses[0]


def _request(path: str, length: int) -> Scope:
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": b"",
        "headers": [JSON, (b"content-length", str(length).encode())],
        "client": None,
        "server": None,
        "state": {},
    }
