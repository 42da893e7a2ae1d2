"""What is set before the statement of a request, as PostgreSQL takes it: role, claims, what SQL may know of it.

Clients repeat their headers, so its bytes are made once for a list of headers; each request adds its path and its id.
They hold for one caller, one configuration and one schema cache. Where one of these is another, they are made anew: so
nobody is served with the role, the claims or the settings of anybody else, nor with those of before a reload.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from minato.config.rest import RestSettings
from minato.database.as_caller import RequestInfo, Setting, caller_settings, set_locally
from minato.database.wire.messages import parameter_count, sized, texts
from minato.database.wire.session import Command
from minato.http.asgi import Header
from minato.rest.execute import Transaction
from minato.rest.parse.api_request import RawRequest
from minato.rest.plan.action import ActionPlan
from minato.rest.schema_cache.model import SchemaCache
from minato.tokens.caller import Caller

PRELUDES = "rest.preludes"
# For one list of headers; clients that ask more different things than this are served a little slower.
MOST_PLANS = 16
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


class Prepared(NamedTuple):
    """The transaction for requests with one list of headers and one plan; its prelude is the template's to make."""

    plan: ActionPlan
    template: Template
    transaction: Transaction

    def for_request(self, raw: RawRequest, holder: str | None) -> Transaction:
        """The transaction of one of them, at the cost of `holder`."""
        assert raw.repeated is not None, "what is prepared belongs to repeated headers"
        command = self.template.command(raw.path, raw.repeated.id_among(raw.headers))
        return self.transaction._replace(prelude=command, holder=holder)


@dataclass(eq=False, slots=True)
class Preludes:
    """What is prepared for one list of headers, by plan, as long as caller, settings and schema cache stay."""

    caller: Caller
    settings: RestSettings
    cache: SchemaCache
    templates: dict[Key, Template | None] = field(default_factory=dict)
    known: dict[tuple[str, int], Prepared] = field(default_factory=dict)

    def hold_for(self, caller: Caller, settings: RestSettings, cache: SchemaCache) -> bool:
        """Whether all that they were made of is still there, and nothing else in its place."""
        return self.caller is caller and self.settings is settings and self.cache is cache

    def find(self, method: str, plan: ActionPlan) -> Prepared | None:
        """What is prepared for this very plan: another one may have got its number since."""
        found = self.known.get((method, id(plan)))
        return found if found is not None and found.plan is plan else None

    def prepare(self, raw: RawRequest, asked: Key, around: Around, transaction: Transaction, plan: ActionPlan) -> None:
        """Remember `transaction` for requests like `raw`, which has these headers, and `plan`.

        `asked` is all that `around` depends on besides settings and cache. Of too many plans none is remembered.
        """
        key = (raw.method, *asked)
        if key not in self.templates:
            self.templates[key] = _template(raw, self.caller, around)
        template = self.templates[key]
        if template is None:
            return
        if len(self.known) >= MOST_PLANS:
            self.known.clear()
        self.known[raw.method, id(plan)] = Prepared(plan, template, transaction)


def preludes_of(raw: RawRequest, caller: Caller, settings: RestSettings, cache: SchemaCache) -> Preludes | None:
    """What is prepared for requests with the headers of `raw`; None where they are not known to be repeated."""
    repeated = raw.repeated
    if repeated is None or not raw.path.isascii():
        return None
    kept = repeated.made.get(PRELUDES)
    if not isinstance(kept, Preludes) or not kept.hold_for(caller, settings, cache):
        kept = repeated.made[PRELUDES] = Preludes(caller, settings, cache)
    return kept


def prelude(raw: RawRequest, caller: Caller, around: Around) -> Command:
    """The statement that makes the settings of `raw`: those of its caller, and what is set `around` them."""
    return Command(*set_locally(around(settings_of(caller, raw))))


def settings_of(caller: Caller, raw: RawRequest) -> list[Setting]:
    """What the caller of `raw` sets, without what is set around it."""
    return _of_caller(caller, raw.method, raw.path.decode("latin-1"), raw.headers)


def _template(raw: RawRequest, caller: Caller, around: Around) -> Template | None:
    """The prelude of all requests with the headers of `raw`; None where a mark could be taken for something else."""
    repeated = raw.repeated
    has_id = repeated is not None and repeated.id_among(raw.headers) is not None
    marked = repeated.with_id(ID) if repeated is not None and has_id else raw.headers
    settings = around(_of_caller(caller, raw.method, PATH, marked))
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
