"""`/_dev/v1/why` and `/_dev/v1/requests/<id>/why`: what keeps somebody from rows, imagined or asked for before."""

from __future__ import annotations

import re
from typing import Any, Final, Literal
from urllib.parse import quote

import orjson
from fastapi import FastAPI, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field

from minato.backend import Backend, UnsentRequest, Whys
from minato.dev.journal import unknown
from minato.journal.record import Record, Recorded
from minato.json_text import JsonObject, encode
from minato.tokens.caller import Caller

DATA_API: Final = "/rest/v1"
# What is done to one object, by its place; the others are of a whole bucket, or need no policy.
_OBJECT: Final = re.compile(
    r"/storage/v1/object/(?P<how>authenticated/|info/authenticated/|info/|upload/sign/|sign/)?"
    r"(?!(?:public|list|list-v2|info/public)/)(?P<place>[^/]+/.+)",
    re.S,
)
NOT_RECORDED: Final = "Only requests to the data API, and those to one object of storage, can be explained"
NOT_WHOLE: Final = "The request had more of a body than is kept: nothing is known of the rest"
OF_ANOTHER: Final = "Only tokens of this server are taken here; a request that was answered can be explained by its id"
NOBODY: Final = "The request was refused before anybody knew who asks: the database was not asked"


class Imagined(BaseModel, extra="forbid"):
    """A request that is not sent: to the data API by its `path` below `/rest/v1`, to storage by `/<bucket>/<key>`, to a
    private channel by `/<topic>`. `token` says who asks, anon without one; `profile` names a schema.

    >>> Imagined(path="/offers?id=eq.1").method
    'GET'
    """

    room: Literal["rest", "storage", "realtime"] = "rest"
    method: Literal["GET", "HEAD", "POST", "PATCH", "PUT", "DELETE"] = "GET"
    path: str = Field(pattern="^/[^?]+(\\?.*)?$")
    body: Any = None
    token: str | None = None
    profile: str | None = None


class NotExplained(Exception):
    """Why nothing can be said of a recorded request."""


def add_why(app: FastAPI, backend: Backend, whys: Whys) -> None:
    """The calls."""

    @app.post("/v1/why")
    async def imagined(asked: Imagined) -> Response:
        body = encode(asked.body) if asked.body is not None else b""
        if asked.token is not None and backend.third_party.issuer_of(asked.token) is not None:
            return JSONResponse({"code": "not_explained", "message": OF_ANOTHER}, 401)
        # Nobody is told by the data API by having no token, by others by the key of nobody.
        token = asked.token if asked.token is not None or asked.room == "rest" else backend.api_keys.anon
        status, answer = await whys[asked.room](UnsentRequest(asked.method, asked.path, body, token, asked.profile))
        return Response(answer, status, media_type="application/json")

    @app.get("/v1/requests/{asked}/why")
    async def recorded(asked: str) -> Response:
        event = backend.journal.request(asked)
        return unknown(backend.journal, asked) if event is None else await _of_event(event, whys)


async def _of_event(event: Record, whys: Whys) -> Response:
    """The explanation, of the rows as they are now; what the answer said then, where nothing more can be found."""
    try:
        status, told = await _explained(event, whys)
    except NotExplained as error:
        status, told = 400, {"code": "not_explained", "message": str(error)}
    if status != 200 and (said := _said_then(event)) is not None:
        status, told = 200, said
    return JSONResponse({**told, "request": {"id": event.id, "title": event.title}}, status)


async def _explained(event: Record, whys: Whys) -> tuple[int, JsonObject]:
    """Raises NotExplained."""
    room, asked = again(event.recorded())
    status, answer = await whys[room](asked)
    return status, orjson.loads(answer)


def again(recorded: Recorded) -> tuple[str, UnsentRequest]:
    """The room that explains a recorded request, and what it is asked. Raises NotExplained."""
    is_data, place = recorded.path.startswith(f"{DATA_API}/"), _OBJECT.fullmatch(recorded.path)
    if not is_data and place is None:
        raise NotExplained(NOT_RECORDED)
    if recorded.role is None:
        raise NotExplained(NOBODY)
    if recorded.body is None and is_data:
        raise NotExplained(NOT_WHOLE)
    caller = Caller(recorded.role, recorded.claims)
    if place is not None:
        return "storage", UnsentRequest(_act(recorded, place["how"]), f"/{place['place']}", b"", caller=caller)
    target = f"{quote(recorded.path.removeprefix(DATA_API))}?{recorded.query}"
    asked = UnsentRequest(recorded.method, target, recorded.body or b"", caller=caller, headers=recorded.headers)
    return "rest", asked


def _act(recorded: Recorded, how: str | None) -> str:
    """Whoever signs an address reads; whoever uploads over what is there replaces it."""
    if how == "sign/":
        return "GET"
    is_upsert = recorded.method == "POST" and recorded.header(b"x-upsert").lower() == "true"
    return "PUT" if is_upsert else recorded.method


def _said_then(event: Record) -> JsonObject | None:
    """The hint of a refusal, in the shape of an explanation."""
    data = event.data(False)
    if data.get("code") != "42501" or not data.get("hint"):
        return None
    return {
        **{"sentence": data["hint"], "allowed": False, "command": None, "table": None},
        "caller": {"role": (data.get("caller") or {}).get("role")},
        "privileges": {"ok": True, "missing": []},
        "rows": {"matching": 0, "visible": 0, "sampled": 0},
        "steps": [],
        "notes": ["As the answer said then."],
    }
