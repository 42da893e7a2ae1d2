"""Which of the acceptable media types the answer has, who makes it, and whether it is the plan of the query instead."""

from __future__ import annotations

from dataclasses import dataclass

from minato.config.rest import RestSettings
from minato.rest.errors import no_media_type
from minato.rest.parse.api_request import ApiRequest
from minato.rest.parse.media_type import EXPLAIN_OPTIONS, JSON, MediaKind, MediaType, parse_media_type
from minato.rest.parse.syntax import SelectField
from minato.rest.schema_cache.model import MediaHandler, QualifiedName, SchemaCache

# Vendored types have parameters of their own, so nobody can override them.
VENDORED = (MediaKind.OBJECT, MediaKind.ARRAY)
BUILT_IN = (MediaKind.JSON, MediaKind.CSV, MediaKind.GEOJSON)


@dataclass(frozen=True)
class Explain:
    """EXPLAIN as asked for: `form` is json or text, `options` words of EXPLAIN, `mime` the name of it all."""

    form: str
    options: tuple[str, ...]
    mime: str


@dataclass(frozen=True)
class Negotiated:
    """The media type of the answer; `handler` makes it where we don't."""

    media: MediaType
    handler: MediaHandler | None = None
    explain: Explain | None = None


PLAIN_JSON = Negotiated(JSON)


def negotiate(request: ApiRequest, cache: SchemaCache, settings: RestSettings, target: QualifiedName) -> Negotiated:
    """The first acceptable type that can be made of `target`, a table or function. Raises PGRST107."""
    # A handler of a table takes its whole rows; other columns than those are for handlers of anything.
    targets = (target, None) if selects_everything(request) else (None,)
    for media in request.accept:
        if media.kind is MediaKind.PLAN:
            inner = parse_media_type(media.parameters.get("for") or JSON.essence)
            made = _made(inner, cache, targets) if settings.db_plan_enabled else None
            if made is not None:
                return Negotiated(made.media, made.handler, _explain(media))
            continue
        made = _made(media, cache, targets)
        if made is not None:
            return made
    raise no_media_type([media.told for media in request.accept])


def selects_everything(request: ApiRequest) -> bool:
    """Whether `select` is `*` and nothing else."""
    match request.query.select:
        case (SelectField() as only,):
            return only == SelectField(only.field) and only.field.name == "*" and not only.field.path
    return False


def _made(media: MediaType, cache: SchemaCache, targets: tuple[QualifiedName | None, ...]) -> Negotiated | None:
    if media.kind in VENDORED:
        return Negotiated(media)
    for target in targets:
        kinds = (media.essence,) if target is None else (MediaKind.ANY.value, media.essence)
        for kind in kinds:
            handler = cache.handlers.get((target, kind))
            if handler is not None:
                return Negotiated(parse_media_type(handler.media), handler)
    if media.kind is MediaKind.ANY:
        return PLAIN_JSON
    return Negotiated(media) if media.kind in BUILT_IN else None


def _explain(media: MediaType) -> Explain:
    asked = media.parameters.get("options", "").split("|")
    form = "json" if media.essence.endswith("+json") else "text"
    return Explain(form, tuple(option for option in EXPLAIN_OPTIONS if option in asked), media.told)
