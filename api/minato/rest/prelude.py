"""What is set before the statement of a request, as PostgreSQL takes it: role, claims, what SQL may know of it.

Clients repeat their headers, so its bytes are made once for a list of headers; each request adds its path and its id.
They hold for one caller, one configuration and one schema cache. Where one of these is another, they are made anew: so
nobody is served with the role, the claims or the settings of anybody else, nor with those of before a reload.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from minato.config.rest import RestSettings
from minato.database.as_caller import RequestInfo, Setting, caller_settings, set_locally
from minato.database.wire.messages import parameter_count, sized, texts
from minato.database.wire.session import Command
from minato.http.asgi import Header
from minato.rest.parse.api_request import RawRequest
from minato.rest.schema_cache.model import SchemaCache
from minato.tokens.caller import Caller

PRELUDES = "rest.preludes"
# Stand for a path and an id while the bytes are made; as JSON writes the second.
PATH, ID = "\x01path\x01", "\x01id\x01"
SHOWN_ID = "\\u0001id\\u0001"

Key = tuple[object, ...]
Around = Callable[[Sequence[Setting]], list[Setting]]


@dataclass(frozen=True, slots=True)
class Template:
    """The statement that makes the settings, and its parameters in pieces.

    Path and headers follow each other; `before` and `after` are what stands around them, sizes included. An id stands
    between the `headers`, unless they are one piece.
    """

    text: str
    before: bytes
    headers: tuple[bytes, ...]
    after: bytes

    def command(self, path: bytes, request_id: bytes | None) -> Command:
        """The statement for one request."""
        headers = self.headers[0] if request_id is None else request_id.join(self.headers)
        values = (self.before, sized(path), sized(headers), self.after)
        return Command(self.text, parameters=b"".join(values))


@dataclass(eq=False, slots=True)
class Preludes:
    """The templates for one list of headers, by method and whatever else decides about the settings."""

    caller: Caller
    settings: RestSettings
    cache: SchemaCache
    known: dict[Key, Template | None] = field(default_factory=dict)

    def hold_for(self, caller: Caller, settings: RestSettings, cache: SchemaCache) -> bool:
        """Whether all that they were made of is still there, and nothing else in its place."""
        return self.caller is caller and self.settings is settings and self.cache is cache


def prelude(
    raw: RawRequest, caller: Caller, settings: RestSettings, cache: SchemaCache, asked: Key | None, around: Around
) -> Command:
    """The statement that makes the settings of `raw`: those of its caller, and what is set `around` them.

    `asked` is what that depends on besides settings and cache; None where it is not worth to be remembered.
    """
    template = _known(raw, caller, settings, cache, asked, around) if asked is not None else None
    if template is None or raw.repeated is None:
        return Command(*set_locally(around(_of_caller(caller, raw.method, raw.path.decode("latin-1"), raw.headers))))
    return template.command(raw.path, raw.repeated.id_among(raw.headers))


def _known(
    raw: RawRequest, caller: Caller, settings: RestSettings, cache: SchemaCache, asked: Key, around: Around
) -> Template | None:
    repeated = raw.repeated
    if repeated is None or not raw.path.isascii():
        return None
    kept = repeated.made.get(PRELUDES)
    if not isinstance(kept, Preludes) or not kept.hold_for(caller, settings, cache):
        kept = repeated.made[PRELUDES] = Preludes(caller, settings, cache)
    has_id = repeated.id_among(raw.headers) is not None
    key = (raw.method, has_id, asked)
    if key not in kept.known:
        headers = repeated.with_id(ID) if has_id else raw.headers
        kept.known[key] = _template(around(_of_caller(caller, raw.method, PATH, headers)), has_id)
    return kept.known[key]


def _template(settings: Sequence[Setting], has_id: bool) -> Template | None:
    """The template of `settings`, in which marks stand; None where a mark could be taken for something else."""
    text, values = set_locally(settings)
    (shown,) = [value for name, value in settings if name == "request.headers"]
    if values.count(PATH) != 1:
        return None
    place = values.index(PATH)
    pieces = shown.split(SHOWN_ID) if has_id else [shown]
    if values[place + 1] != shown or len(pieces) != 1 + has_id:
        return None
    headers = tuple(piece.encode("utf-8", "replace") for piece in pieces)
    before, after = values[:place], values[place + 2 :]
    return Template(text, parameter_count(len(values)) + texts(before), headers, texts(after))


def _of_caller(caller: Caller, method: str, path: str, headers: Sequence[Header]) -> list[Setting]:
    """The role, and what SQL may know of the request, in the reference's order."""
    named = {key.decode("latin-1"): value.decode("latin-1") for key, value in headers}
    return caller_settings(caller, RequestInfo(method, path, named))
