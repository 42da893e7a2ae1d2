"""One request, read: where it goes, who sent it, its headers, query and JSON body."""

from __future__ import annotations

import asyncio
import base64
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from urllib.parse import parse_qsl
from uuid import UUID

import orjson

from minato.database.as_caller import RequestInfo, Setting, request_settings
from minato.http.asgi import Receive, header_map, read_body
from minato.http.asgi import Scope as AsgiScope
from minato.http.body_memory import BodyMemory, Held, NoMemory
from minato.http.client_address import client_subscriber
from minato.http.errors import BodyTooLarge, ClientLeft
from minato.json_text import JsonObject
from minato.storage.errors import StorageError, invalid_request, too_many_bodies
from minato.storage.validation import Schema, validate
from minato.tokens.caller import ANONYMOUS, Caller

JSON_LIMIT = 1024 * 1024
EMPTY_BODY = "Body cannot be empty when content-type is set to 'application/json'"
BAD_BODY = "Body is not valid JSON but content-type is set to 'application/json'"


class KeptBody:
    """What one request takes of the memory until its block ends; who sends it may be found out on the way."""

    def __init__(self, memory: BodyMemory) -> None:
        self._memory = memory
        self._held: Held | None = None
        self._is_answered = False

    def take(self, holder: str | None, size: int) -> None:
        """So many bytes more; what is still read once it is answered does not count. Raises NoMemory."""
        if self._is_answered:
            return
        if self._held is None:
            self._held = self._memory.held(holder)
        self._held.take(size)

    def __enter__(self) -> KeptBody:
        return self

    def __exit__(self, *_: object) -> None:
        self._is_answered = True
        if self._held is not None:
            self._held.release()


@dataclass
class Request:
    """`bucket` and `key` come from the path; `caller` is None where nobody said who they are."""

    scope: AsgiScope
    receive: Receive
    operation: str
    bucket: str = ""
    key: str = ""
    caller: Caller | None = None
    kept: KeptBody = field(kw_only=True)

    @property
    def method(self) -> str:
        return str(self.scope["method"])

    @property
    def path(self) -> str:
        """The decoded path, as SQL may see it."""
        return str(self.scope["path"])

    @property
    def known_caller(self) -> Caller:
        """The caller, an anonymous one where there is none."""
        return self.caller or ANONYMOUS

    @property
    def share(self) -> str | None:
        """Whose share of what is scarce this request counts to."""
        return self.known_caller.share(client_subscriber(self.scope))

    @cached_property
    def headers(self) -> dict[str, str]:
        return header_map(self.scope)

    @cached_property
    def query(self) -> dict[str, str]:
        """The last value of each parameter."""
        return dict(parse_qsl(self.scope["query_string"].decode("latin-1"), keep_blank_values=True))

    @cached_property
    def settings(self) -> list[Setting]:
        """What SQL may know of it, whoever asks."""
        return request_settings(RequestInfo(self.method, self.path, self.headers))

    @property
    def upserts(self) -> bool:
        """Whether an existing object may be replaced."""
        return self.headers.get("x-upsert") == "true"

    @property
    def sent_metadata(self) -> dict[str, object] | None:
        """The user's metadata in `x-metadata`, base64 of JSON; None when absent or unreadable."""
        try:
            return parse_user_metadata(base64.b64decode(self.headers.get("x-metadata", "")))
        except ValueError:
            return None

    def checked_query(self, schema: Schema) -> JsonObject:
        """The query as `schema` wants it."""
        return dict(validate(schema, self.query, "querystring"))

    async def json(self, schema: Schema | None = None, limit: int = JSON_LIMIT) -> Any:
        """The JSON body of at most `limit` bytes as `schema` wants it. Raises StorageError."""
        try:
            content = await read_body(self.receive, limit, self.keep)
        except BodyTooLarge:
            raise StorageError(413, "EntityTooLarge", "Request body is too large", "FastifyError", 413) from None
        except ClientLeft:
            raise invalid_request("Request aborted") from None
        if len(content) > JSON_LIMIT:
            # Nobody else waits for this one's numbers.
            value = await asyncio.to_thread(self._parse, content, schema is not None)
        else:
            value = self._parse(content, schema is not None)
        return value if schema is None else validate(schema, value, "body")

    def keep(self, size: int) -> None:
        """So many bytes more of the body are in memory, until it is answered. Raises SlowDown."""
        try:
            self.kept.take(self.share, size)
        except NoMemory:
            raise too_many_bodies() from None

    def _parse(self, content: bytes, needed: bool) -> object:
        if self.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            return None
        if not content:
            if needed:
                raise invalid_request(EMPTY_BODY, "FastifyError")
            return None
        try:
            return orjson.loads(content)
        except orjson.JSONDecodeError:
            raise invalid_request(BAD_BODY, "FastifyError") from None


def parse_user_metadata(text: bytes) -> dict[str, object] | None:
    """A JSON object; None for anything else."""
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        return None
    return value if isinstance(value, dict) else None


def as_uuid(text: str | None) -> str | None:
    """`text` when it is a uuid, for the deprecated `owner` column."""
    try:
        return str(UUID(text)) if text else None
    except ValueError:
        return None
