"""`/_dev/v1/requests/<id>/replay`: a recorded request is sent again, to the same backend and through its gateway."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from urllib.parse import quote

from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field

from minato.backend import Backend
from minato.dev.callers import BadCaller, Caller, signed, token_of
from minato.dev.journal import unknown
from minato.http.asgi import ASGIApp, Header
from minato.http.inner_request import Inner, answer_of
from minato.journal.record import Record, Recorded
from minato.json_text import JsonObject, encode

SECONDS: Final = 30.0
KEYS: Final = (b"apikey", b"authorization")
# What is of one connection or one request, and is said anew.
OF_ONE: Final = frozenset(
    {b"x-request-id", b"content-length", b"transfer-encoding", b"connection", b"keep-alive", b"expect", b"upgrade"}
)
UNSAID: Final = frozenset({"set-cookie", "content-length"})
# What stands for itself in a path.
PATH: Final = "/!$&'()*+,;=:@~"
OF_AUTH: Final = "Of what auth is sent nothing is kept that could be sent again: say the body"
NOT_WHOLE: Final = "The request had more of a body than is kept: it cannot be sent again, unless with another body"
IN_QUERY: Final = "The request brought its key in its address, where no other caller can be said"


class Wish(BaseModel, extra="forbid", populate_by_name=True):
    """As whom, else as who asked; with which JSON body, else with the one that was sent.

    >>> Wish.model_validate({"as": "anon"}).caller
    'anon'
    """

    caller: Caller | None = Field(None, alias="as")
    body: object = None


def add_replay(app: FastAPI, backend: Backend, whole: ASGIApp, people: ASGIApp) -> None:
    """The call; `whole` is what is asked again."""

    @app.post("/v1/requests/{asked}/replay")
    async def replay(asked: str, request: Request, wish: Wish | None = None) -> Response:
        event = backend.journal.request(asked)
        if event is None:
            return unknown(backend.journal, asked)
        again = Again(backend, event.recorded(), wish or Wish())
        if (message := again.refusal) is not None:
            return JSONResponse({"code": "not_replayed", "message": message}, 400)
        try:
            headers = await again.headers(people)
        except BadCaller as error:
            return JSONResponse(error.told, error.status)
        client = (request.client.host, request.client.port) if request.client is not None else None
        answer = await answer_of(whole, again.inner(headers, client), SECONDS)
        id_ = next((value.decode("latin-1") for name, value in answer.headers if name == b"x-request-id"), None)
        return JSONResponse(_told(event, backend.journal.request(id_) if id_ else None, answer.headers))


class Again:
    """One request, as it is to be sent."""

    def __init__(self, backend: Backend, recorded: Recorded, wish: Wish) -> None:
        self._backend = backend
        self._recorded = recorded
        self._wish = wish
        self._says_body = "body" in wish.model_fields_set

    @property
    def refusal(self) -> str | None:
        """Why it cannot be."""
        recorded = self._recorded
        if recorded.body is None and not self._says_body:
            return OF_AUTH if recorded.path.startswith("/auth/") else NOT_WHOLE
        if self._wish.caller is not None and "apikey=" in recorded.query:
            return IN_QUERY
        return None

    def inner(self, headers: Sequence[Header], client: tuple[str, int] | None) -> Inner:
        """It, from `client`."""
        recorded = self._recorded
        raw = quote(recorded.path, safe=PATH).encode()
        query = recorded.query.encode("latin-1")
        return Inner(recorded.method, recorded.path, raw, query, headers, self._body(), client)

    def _body(self) -> bytes:
        return encode(self._wish.body) if self._says_body else self._recorded.body or b""

    async def headers(self, people: ASGIApp) -> list[Header]:
        """What came, with the caller who is wanted. Raises BadCaller."""
        kept = [(name, value) for name, value in self._recorded.headers if name not in OF_ONE]
        if self._says_body:
            kept = [pair for pair in kept if pair[0] != b"content-type"]
            kept.append((b"content-type", b"application/json"))
        if body := self._body():
            kept.append((b"content-length", str(len(body)).encode()))
        token = await self._token(people)
        if token is None:
            return kept
        others = [pair for pair in kept if pair[0] not in KEYS]
        # The service's key opens what no other does, so it is both; of everybody else the key is anon's.
        is_service = self._wish.caller == "service_role"
        key = token if is_service else self._backend.api_keys.anon
        return [*others, (b"apikey", key.encode()), (b"authorization", b"Bearer " + token.encode())]

    async def _token(self, people: ASGIApp) -> str | None:
        """Of the caller who is wanted; None where what came still says who asks."""
        if self._wish.caller is not None:
            return await token_of(self._wish.caller, self._backend, people)
        recorded = self._recorded
        if recorded.role is None or not self._is_over(recorded.claims.get("exp")):
            return None
        times = {"iat", "exp", "nbf"}
        return signed(self._backend, {name: said for name, said in recorded.claims.items() if name not in times})

    def _is_over(self, expires: object) -> bool:
        return isinstance(expires, (int, float)) and expires <= self._backend.clock.timestamp()


def _told(before: Record, after: Record | None, headers: Sequence[Header]) -> JsonObject:
    """The answer as the journal tells it, which leaves secrets out, and both requests."""
    data = after.data(True) if after is not None else {}
    return {
        "id": after.id if after is not None else None,
        "of": {"id": before.id, "title": before.title},
        "status": data.get("status"),
        "ms": round(after.ms, 3) if after is not None and after.ms is not None else None,
        "caller": data.get("caller"),
        "headers": {
            name.decode("latin-1"): value.decode("latin-1")
            for name, value in headers
            if name.decode("latin-1") not in UNSAID
        },
        "body": data.get("response"),
    }
