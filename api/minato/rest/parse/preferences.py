"""`Prefer` headers → preferences. The first of a kind wins; unknown ones matter only to `handling=strict`."""

from __future__ import annotations

from dataclasses import dataclass

KNOWN = {
    "resolution": ("merge-duplicates", "ignore-duplicates"),
    "missing": ("default", "null"),
    "return": ("representation", "headers-only", "minimal"),
    "count": ("exact", "planned", "estimated"),
    "tx": ("commit", "rollback"),
    "handling": ("strict", "lenient"),
}
VALUED = ("timezone", "max-affected")


@dataclass(frozen=True)
class Preferences:
    """What the caller prefers; None where nothing was said. `invalid` keeps the ones we don't know."""

    resolution: str | None = None
    missing: str | None = None
    representation: str | None = None
    count: str | None = None
    transaction: str | None = None
    handling: str | None = None
    timezone: str | None = None
    max_affected: int | None = None
    invalid: tuple[str, ...] = ()

    @property
    def strict(self) -> bool:
        return self.handling == "strict"


NOTHING_PREFERRED = Preferences()


def parse_preferences(headers: list[str]) -> Preferences:
    """The preferences of all `Prefer` headers together.

    >>> parse_preferences(["return=representation, count=exact"]).representation
    'representation'
    >>> parse_preferences(["handling=strict,anything"]).invalid
    ('anything',)
    """
    if not headers:
        return NOTHING_PREFERRED
    found: dict[str, str] = {}
    invalid: list[str] = []
    for item in (part.strip() for header in headers for part in header.split(",")):
        name, _, value = item.partition("=")
        if value in KNOWN.get(name, ()) or (name in VALUED and _is_valid(name, value)):
            found.setdefault(name, value)
        elif item:
            invalid.append(item)
    strict = found.get("handling") == "strict"
    return Preferences(
        resolution=found.get("resolution"),
        missing=found.get("missing"),
        representation=found.get("return"),
        count=found.get("count"),
        transaction=found.get("tx"),
        handling=found.get("handling"),
        timezone=found.get("timezone"),
        max_affected=int(found["max-affected"]) if strict and "max-affected" in found else None,
        invalid=tuple(invalid),
    )


def _is_valid(name: str, value: str) -> bool:
    if name == "timezone":
        return bool(value)
    return value.removeprefix("-").isdecimal() and value.isascii() and len(value) < 19
