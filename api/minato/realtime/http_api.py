"""Realtime over HTTP: `/api/broadcast` for a batch, `/api/broadcast/:topic/events/:event` for one, `/api/ping`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import parse_qs, unquote

import orjson

from minato.http.asgi import JSON, Header, Receive, Scope, Send, header_map, read_body, send_response
from minato.http.body_memory import BodyMemory, Held, NoMemory
from minato.http.client_address import client_subscriber
from minato.http.errors import BodyTooLarge, ClientLeft
from minato.json_text import JsonObject
from minato.realtime.access_token import TokenRefused
from minato.realtime.authorization import AuthorizationUnavailable, Policies, PolicyError, Question
from minato.realtime.broadcast import EVENT, http_broadcast
from minato.realtime.fanout.base import Envelope, Kind, Topic
from minato.realtime.message import TOPIC_PREFIX, Encoding, Push
from minato.realtime.services import Services
from minato.tokens.caller import Caller

CONTENT_TYPES = {"": Encoding.JSON, "application/json": Encoding.JSON, "application/octet-stream": Encoding.RAW}
UNSUPPORTED = {"error": "Unsupported Media Type. Use application/json or application/octet-stream"}
TOO_LARGE = {"errors": {"payload": ["Payload size exceeds tenant limit"]}}
TOO_MANY = {"errors": {"detail": "Too many large request bodies at once"}}
# In memory, of the largest; one caller may send half of them.
BODIES_AT_ONCE = 8
BODY_TOO_LARGE = {"errors": {"detail": "Request Entity Too Large"}}
UNAVAILABLE = {"QueryCanceled": "Query canceled", "MissingPartition": "Missing messages partition"}
BLANK, INVALID, OVERSIZED = "can't be blank", "is invalid", "Payload size exceeds tenant limit"
Errors = dict[str, object]


class Refused(Exception):
    """An answer other than 202."""

    def __init__(self, status: int, body: Mapping[str, object]) -> None:
        super().__init__(body)
        self.status = status
        self.body = body


class Call(NamedTuple):
    """One request: who sends it, and what is kept of its body."""

    scope: Scope
    receive: Receive
    caller: Caller
    held: Held


class HttpApi:
    """An ASGI app for the room's http scopes."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._bodies = BodyMemory(lambda: BODIES_AT_ONCE * services.settings.max_body_bytes)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            status, body = await self._answer(scope, receive)
        except Refused as refusal:
            status, body = refusal.status, refusal.body
        content = b"" if body is None else orjson.dumps(body)
        await send_response(send, status, [*self._rate_headers(), *([JSON] if content else [])], content)

    async def _answer(self, scope: Scope, receive: Receive) -> tuple[int, Mapping[str, object] | None]:
        # Parts are decoded one by one: an encoded slash belongs to the topic's name.
        path = [unquote(part) for part in scope["raw_path"].decode("latin-1").split("?")[0].split("/")[1:]]
        match scope["method"], path:
            case "GET", ["api", "ping"]:
                return 200, {"message": "Success"}
            case "POST", ["api", "broadcast"]:
                with self._call(scope, receive) as call:
                    await self._batch(call)
            case "POST", ["api", "broadcast", name, "events", event]:
                with self._call(scope, receive) as call:
                    await self._single(call, name, event)
            case _:
                return 404, {"message": "Not Found"}
        return 202, None

    @contextmanager
    def _call(self, scope: Scope, receive: Receive) -> Iterator[Call]:
        """What one request brings. Raises Refused."""
        caller = self._caller(scope)
        with self._bodies.held(caller.share(client_subscriber(scope))) as held:
            yield Call(scope, receive, caller, held)

    async def _batch(self, call: Call) -> None:
        headers = header_map(call.scope)
        body = await self._read(call, self._services.settings.max_body_bytes, Refused(413, BODY_TOO_LARGE))
        try:
            document = orjson.loads(body)
        except orjson.JSONDecodeError as error:
            raise Refused(400, {"errors": {"detail": "Bad Request"}}) from error
        messages, errors = parse_batch(document, self._services.settings.max_payload_bytes)
        if errors is not None:
            raise Refused(422, {"errors": errors})
        self._count(len(messages))
        allowed = {
            name: await self._may_write(Question(name, call.caller, headers))
            for name in {message.topic.name for message in messages if message.topic.private}
        }
        for message in messages:
            if not message.topic.private or allowed[message.topic.name]:
                await self._services.hub.publish(Envelope(message.topic, Kind.BROADCAST, message.outgoing))

    async def _single(self, call: Call, name: str, event: str) -> None:
        headers = header_map(call.scope)
        content_type = headers.get("content-type", "").partition(";")[0].strip().lower()
        encoding = CONTENT_TYPES.get(content_type)
        if encoding is None:
            raise Refused(415, UNSUPPORTED)
        data = await self._read(call, self._services.settings.max_payload_bytes, Refused(422, TOO_LARGE))
        if encoding is Encoding.JSON:
            _require_json(data)
        query = parse_qs(call.scope["query_string"].decode("latin-1"))
        topic = Topic(name, query.get("private", [""])[0] == "true")
        self._count(1)
        if topic.private:
            await self._require_write(Question(name, call.caller, headers))
        await self._services.hub.publish(Envelope(topic, Kind.BROADCAST, http_broadcast(name, event, encoding, data)))

    def _caller(self, scope: Scope) -> Caller:
        scheme, _, token = header_map(scope).get("authorization", "").partition(" ")
        if scheme.lower() != "bearer":
            raise Refused(401, {"message": "Unauthorized"})
        try:
            return self._services.tokens.verify(token).caller
        except TokenRefused as refusal:
            raise Refused(401, {"message": "Unauthorized"}) from refusal

    async def _read(self, call: Call, limit: int, refusal: Refused) -> bytes:
        try:
            return await read_body(call.receive, limit, call.held.take)
        except NoMemory as error:
            raise Refused(503, TOO_MANY) from error
        except BodyTooLarge as error:
            raise refusal from error
        except ClientLeft as error:
            raise Refused(400, {"errors": {"detail": "Bad Request"}}) from error

    async def _may_write(self, question: Question) -> bool:
        """A batch drops what is not permitted without a word, as the reference does."""
        try:
            policies = await self._services.authorization.write(question, Policies())
        except (PolicyError, AuthorizationUnavailable):
            return False
        return policies.write_broadcast is True

    async def _require_write(self, question: Question) -> None:
        try:
            policies = await self._services.authorization.write(question, Policies())
        except PolicyError as error:
            raise Refused(422, {"message": "RLS policy error"}) from error
        except AuthorizationUnavailable as failure:
            text = UNAVAILABLE.get(failure.code or "", "Tenant database unavailable")
            raise Refused(422, {"message": text}) from failure
        if policies.write_broadcast is not True:
            raise Refused(403, {"message": "Unauthorized"})

    def _count(self, messages: int) -> None:
        if self._services.limits.events.exceeded:
            raise Refused(429, {"message": "You have exceeded your rate limit"})
        self._services.limits.events.count(messages)

    def _rate_headers(self) -> Iterable[Header]:
        events = self._services.limits.events
        average = events.average
        yield b"x-rate-rolling", f"{average:g}".encode()
        yield b"x-rate-limit", str(events.limit).encode()
        yield b"x-rate-limit-remaining", f"{max(events.limit - average, 0):g}".encode()


