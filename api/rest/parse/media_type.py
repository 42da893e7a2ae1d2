"""`Accept` and `Content-Type` → media types, the most wanted first."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class MediaKind(StrEnum):
    """The media types the room makes itself; anything else is OTHER."""

    ANY = "*/*"
    JSON = "application/json"
    OBJECT = "application/vnd.pgrst.object"
    ARRAY = "application/vnd.pgrst.array"
    CSV = "text/csv"
    GEOJSON = "application/geo+json"
    OPENAPI = "application/openapi+json"
    PLAN = "application/vnd.pgrst.plan"
    FORM = "application/x-www-form-urlencoded"
    TEXT = "text/plain"
    XML = "text/xml"
    BYTES = "application/octet-stream"
    OTHER = "other"


@dataclass(frozen=True)
class MediaType:
    """One media type; `essence` is type/subtype in lower case."""

    kind: MediaKind
    essence: str
    parameters: dict[str, str] = field(default_factory=dict)

    @property
    def strips_nulls(self) -> bool:
        return self.kind in (MediaKind.OBJECT, MediaKind.ARRAY) and self.parameters.get("nulls") == "stripped"

    @property
    def is_array(self) -> bool:
        return self.kind in (MediaKind.ANY, MediaKind.JSON, MediaKind.ARRAY)

    @property
    def content_type(self) -> str:
        """What the Content-Type header says; only types of ours are known to be text in UTF-8."""
        is_text = self.kind not in (MediaKind.OTHER, MediaKind.BYTES)
        return f"{self.mime}; charset=utf-8" if is_text else self.mime

    @property
    def mime(self) -> str:
        """Its name, in the reference's spelling."""
        if self.kind is MediaKind.OTHER:
            return self.essence
        if self.kind in (MediaKind.ANY, MediaKind.JSON) or (self.kind is MediaKind.ARRAY and not self.strips_nulls):
            return MediaKind.JSON.value
        nulls = ";nulls=stripped" if self.strips_nulls else ""
        json = "+json" if self.kind in (MediaKind.OBJECT, MediaKind.ARRAY) else ""
        return f"{self.kind.value}{json}{nulls}"


KINDS = {kind.value: kind for kind in MediaKind if kind is not MediaKind.OTHER}
KINDS |= {f"{kind.value}+json": kind for kind in (MediaKind.OBJECT, MediaKind.ARRAY, MediaKind.PLAN)}
KINDS |= {f"{MediaKind.PLAN.value}+text": MediaKind.PLAN}
ANY = MediaType(MediaKind.ANY, "*/*")
JSON = MediaType(MediaKind.JSON, "application/json")


def parse_media_type(text: str) -> MediaType:
    """One media type with its parameters.

    >>> parse_media_type("application/vnd.pgrst.object+json;nulls=stripped").strips_nulls
    True
    """
    essence, *parameters = (part.strip() for part in _split_outside_quotes(text, ";"))
    pairs = (parameter.partition("=") for parameter in parameters)
    named = {name.strip().lower(): value.strip().strip('"') for name, _, value in pairs}
    return MediaType(KINDS.get(essence.lower(), MediaKind.OTHER), essence.lower(), named)


def parse_accept(header: str | None) -> list[MediaType]:
    """What is acceptable, best first; nothing said is anything.

    >>> [media.essence for media in parse_accept("text/csv;q=0.5, application/json")]
    ['application/json', 'text/csv']
    """
    if not header or not header.strip():
        return [ANY]
    media = [parse_media_type(part) for part in _split_outside_quotes(header, ",") if part.strip()]
    return sorted(media, key=_quality, reverse=True) or [ANY]


def _quality(media: MediaType) -> float:
    try:
        return float(media.parameters.get("q", "1"))
    except ValueError:
        return 0.0


def _split_outside_quotes(text: str, separator: str) -> list[str]:
    """Parts between separators; a plan's `for="a, b"` keeps its own."""
    if '"' not in text:
        return text.split(separator)
    parts, quoted = [""], False
    for character in text:
        quoted ^= character == '"'
        if character == separator and not quoted:
            parts.append("")
        else:
            parts[-1] += character
    return parts
