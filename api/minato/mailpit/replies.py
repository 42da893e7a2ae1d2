"""Answers as Mailpit gives them: JSON, `ok`, and errors that are a line of plain text."""

from __future__ import annotations

import orjson
from starlette.requests import Request
from starlette.responses import Response

MAX_BODY = 5 * 1024 * 1024
MAX_MESSAGE = 50 * 1024 * 1024
NOT_FOUND = "404 page not found"


class Refused(Exception):
    """An answer instead of the one asked for."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.response = Response(text, status_code=status, media_type="text/plain")


def reply(content: object) -> Response:
    """200 with JSON, a line of its own as Go's encoder writes it."""
    return Response(orjson.dumps(content) + b"\n", media_type="application/json")


def done() -> Response:
    """What was asked for is done."""
    return Response("ok", media_type="text/plain")


async def read_json(request: Request, limit: int = MAX_BODY) -> dict[str, object]:
    """The body's object, its names in lower case: Go reads `ids` as `IDs`. Raises `Refused`, with 400 for what is no
    object and 413 for one that is too long.
    """
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > limit:
            raise Refused(413, "http: request body too large")
    if not body.strip():
        raise Refused(400, "EOF")
    try:
        found = orjson.loads(body)
    except ValueError as error:
        raise Refused(400, f"invalid JSON: {error}") from None
    if not isinstance(found, dict):
        raise Refused(400, "json: cannot unmarshal the body into an object")
    return {str(name).lower(): value for name, value in found.items()}


def texts(given: dict[str, object], name: str) -> list[str]:
    """A list of texts, empty when it is absent. Raises `Refused` for anything else."""
    found = given.get(name.lower())
    if found is None:
        return []
    if not isinstance(found, list) or not all(isinstance(value, str) for value in found):
        raise Refused(400, f"json: cannot unmarshal into field .{name} of type []string")
    return found


def text(given: dict[str, object], name: str) -> str:
    """A text, empty when it is absent. Raises `Refused` for anything else."""
    found = given.get(name.lower())
    if found is not None and not isinstance(found, str):
        raise Refused(400, f"json: cannot unmarshal into field .{name} of type string")
    return found or ""


def flag(given: dict[str, object], name: str) -> bool:
    """A truth value, false when it is absent. Raises `Refused` for anything else."""
    found = given.get(name.lower())
    if found is not None and not isinstance(found, bool):
        raise Refused(400, f"json: cannot unmarshal into field .{name} of type bool")
    return bool(found)
