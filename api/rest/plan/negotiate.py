"""Which of the acceptable media types the answer has, and whether it is the plan of the query instead of its result."""

from __future__ import annotations

from dataclasses import dataclass

from api.config.rest import RestSettings
from api.rest.errors import no_media_type
from api.rest.parse.media_type import JSON, MediaKind, MediaType, parse_media_type
from api.rest.schema_cache.model import Routine

BUILT_IN = (MediaKind.JSON, MediaKind.OBJECT, MediaKind.ARRAY, MediaKind.CSV, MediaKind.GEOJSON)
EXPLAIN_OPTIONS = ("analyze", "verbose", "settings", "buffers", "wal")


@dataclass(frozen=True)
class Explain:
    """EXPLAIN as asked for: `form` is json or text, `options` words of EXPLAIN."""

    form: str
    options: tuple[str, ...]

    def content_type(self, media: MediaType) -> str:
        """The Content-Type of a plan for an answer in `media`."""
        options = f"; options={'|'.join(self.options)}" if self.options else ""
        return f'{MediaKind.PLAN}+{self.form}; for="{media.mime}"{options}'


def negotiate(accept: list[MediaType], settings: RestSettings) -> tuple[MediaType, Explain | None]:
    """The first of `accept` that can be produced. Raises PGRST107."""
    for media in accept:
        if media.kind is MediaKind.ANY:
            return JSON, None
        if media.kind in BUILT_IN:
            return media, None
        if media.kind is MediaKind.PLAN and settings.db_plan_enabled:
            inner, _ = negotiate([parse_media_type(media.parameters.get("for") or "*/*")], settings)
            return inner, _explain(media)
    raise no_media_type([media.essence for media in accept])


def negotiate_function(
    accept: list[MediaType], settings: RestSettings, routine: Routine
) -> tuple[MediaType, Explain | None]:
    """As `negotiate`, but a function whose return type is named like a media type makes that one and no other."""
    made = routine.media_type
    if made is None:
        return negotiate(accept, settings)
    for media in accept:
        if made == "*/*" or media.kind is MediaKind.ANY or media.essence == made.lower():
            return MediaType(MediaKind.OTHER, MediaKind.BYTES.value if made == "*/*" else made), None
    raise no_media_type([media.essence for media in accept])


def _explain(media: MediaType) -> Explain:
    asked = media.parameters.get("options", "").split("|")
    form = "json" if media.essence.endswith("+json") else "text"
    return Explain(form, tuple(option for option in EXPLAIN_OPTIONS if option in asked))
