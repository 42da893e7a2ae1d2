"""One HTTP request → an ApiRequest: what is asked for, in PostgREST's words. Nothing says that it makes sense yet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple
from urllib.parse import unquote_to_bytes

from minato.config.rest import RestSettings
from minato.http.asgi import Header
from minato.http.repeated import RepeatedHeaders
from minato.journal.record import Record
from minato.rest.errors import (
    RestError,
    invalid_path,
    method_not_allowed_on_rpc,
    unknown_profile,
    unsupported_method,
)
from minato.rest.parse.media_type import JSON, MediaType, parse_accept, parse_media_type
from minato.rest.parse.payload import Payload, parse_payload
from minato.rest.parse.preferences import Preferences, parse_preferences
from minato.rest.parse.query_string import QueryString, parse_query_string
from minato.rest.parse.ranges import ALL_ROWS, Bounds, RowRange, embed_window, top_window
from minato.rest.parse.syntax import EmbedPath

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
RPC_METHODS = ("GET", "HEAD", "POST", "OPTIONS")
ROOT_METHODS = ("GET", "HEAD", "OPTIONS")
PUT_RANGE = "limit/offset querystring parameters are not allowed for PUT"


class TargetKind(StrEnum):
    ROOT = "root"
    RELATION = "relation"
    FUNCTION = "function"


class RawRequest(NamedTuple):
    """What came over HTTP. `path` is undecoded and without the public prefix; header names are lower-case.

    `repeated` are the same headers, where others may have sent them before; `record` hears what is done about it.
    """

    method: str
    path: bytes
    query: bytes
    headers: Sequence[Header]
    body: bytes = b""
    repeated: RepeatedHeaders | None = None
    record: Record | None = None

    def header(self, name: bytes) -> str | None:
        """The first header of that name."""
        for key, value in self.headers:
            if key == name:
                return value.decode("latin-1")
        return None

    def all_headers(self, name: bytes) -> list[str]:
        return [value.decode("latin-1") for key, value in self.headers if key == name]


@dataclass(frozen=True)
class Target:
    kind: TargetKind
    name: str = ""


@dataclass(frozen=True)
class ApiRequest:
    """What is asked for. `top_range` is the window over the target's own rows, `asks_range` whether one was asked for.

    `bounds` stand in a statement for the numbers of the windows; without any the numbers themselves do.
    """

    method: str
    target: Target
    schema: str
    profile_given: bool
    query: QueryString
    top_range: RowRange
    preferences: Preferences
    accept: list[MediaType]
    content: MediaType
    payload: Payload | None
    asks_range: bool = False
    bounds: Mapping[EmbedPath, Bounds] = field(default_factory=dict)

    @property
    def reads(self) -> bool:
        return self.method in ("GET", "HEAD")


def parse_request(raw: RawRequest, settings: RestSettings) -> ApiRequest:
    """What `raw` asks for.

    Raises RestError in the order in which the reference looks: path, profile, method, query, range, body.
    """
    target = parse_target(raw.path)
    schema, profile_given = _schema(raw, settings)
    _require_method(raw.method, target)
    is_function = target.kind is TargetKind.FUNCTION
    query = parse_query_string(raw.query, takes_arguments=is_function and raw.method in ("GET", "HEAD", "OPTIONS"))
    top_range = _top_range(raw, query)
    content_type = raw.header(b"content-type")
    content = parse_media_type(content_type) if content_type else JSON
    columns = query.columns if raw.method != "PUT" else None
    takes_body = raw.method in ("POST", "PUT", "PATCH")
    return ApiRequest(
        method=raw.method,
        target=target,
        schema=schema,
        profile_given=profile_given,
        query=query,
        top_range=top_range,
        preferences=parse_preferences(raw.all_headers(b"prefer")),
        accept=parse_accept(raw.header(b"accept")),
        content=content,
        payload=parse_payload(raw.body, content, columns, is_function) if takes_body else None,
        asks_range=() in query.limits or () in query.offsets or _range_header(raw) is not None,
    )


def parse_target(path: bytes) -> Target:
    """What the path names. Raises PGRST125.

    >>> parse_target(b"/rpc/add_them")
    Target(kind=<TargetKind.FUNCTION: 'function'>, name='add_them')
    """
    segments = [
        unquote_to_bytes(part).decode("utf-8", "replace").replace("\x00", "\ufffd") for part in path.split(b"/")
    ]
    match [segment for segment in segments[1:] if segment or len(segments) > 2]:
        case []:
            return Target(TargetKind.ROOT)
        case [name] if name:
            return Target(TargetKind.RELATION, name)
        case ["rpc", name]:
            return Target(TargetKind.FUNCTION, name)
    raise invalid_path()


def embed_range(request: ApiRequest, path: EmbedPath) -> RowRange:
    """The window over an embed's rows, or over the target's for the empty path."""
    if not path:
        return request.top_range
    return embed_window(request.query.limits.get(path), request.query.offsets.get(path))


def _schema(raw: RawRequest, settings: RestSettings) -> tuple[str, bool]:
    """The schema of the request, and whether several are on offer or a profile was asked for."""
    name = b"accept-profile" if raw.method in ("GET", "HEAD", "OPTIONS") else b"content-profile"
    asked = raw.header(name)
    exposed = settings.schemas
    if asked is None:
        return exposed[0], len(exposed) > 1
    schema = asked.encode("latin-1").decode("utf-8", "replace")
    if schema not in exposed:
        raise unknown_profile(schema, exposed)
    return schema, True


def _require_method(method: str, target: Target) -> None:
    if target.kind is TargetKind.FUNCTION and method not in RPC_METHODS:
        raise method_not_allowed_on_rpc(method)
    if method not in (ROOT_METHODS if target.kind is TargetKind.ROOT else METHODS):
        raise unsupported_method(method)


def _top_range(raw: RawRequest, query: QueryString) -> RowRange:
    limit, offset = query.limits.get(()), query.offsets.get(())
    window = top_window(limit, offset, _range_header(raw))
    if raw.method == "PUT" and window != ALL_ROWS:
        raise RestError(400, "PGRST114", PUT_RANGE)
    return window


def _range_header(raw: RawRequest) -> str | None:
    return raw.header(b"range") if raw.method == "GET" else None
