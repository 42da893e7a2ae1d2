"""Globs of the redirect allow list, read as the reference's library reads them (gobwas/glob, separators `.` and `/`).

`*` stays between separators, `**` crosses them, `?` is one character that is none; `[abc]`, `[a-c]`, `[!abc]`;
`{one,two}`; a backslash takes the next character as it is. Not as in shells: `^` in a list is itself, and a list is
either one range or some characters.
"""

from __future__ import annotations

import re
from functools import lru_cache

_BETWEEN = "[^./]"


def matches(glob: str, text: str) -> bool:
    """Whether all of `text` is what `glob` says; nothing is what a malformed one says.

    >>> matches("https://*.example/**", "https://a.example/b/c"), matches("https://*.example/", "https://a.b.example/")
    (True, False)
    """
    pattern = _compiled(glob)
    return pattern is not None and pattern.fullmatch(text) is not None


@lru_cache(maxsize=256)
def _compiled(glob: str) -> re.Pattern[str] | None:
    try:
        return re.compile(_Reader(glob).read(), re.S)
    except ValueError:
        return None


class _Reader:
    """A glob turned into a regular expression, from left to right."""

    def __init__(self, glob: str) -> None:
        self._rest = glob
        self._depth = 0

    def read(self) -> str:
        parts: list[str] = []
        while self._rest:
            parts.append(self._part())
        # The reference's library forgives a brace that is never closed.
        return "".join(parts) + ")" * self._depth

    def _part(self) -> str:
        mark = self._next()
        if mark == "*":
            return ".*" if self._skip("*") else f"{_BETWEEN}*"
        if mark == "?":
            return _BETWEEN
        if mark == "[":
            return self._list()
        if mark == "{":
            self._depth += 1
            return "(?:"
        if self._depth and mark in ",}":
            self._depth -= mark == "}"
            return "|" if mark == "," else ")"
        return re.escape(self._next() if mark == "\\" else mark)

    def _list(self) -> str:
        refused = "^" if self._skip("!") else ""
        if self._rest[1:2] == "-":
            low, high = self._rest[0], self._rest[2:3]
            self._rest = self._rest[3:]
            if not high or low > high or not self._skip("]"):
                raise ValueError("the range is none")
            return f"[{refused}{re.escape(low)}-{re.escape(high)}]"
        listed = ""
        while not self._skip("]"):
            mark = self._next()
            listed += re.escape(self._next() if mark == "\\" else mark) if self._rest else ""
            if not self._rest:
                raise ValueError("the list does not end")
        if not listed:
            raise ValueError("the list is empty")
        return f"[{refused}{listed}]"

    def _next(self) -> str:
        """The next character, which is empty behind the end."""
        mark, self._rest = self._rest[:1], self._rest[1:]
        return mark

    def _skip(self, mark: str) -> bool:
        """Whether it is next; passed over, if so."""
        found = self._rest.startswith(mark)
        self._rest = self._rest[found:]
        return found
