"""Requests that go wrong: between the gateway and a room."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from http import HTTPStatus
from typing import Final

import orjson
from jose import JWTError, jwt

from minato.at_work import UnderWay
from minato.faults.database import asked_by
from minato.faults.fault import Fault, Faults
from minato.faults.sockets import FaultySockets
from minato.http.asgi import JSON, ASGIApp, Message, Receive, Scope, Send, abort_connection, header_map, send_response

# What the reference's own parts say at these statuses, where they have words for it.
REST: Final = {
    503: ("PGRST000", "Database connection error. Retrying the connection."),
    504: ("PGRST003", "Timed out acquiring connection from connection pool."),
}
AUTH: Final = {
    429: ("over_request_rate_limit", "Request rate limit reached"),
    500: ("unexpected_failure", "Unexpected failure, please check server logs for more information"),
    504: ("request_timeout", "Processing this request timed out, please retry after a moment."),
}


class FaultyRoom:
    """A room whose requests may go wrong, and are waited for; without a rule it is only asked."""

    def __init__(self, name: str, room: ASGIApp, faults: Faults, at_work: UnderWay) -> None:
        self._name = name
        self._room = room
        self._faults = faults
        self._at_work = at_work
        self._sockets = FaultySockets(room, faults)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            asking = who(scope)
            with asked_by(asking):
                await self._sockets(scope, receive, send, asking)
            return
        if not self._faults.rules:
            with self._at_work.begin(self._told(scope)):
                await self._room(scope, receive, send)
            return
        asking = known(self._name, scope)
        fault = self._faults.of("request", asking)
        with self._at_work.begin(self._told(scope)), asked_by(asking):
            if fault is None:
                await self._room(scope, receive, send)
                return
            await fault.wait()
            await self._fail(fault, scope, receive, _telling(fault, send))
        if fault.rule.do.drop or fault.rule.do.stall:
            # Nothing is at work here any more.
            await _gone(receive)

    def _told(self, scope: Scope) -> str:
        return f"{scope['method']} /{self._name}/v1{scope['path']}"

    async def _fail(self, fault: Fault, scope: Scope, receive: Receive, send: Send) -> None:
        do = fault.rule.do
        if do.status is not None:
            body = do.body if "body" in do.model_fields_set else worded(self._name, do.status)
            await send_response(send, do.status, [JSON], orjson.dumps(body))
        elif do.drop is not None:
            if do.drop == "after":
                await self._room(scope, receive, _nowhere)
            abort_connection(scope)
        elif do.truncate:
            await self._room(scope, receive, _Half(scope, send).send)
        elif not do.stall:
            await self._room(scope, receive, send)


def known(room: str, scope: Scope) -> dict[str, str]:
    """What can be said of a request to a room, whose prefix its path has lost."""
    path: str = scope["path"]
    return {"room": room, "method": scope["method"], "path": path, **_named(room, path), **who(scope)}


def _named(room: str, path: str) -> dict[str, str]:
    """What a path names.

    >>> _named("rest", "/rpc/search"), _named("storage", "/object/public/cars/a.jpg")
    ({'function': 'search'}, {'bucket': 'cars'})
    """
    first, _, rest = path.lstrip("/").partition("/")
    if room == "rest":
        return {"function": rest} if first == "rpc" else {"table": first}
    if room == "functions":
        return {"function": first}
    if room != "storage":
        return {}
    ways = ("object", "render", "image", "public", "authenticated", "sign", "upload", "info", "list", "bucket")
    parts = [part for part in path.split("/") if part and part not in ways]
    return {"bucket": parts[0]} if parts else {}


def who(scope: Scope) -> dict[str, str]:
    """Who asks, as the token says; whether it is a good one is the room's to find out."""
    try:
        claims = jwt.get_unverified_claims(header_map(scope).get("authorization", "").removeprefix("Bearer "))
    except JWTError:
        return {}
    told = {"role": claims.get("role"), "user": claims.get("email") or claims.get("sub")}
    return {name: value for name, value in told.items() if isinstance(value, str)}


def worded(room: str, status: int) -> Mapping[str, object]:
    """A body as this room would send it."""
    phrase = HTTPStatus(status).phrase if status in list(HTTPStatus) else f"Status {status}"
    if room == "rest":
        code, message = REST.get(status, (str(status), phrase))
        return {"code": code, "details": None, "hint": None, "message": message}
    if room == "auth":
        code, message = AUTH.get(status, ("unexpected_failure", phrase))
        return {"code": status, "error_code": code, "msg": message}
    if room == "storage":
        return {"statusCode": str(status), "error": phrase, "message": phrase}
    return {"message": phrase}


def _telling(fault: Fault, send: Send) -> Send:
    """Name the rule in the answer's headers."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message["headers"], (b"x-minato-fault", fault.id.encode())]
        await send(message)

    return sending


class _Half:
    """Lets half of the first part of a body through, and cuts the line."""

    def __init__(self, scope: Scope, send: Send) -> None:
        self._scope = scope
        self._send = send
        self._done = False

    async def send(self, message: Message) -> None:
        """Pass on what comes before."""
        if self._done:
            return
        body: bytes = message.get("body", b"")
        if message["type"] == "http.response.start" or not body:
            await self._send(message)
            return
        self._done = True
        await self._send({**message, "body": body[: len(body) // 2], "more_body": True})
        # What was sent has to leave before the line is cut.
        await asyncio.sleep(0)
        abort_connection(self._scope)


async def _gone(receive: Receive) -> None:
    """Until the client has left."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def _nowhere(message: Message) -> None:
    pass
