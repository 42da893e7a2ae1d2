"""An error as libpq words it for people (PQresultErrorMessage): severity, message, the line with a caret, the rest."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

# So much of a line is shown, and so much of what follows the place.
DISPLAY, RIGHT = 60, 10


def report(fields: Mapping[str, str], text: str) -> str:
    """The message of `fields`, an ErrorResponse by letter, to the statements in `text`; it ends with a newline."""
    place, shown = fields.get("P"), text
    if place is None and "q" in fields:
        place, shown = fields.get("p"), fields["q"]
    lines = [f"{fields.get('S', 'ERROR')}:  {fields.get('M', '')}\n"]
    if place is not None and place.isdecimal():
        lines.append(_line_with_caret(shown, int(place) - 1))
    for letter, name in (("D", "DETAIL"), ("H", "HINT"), ("q", "QUERY"), ("W", "CONTEXT")):
        if letter in fields:
            lines.append(f"{name}:  {fields[letter]}\n")
    return "".join(lines)


def _line_with_caret(text: str, place: int) -> str:
    """The line of `text` in which character `place` stands, cut to a screen's width, and a caret below it."""
    if not 0 <= place <= len(text):
        return ""
    before = text[:place].replace("\r\n", "\n").replace("\r", "\n")
    begin = max(text.rfind("\n", 0, place), text.rfind("\r", 0, place)) + 1
    ends = [found for found in (text.find("\n", place), text.find("\r", place)) if found >= 0]
    end = min(ends, default=len(text))
    head, tail = "", ""
    if _width(text[begin:end]) > DISPLAY:
        begin, end, head, tail = _cut(text, begin, place, end)
    start = f"LINE {before.count(chr(10)) + 1}: {head}"
    margin = len(start) + _width(text[begin:place])
    return f"{start}{text[begin:end]}{tail}\n{' ' * margin}^\n".replace("\t", " ")


def _cut(text: str, begin: int, place: int, end: int) -> tuple[int, int, str, str]:
    """What of a long line is shown, and what stands for what isn't."""
    head = tail = ""
    if DISPLAY >= _width(text[begin:place]) + RIGHT:
        while _width(text[begin:end]) > DISPLAY:
            end -= 1
        return begin, end, head, "..."
    while _width(text[place:end]) > RIGHT:
        end, tail = end - 1, "..."
    while _width(text[begin:end]) > DISPLAY:
        begin, head = begin + 1, "..."
    return begin, end, head, tail


def _width(text: str) -> int:
    """The columns of a screen that `text` takes."""
    return sum(2 if unicodedata.east_asian_width(each) in "WF" else 1 for each in text)
