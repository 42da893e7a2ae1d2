"""A cursor over a text that remembers, like Parsec, what it expected at the furthest place it reached.

The error texts of the query string are part of the wire contract; they say what came and what could have come there.
"""

from __future__ import annotations

from collections.abc import Collection

from api.rest.errors import RestError, parse_error

MAX_DEPTH = 100


class ParseFailure(Exception):
    """The text does not follow the grammar; the scanner knows where and why."""


class Scanner:
    """Reads `text` left to right. `take_…` moves on or returns None, `expect_…` moves on or fails."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self.depth = 0
        self._furthest = 0
        self._expected: list[str] = []

    @property
    def at_end(self) -> bool:
        return self.position >= len(self.text)

    def peek(self, token: str) -> bool:
        """Whether `token` comes next."""
        return self.text.startswith(token, self.position)

    def take(self, token: str, expected: str | None = None) -> bool:
        """Move over `token` if it comes next."""
        if self.text.startswith(token, self.position):
            self.position += len(token)
            return True
        self.note(f'"{token}"' if expected is None else expected)
        return False

    def take_any(self, tokens: Collection[str]) -> str | None:
        """Move over the first of `tokens` that comes next."""
        for token in tokens:
            if self.text.startswith(token, self.position):
                self.position += len(token)
                return token
        return None

    def take_until(self, stops: str) -> str:
        """Everything up to one of the characters `stops`."""
        start = self.position
        while self.position < len(self.text) and self.text[self.position] not in stops:
            self.position += 1
        return self.text[start : self.position]

    def expect(self, token: str, expected: str | None = None) -> None:
        if not self.take(token, expected):
            raise self.fail()

    def skip_blanks(self) -> None:
        while self.position < len(self.text) and self.text[self.position] in " \t":
            self.position += 1

    def note(self, *expected: str) -> None:
        """Remember that any of `expected` could have come here."""
        if self.position > self._furthest:
            self._furthest, self._expected = self.position, []
        if self.position == self._furthest:
            self._expected += [item for item in expected if item not in self._expected]

    def fail(self, *expected: str) -> ParseFailure:
        self.note(*expected)
        return ParseFailure()

    def remembered(self) -> tuple[int, list[str]]:
        """What was expected so far, to go back to when a reading turns out to be the wrong one."""
        return self._furthest, list(self._expected)

    def forget(self, position: int, remembered: tuple[int, list[str]]) -> None:
        """Go back to `position` as if nothing after it had been tried."""
        self.position = position
        self._furthest, self._expected = remembered

    def enter(self) -> None:
        """One level of parentheses deeper. The reference has no limit; a stack has."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.fail(f"at most {MAX_DEPTH} levels of nesting")

    def leave(self) -> None:
        self.depth -= 1

    def error(self, what: str) -> RestError:
        """PGRST100 for this text: `what` is "filter", "select parameter", …"""
        column = self._furthest + 1
        message = f'"failed to parse {what}" (line 1, column {column})'
        return parse_error(message, f"unexpected {self._unexpected()}{self._expecting()}")

    def _unexpected(self) -> str:
        if self._furthest >= len(self.text):
            return "end of input"
        character = self.text[self._furthest]
        # Parsec reports what stood where the input might have ended as a Char, everything else as a String.
        return f"'{character}'" if "end of input" in self._expected else f'"{character}"'

    def _expecting(self) -> str:
        if not self._expected:
            return ""
        *rest, last = self._expected
        return " expecting " + (f"{', '.join(rest)} or {last}" if rest else last)
