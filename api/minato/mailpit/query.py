"""Mailpit's language for searching: terms that must all hold, `-` or `!` before one that must not.

>>> parse('to:a@b.c subject:"Confirm your" -is:read')
[Term(name='to', value='a@b.c', excludes=False), Term(name='subject', value='Confirm your', excludes=False), \
Term(name='is:read', value='', excludes=True)]
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from zoneinfo import ZoneInfo

from minato.mailpit.letter import Letter
from minato.mailpit.stripped import clean

_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s?([a-z]{1,2})?")
_UNITS = {"": 1, "k": 1024, "kb": 1024, "m": 1024**2, "mb": 1024**2}
_DATES = ("%Y/%m/%d", "%m/%d/%Y", "%Y/%m/%d %H:%M", "%Y/%m/%d %H:%M:%S", "%Y-%m-%d %H:%M:%S %z")
_NAMED = re.compile(
    r"(to|from|cc|bcc|reply-to|addressed|subject|message-id|tag|after|before|larger|smaller):(.*)",
    re.IGNORECASE | re.DOTALL,
)
_PEOPLE: Mapping[str, tuple[str, ...]] = {
    "to": ("To",),
    "from": ("From",),
    "cc": ("Cc",),
    "bcc": ("Bcc",),
    "reply-to": ("Reply-To",),
    "addressed": ("To", "From", "Cc", "Bcc", "Reply-To"),
}
_STATES: Mapping[str, Callable[[Letter], bool]] = {
    "is:read": lambda letter: letter.is_read,
    "is:unread": lambda letter: not letter.is_read,
    "is:tagged": lambda letter: bool(letter.tags),
    "has:attachment": lambda letter: bool(letter.parts.attachments),
    "has:attachments": lambda letter: bool(letter.parts.attachments),
    "has:inline": lambda letter: bool(letter.parts.inlines),
    "has:inlines": lambda letter: bool(letter.parts.inlines),
}


@dataclass(frozen=True)
class Term:
    """`name` is the word before the colon, a state (`is:read`), or empty for words sought everywhere."""

    name: str
    value: str
    excludes: bool


def parse(query: str) -> list[Term]:
    """The terms of a query; quotes keep words together."""
    return [term for word in _words(query) if clean(word) and (term := _term(word)) is not None]


def matching(letters: list[Letter], query: str, zone: str) -> list[Letter]:
    """Those that the query asks for, in the same order; dates in it are of the named time zone."""
    found = letters
    for term in parse(query):
        test = _test(term, _zone(zone))
        if test is not None:
            found = [letter for letter in found if test(letter) is not term.excludes]
    return found


def parse_moment(text: str, zone: tzinfo = UTC) -> datetime | None:
    """A date, or a date and a time; None for what is neither."""
    for form in (None, *_DATES):
        try:
            found = datetime.fromisoformat(text) if form is None else datetime.strptime(text, form)
        except ValueError:
            continue
        return found if found.tzinfo is not None else found.replace(tzinfo=zone)
    return None


def _words(query: str) -> list[str]:
    words = re.findall(r'(?:"[^"]*"?|[^ ])+', query)
    return [word for word in (found.replace('"', "").strip() for found in words) if word]


def _term(word: str) -> Term | None:
    excludes = len(word) > 1 and word[0] in "-!"
    asked = word[1:] if excludes else word
    if asked.lower() in _STATES:
        return Term(asked.lower(), "", excludes)
    named = _NAMED.fullmatch(asked)
    if named is None or (named[1].lower() in ("larger", "smaller") and not _bytes(named[2])):
        return Term("", asked, excludes)
    # A name without a value asks for nothing.
    return Term(named[1].lower(), named[2], excludes) if named[2].strip() else None


def _test(term: Term, zone: tzinfo) -> Callable[[Letter], bool] | None:
    """What the term asks of a letter; None for a date that is none, which is heeded by nobody."""
    sought = clean(term.value)
    if term.name in _STATES:
        return _STATES[term.name]
    if term.name in _PEOPLE:
        return lambda letter: _names(letter, _PEOPLE[term.name], sought)
    if term.name in ("after", "before"):
        return _dated(term, zone)
    tests: Mapping[str, Callable[[Letter], bool]] = {
        "subject": lambda letter: term.value.lower() in letter.subject.lower(),
        "message-id": lambda letter: sought in letter.message_id.lower(),
        "tag": lambda letter: sought in (tag.lower() for tag in letter.tags),
        "larger": lambda letter: len(letter.source) > _bytes(term.value),
        "smaller": lambda letter: len(letter.source) < _bytes(term.value),
        "": lambda letter: sought in letter.searched,
    }
    return tests[term.name]


def _names(letter: Letter, headers: tuple[str, ...], sought: str) -> bool:
    people = (person for header in headers for person in letter.addresses(header))
    return any(sought in text.lower() for person in people for text in (person.name, person.address))


def _dated(term: Term, zone: tzinfo) -> Callable[[Letter], bool] | None:
    moment = parse_moment(term.value.strip().upper(), zone)
    if moment is None:
        return None
    if term.name == "after":
        return lambda letter: letter.created >= moment
    return lambda letter: letter.created <= moment


def _bytes(text: str) -> int:
    found = _SIZE.fullmatch(text.strip().lower())
    return int(float(found[1]) * _UNITS.get(found[2] or "", 0)) if found else 0


def _zone(name: str) -> tzinfo:
    try:
        return ZoneInfo(name) if name else UTC
    except (ValueError, OSError):
        return UTC