def _require_json(data: bytes) -> None:
    try:
        orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise Refused(400, {"errors": {"detail": "Bad Request"}}) from error


# The body of POST /api/broadcast: messages for many topics, refused together when one of them is not well formed.


@dataclass(frozen=True)
class BatchMessage:
    """One message: where it goes and what its listeners get."""

    topic: Topic
    outgoing: Push


def parse_batch(document: object, max_payload: int) -> tuple[list[BatchMessage], Errors | None]:
    """The messages of a body, or what is wrong with them, one object per message.

    >>> parse_batch({}, 100)
    ([], {'messages': ["can't be blank"]})
    """
    entries = document.get("messages") if isinstance(document, dict) else None
    if not entries:
        return [], {"messages": [BLANK]}
    if not isinstance(entries, list):
        return [], {"messages": [INVALID]}
    errors = [_errors(entry, max_payload) for entry in entries]
    if any(errors):
        return [], {"messages": errors}
    return [_message(entry) for entry in entries], None


def _errors(entry: object, max_payload: int) -> Errors:
    if not isinstance(entry, dict):
        return {"topic": [BLANK], "event": [BLANK], "payload": [BLANK]}
    errors: Errors = {}
    for name in ("topic", "event"):
        if entry.get(name) in (None, ""):
            errors[name] = [BLANK]
        elif not isinstance(entry[name], str):
            errors[name] = [INVALID]
    payload = entry.get("payload")
    if payload is None:
        errors["payload"] = [BLANK]
    elif not isinstance(payload, dict):
        errors["payload"] = [INVALID]
    elif not _fits(payload, max_payload):
        errors["payload"] = [OVERSIZED]
    if not isinstance(entry.get("private", False), bool | None):
        errors["private"] = [INVALID]
    return errors


def _fits(payload: dict[str, object], max_payload: int) -> bool:
    try:
        return len(orjson.dumps(payload)) <= max_payload
    except orjson.JSONEncodeError:
        return False


def _message(entry: JsonObject) -> BatchMessage:
    payload: JsonObject = {"type": EVENT, "event": entry["event"], "payload": entry["payload"]}
    if isinstance(entry.get("id"), str):
        payload["meta"] = {"id": entry["id"]}
    topic = Topic(entry["topic"], entry.get("private") is True)
    return BatchMessage(topic, Push(TOPIC_PREFIX + topic.name, EVENT, payload))
