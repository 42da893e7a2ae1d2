"""`Accept` and `Content-Type` → media types, the most wanted first."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property


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
    """One media type; `essence` is type/subtype in lower case, of one we don't know all that was written."""

    kind: MediaKind
    essence: str
    parameters: dict[str, str] = field(default_factory=dict)

    @property
    def strips_nulls(self) -> bool:
        return self.kind in (MediaKind.OBJECT, MediaKind.ARRAY) and self.parameters.get("nulls") == "stripped"

    @cached_property
    def content_type(self) -> str:
        """What the Content-Type header says; only types of ours are known to be text in UTF-8."""
        is_text = self.kind not in (MediaKind.OTHER, MediaKind.BYTES)
        return f"{self.mime}; charset=utf-8" if is_text else self.mime

    @property
    def mime(self) -> str:
        """Its name, in the reference's spelling."""
        if self.kind is MediaKind.OTHER:
            return self.essence
        if self.kind is MediaKind.ANY:
            return MediaKind.JSON.value
        nulls = ";nulls=stripped" if self.strips_nulls else ""
        json = "+json" if self.kind in (MediaKind.OBJECT, MediaKind.ARRAY) else ""
        return f"{self.kind.value}{json}{nulls}"

    @property
    def told(self) -> str:
        """How an error speaks of it: by our name for it if we have one, as it was written if not."""
        if self.kind is MediaKind.ANY:
            return self.essence
        if self.kind is not MediaKind.PLAN:
            return self.mime
        form = "json" if self.essence.endswith("+json") else "text"
        inner = parse_media_type(self.parameters.get("for") or JSON.essence)
        asked = [option for option in EXPLAIN_OPTIONS if option in self.parameters.get("options", "").split("|")]
        options = f"; options={'|'.join(asked)}" if asked else ""
        return f'{MediaKind.PLAN}+{form}; for="{inner.told}"{options}'


EXPLAIN_OPTIONS = ("analyze", "verbose", "settings", "buffers", "wal")
KINDS = {kind.value: kind for kind in MediaKind if kind is not MediaKind.OTHER}
KINDS |= {f"{kind.value}+json": kind for kind in (MediaKind.OBJECT, MediaKind.ARRAY, MediaKind.PLAN)}
KINDS |= {f"{MediaKind.PLAN.value}+text": MediaKind.PLAN}
ESSENCE = re.compile(r"[A-Za-z0-9.*]+/[A-Za-z0-9.*+-]+")
PARAMETER = re.compile(r"""\s*;\s*([A-Za-z0-9-]+)\s*=\s*("[^"]*"|[A-Za-z0-9|-]+)""")
WEIGHT = re.compile(r"[0-9]+(\.[0-9]+)?")
ANY = MediaType(MediaKind.ANY, "*/*")
JSON = MediaType(MediaKind.JSON, "application/json")


def parse_media_type(text: str) -> MediaType:
    """One media type with its parameters. What the reference can't read, or doesn't know, is its own name.

    >>> parse_media_type("application/vnd.pgrst.object+json;nulls=stripped").strips_nulls
    True
    """
    match = ESSENCE.match(text)
    kind = KINDS.get(match[0].lower(), MediaKind.OTHER) if match else MediaKind.OTHER
    if match is None or kind is MediaKind.OTHER:
        return MediaType(MediaKind.OTHER, text)
    media = MediaType(kind, match[0].lower(), _parameters(text, match.end()))
    return JSON if kind is MediaKind.ARRAY and not media.strips_nulls else media


def _parameters(text: str, position: int) -> dict[str, str]:
    """Those up to the first that can't be read; the last of a name counts."""
    found: dict[str, str] = {}
    while match := PARAMETER.match(text, position):
        found[match[1].lower()] = match[2].strip('"')
        position = match.end()
    return found


def parse_accept(header: str | None) -> list[MediaType]:
    """What is acceptable, best first; nothing said is anything.

    >>> [media.essence for media in parse_accept("text/csv;q=0.5, application/json")]
    ['application/json', 'text/csv']
    """
    if header is None:
        return [ANY]
    ranges = [_weighed(part) for part in header.replace(" ", "").split(",")] if header else []
    ranges.sort(key=lambda each: each[1:], reverse=True)
    return [parse_media_type(text) for text, *_ in ranges]


def _weighed(text: str) -> tuple[str, float, int]:
    """A media range without its weight, its weight, and how specific it is."""
    text, _, rest = text.partition(";q=")
    weight = WEIGHT.match(rest)
    return text, float(weight[0]) if weight else 1.0, text.count(";") - text.count("*")
