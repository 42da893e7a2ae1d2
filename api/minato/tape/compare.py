"""How one answer differs from another, graded: S1 what a program does next, S2 what it can read, S3 what it reads, S4
what a person reads.

Ids, times, secrets and the server's own address are nobody's to compare: ids stand for one another where they appear
first, and have to go on doing so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

import orjson

from minato.tape.entry import SECRET, Entry, without_keys

GRADES: Final = ("S1", "S2", "S3", "S4")
_ID: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)
_TIME: Final = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d(?::?\d\d)?)?")
_ORIGIN: Final = re.compile(r"https?://[\w.\-]+(?::\d+)?")
_CODES: Final = frozenset({"code", "error_code", "statusCode"})
_WORDS: Final = frozenset({"message", "msg", "hint", "details", "error", "error_description"})
_SHOWN: Final = 200


@dataclass(frozen=True)
class Difference:
    """`where` is `status`, a header, or a place in the body; `there` is what the other server says."""

    grade: str
    where: str
    here: str
    there: str


@dataclass
class Names:
    """Which id of the other server stands for one of the tape, as far as answers have told."""

    there: dict[str, str] = field(default_factory=dict)

    def same(self, here: str, there: str) -> bool:
        """Whether two texts are the same but for what is nobody's to compare; ids become known by it."""
        if _plain(here) != _plain(there):
            return False
        pairs = list(zip(_ID.findall(here), _ID.findall(there), strict=True))
        if any(self.there.get(ours.lower(), theirs.lower()) != theirs.lower() for ours, theirs in pairs):
            return False
        self.there.update({ours.lower(): theirs.lower() for ours, theirs in pairs})
        return True

    def told_there(self, text: str) -> str:
        """A text of the tape, with the ids that the other server has."""
        return _ID.sub(lambda found: self.there.get(found[0].lower(), found[0]), text)


def differences(here: Entry, there: Entry, names: Names) -> list[Difference]:
    """What is different about the answer of the other server."""
    found = list(_of_status(here, there))
    found += _of_bodies(here, there, names)
    for name in dict.fromkeys((*here.headers, *there.headers)):
        ours, theirs = here.headers.get(name), there.headers.get(name)
        if ours is None or theirs is None or not names.same(_header(ours), _header(theirs)):
            found.append(Difference("S4", name, _shown(ours), _shown(theirs)))
    return found


def _of_status(here: Entry, there: Entry) -> Iterator[Difference]:
    if here.status != there.status:
        yield Difference("S1", "status", str(here.status), str(there.status))


def _of_bodies(here: Entry, there: Entry, names: Names) -> Iterator[Difference]:
    ours, theirs = _json(here.answer), _json(there.answer)
    if ours is not _NONE and theirs is not _NONE:
        yield from _walk(ours, theirs, "body", names, here.status >= 400)
    elif (ours is _NONE) is not (theirs is _NONE):
        yield Difference("S2", "body", _shown(here.answer), _shown(there.answer))
    elif not names.same(here.answer or "", there.answer or ""):
        yield Difference("S3", "body", _shown(here.answer), _shown(there.answer))


def _walk(here: object, there: object, where: str, names: Names, is_error: bool) -> Iterator[Difference]:
    if _kind(here) != _kind(there):
        yield Difference("S2", where, _shown(here), _shown(there))
    elif isinstance(here, dict) and isinstance(there, dict):
        for name in dict.fromkeys((*here, *there)):
            place = f"{where}.{name}"
            if name in here and name in there:
                yield from _member(name, here[name], there[name], place, names, is_error)
            else:
                missing = "S4" if is_error and name in _WORDS else "S2"
                yield Difference(missing, place, _shown(here.get(name, "nothing")), _shown(there.get(name, "nothing")))
    elif isinstance(here, list) and isinstance(there, list):
        yield from _lists(here, there, where, names, is_error)
    elif not _same(here, there, names):
        yield Difference("S3", where, _shown(here), _shown(there))


def _member(name: str, here: object, there: object, where: str, names: Names, is_error: bool) -> Iterator[Difference]:
    """Of an error, the code is what programs go by, and the words what people do."""
    found = list(_walk(here, there, where, names, is_error))
    if is_error and name in _CODES:
        yield from (Difference("S1", each.where, each.here, each.there) for each in found)
    elif is_error and name in _WORDS:
        yield from (Difference("S4", each.where, each.here, each.there) for each in found)
    else:
        yield from found


def _lists(here: list[object], there: list[object], where: str, names: Names, is_error: bool) -> Iterator[Difference]:
    if len(here) != len(there):
        yield Difference("S3", where, f"{len(here)} elements", f"{len(there)} elements")
        return
    ordered = [sorted(_plain(_text(each)) for each in side) for side in (here, there)]
    if ordered[0] == ordered[1] and [_plain(_text(each)) for each in here] != [_plain(_text(each)) for each in there]:
        yield Difference("S3", where, "the same elements", "in another order")
        return
    for place, (ours, theirs) in enumerate(zip(here, there, strict=True)):
        yield from _walk(ours, theirs, f"{where}[{place}]", names, is_error)


def _same(here: object, there: object, names: Names) -> bool:
    return names.same(here, there) if isinstance(here, str) and isinstance(there, str) else here == there


def _kind(value: object) -> str:
    """What JSON calls it; a whole number is a number."""
    return "number" if isinstance(value, int | float) and not isinstance(value, bool) else type(value).__name__


_NONE: Final = object()


def _json(text: str | None) -> object:
    try:
        return orjson.loads(text or "")
    except ValueError:
        return _NONE


def _plain(text: str) -> str:
    """A text without what is nobody's to compare.

    >>> _plain("http://127.0.0.1:54321/x of 2026-01-02T03:04:05Z")
    '«url»/x of «time»'
    """
    text = _ORIGIN.sub("«url»", without_keys(text))
    return _TIME.sub("«time»", _ID.sub("«id»", text))


def _header(text: str) -> str:
    return re.sub(r"\s*;\s*", "; ", text.lower())


def _text(value: object) -> str:
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()


def _shown(value: object) -> str:
    text = "nothing" if value is None else value if isinstance(value, str) else _text(value)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"


def holds_a_secret(entry: Entry) -> bool:
    """Whether the request cannot be sent again as it was."""
    return SECRET in entry.path or SECRET in (entry.body or "")
