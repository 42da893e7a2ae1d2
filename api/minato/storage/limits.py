"""How large an object may be and which types a bucket takes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Context, Decimal

from minato.storage.errors import invalid_mime_type, too_large

UNITS = {"gb": 10**9, "mb": 10**6, "kb": 10**3, "b": 1}
SIZE = re.compile(r"([0-9]+(?:\.[0-9]+)?)([gmk]?b)", re.IGNORECASE)
ENTRY = re.compile(r"[\w!#$&^.+-]+/[\w!#$&^.+*-]+(?:\s*;\s*charset=[\w-]+)?|.*\*", re.ASCII)
LONGEST_ENTRY = 1000
# Sizes are written with three significant digits: supabase/storage limits.ts parses them so.
THREE_DIGITS = Context(prec=3)


def parse_size(value: int | str | None, largest: int) -> int | None:
    """A bucket's `file_size_limit` in bytes; raises over the limit of all buckets.

    >>> parse_size("1.5KB", 10**9)
    1500
    """
    if value is None or value == "":
        return None
    size = value if isinstance(value, int) else _bytes(value)
    if size > largest:
        raise too_large()
    return size


def _bytes(text: str) -> int:
    found = SIZE.fullmatch(text)
    assert found is not None, "the request's schema let through what is no size"
    return int(THREE_DIGITS.create_decimal(found[1]) * Decimal(UNITS[found[2].lower()]))


def parse_mime_types(entries: Iterable[str] | None) -> list[str] | None:
    """A bucket's `allowed_mime_types` without its empty entries; raises on an ill-formed one."""
    if entries is None:
        return None
    given = [entry for entry in entries if entry]
    for entry in given:
        if len(entry) > LONGEST_ENTRY or not ENTRY.fullmatch(entry):
            raise invalid_mime_type(entry)
    return given


def is_allowed(mime_type: str, allowed: Iterable[str] | None) -> bool:
    """Whether a bucket that allows `allowed` takes `mime_type`; parameters count, `*` stands for a subtype.

    >>> is_allowed("image/png", ["image/*"]), is_allowed("image/png", ["*/*"])
    (True, False)
    """
    entries = list(allowed or ())
    if not entries:
        return True
    kind, _, subtype = mime_type.partition("/")
    return any(
        kind == wanted_kind and wanted in ("*", subtype)
        for wanted_kind, _, wanted in (entry.partition("/") for entry in entries)
    )


def require_mime_type(mime_type: str, allowed: Iterable[str] | None) -> None:
    """Raise unless the bucket takes the type."""
    if not is_allowed(mime_type, allowed):
        raise invalid_mime_type(mime_type)
