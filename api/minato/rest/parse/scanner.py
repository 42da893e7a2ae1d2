"""A cursor over a text that keeps an account, as Parsec does, of what could have come where it stands.

The error texts of the query string are part of the wire contract: they say what came and what could have come. Parsec's
rules: what was read forgets what else could have come before it; a reading that fails after it read something is not
followed by another one, unless it is an attempt; a label stands for all that a reading could have begun with.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from minato.rest.errors import RestError, parse_error

T = TypeVar("T")

MAX_DEPTH = 40
LONG = 1000
END = "end of input"
TAB = 8
BLANKS = re.compile(r"[ \t]*")
CONTROLS = (
    "NUL SOH STX ETX EOT ENQ ACK a b t n v f r SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US".split()
)


@dataclass(frozen=True, slots=True)
class Account:
    """What was met at `position` and what was `expected` there.

    `met` is the text a reading stumbled over (None: nothing was expected yet, empty: the end), `forbidden` the
    character that stood where none may.
    """

    position: int = 0
    met: str | None = None
    forbidden: str | None = None
    expected: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        return self.met is None and self.forbidden is None and not self.expected

    def merged(self, other: Account) -> Account:
        """The account of the one that got further; of both where they stand at the same place."""
        if self.is_empty or other.is_empty:
            return other if self.is_empty else self
        if self.position != other.position:
            return self if self.position > other.position else other
        met = self.met if self.met is not None else other.met
        forbidden = self.forbidden if self.forbidden is not None else other.forbidden
        return Account(self.position, met, forbidden, self.expected + other.expected)

    def labelled(self, label: str) -> Account:
        return replace(self, expected=(label,))


NOTHING = Account()


class ParseFailure(Exception):
    """The text does not follow the grammar; the scanner knows where and why. `consumed`: something had been read."""

    def __init__(self, account: Account, consumed: bool = False) -> None:
        super().__init__()
        self.account = account
        self.consumed = consumed


def shown(text: str, quote: str = '"') -> str:
    r"""`text` as Haskell writes it.

    >>> print(shown("a"), shown("\t"), shown('"'), shown("é"), shown("'", "'"))
    "a" "\t" "\"" "\233" '\''
    """
    return quote + "".join(_escaped(each, quote) for each in text) + quote


def _escaped(character: str, quote: str) -> str:
    code = ord(character)
    if character in ("\\", quote):
        return "\\" + character
    if code < 32:
        return "\\" + CONTROLS[code]
    if code < 127:
        return character
    return "\\DEL" if code == 127 else f"\\{code}"


class Scanner:
    """Reads `text` left to right. What reads moves on or raises ParseFailure.

    The account is kept only by one that `explains`: most texts are right, and a wrong one is read again for it, from
    a position on if need be. `element` is where the last element of a list began.
    """

    def __init__(self, text: str, explains_from: int | None = None) -> None:
        self.text = text
        self.position = 0
        self.element = 0
        self.depth = 0
        self.account = NOTHING
        self._explains_from = len(text) + 1 if explains_from is None else explains_from

    @property
    def explains(self) -> bool:
        """Whether an account is kept here."""
        return self.position >= self._explains_from

    @property
    def at_end(self) -> bool:
        return self.position >= len(self.text)

    @property
    def next(self) -> str:
        """The next character, empty at the end."""
        return self.text[self.position : self.position + 1]

    def peek(self, token: str) -> bool:
        """Whether `token` comes next."""
        return self.text.startswith(token, self.position)

    def may_come(self, token: str) -> bool:
        """Whether a reading that needs `token` further on is worth trying; one that explains tries them all."""
        return self.explains or self.text.find(token, self.position) >= 0

    def string(self, token: str) -> str:
        """Read `token`."""
        if self.text.startswith(token, self.position):
            self._read(len(token))
            return token
        if not self.explains:
            raise ParseFailure(NOTHING, consumed=len(token) > 1 and self.peek(token[0]))
        matched = next(length for length in range(len(token)) if not self.peek(token[: length + 1]))
        at = self.position + matched
        raise self._stumbled(self.text[at : at + 1], shown(token), consumed=matched > 0)

    def one_of(self, tokens: Sequence[str]) -> str:
        """Read the first of `tokens` that comes next, each an attempt."""
        for token in tokens:
            if self.text.startswith(token, self.position):
                self._read(len(token))
                return token
        if not self.explains:
            raise ParseFailure(NOTHING)
        return self.choice(*(partial(self.attempt, partial(self.string, token)) for token in tokens))

    def character(self, allowed: Callable[[str], bool], *expected: str) -> str:
        """Read one character that is `allowed`."""
        character = self.next
        if character and allowed(character):
            self._read(1)
            return character
        raise self._stumbled(character, *expected)

    def many(self, pattern: re.Pattern[str], *expected: str, at_least: int = 0) -> str:
        """Read as many characters as there are of the one kind that `pattern` repeats."""
        start = self.position
        found = pattern.match(self.text, start)
        text = found[0] if found else ""
        if len(text) < at_least:
            raise self._stumbled(self.text[start : start + 1], *expected)
        if text:
            self._read(len(text))
        if self.explains:
            self.note(self.next, *expected)
        return text

    def blanks(self) -> None:
        self.many(BLANKS)

    def end_or(self, *tokens: str) -> None:
        """Nothing is left, or one of `tokens` comes next; it is not read."""
        if not self.explains and (self.at_end or any(self.peek(token) for token in tokens)):
            return
        ahead = (partial(self.attempt, partial(self.ahead, token)) for token in tokens)
        self.choice(*ahead, partial(self.attempt, self.end))

    def end(self) -> None:
        """Nothing may be left."""
        if not self.at_end:
            raise self._failed(Account(self.position, None, self.text[self.position], (END,)))
        self.note("", END)

    def not_followed_by(self, forbids: Callable[[str], bool], *expected: str) -> None:
        """The next character is none that `forbids`; as odd as it is, that one is told to be expected."""
        if not self.at_end and forbids(self.text[self.position]):
            # It was read before it was found to be forbidden.
            raise self._failed(Account(self.position + 1, None, self.text[self.position]))
        self.note(self.next, *expected)

    def note(self, met: str, *expected: str) -> None:
        """Something optional did not come here."""
        if not self.explains:
            return
        self.account = self.account.merged(Account(self.position, met, None, expected))

    def attempt(self, read: Callable[[], T]) -> T:
        """Read; a failure counts as if nothing had been read."""
        start = self.position
        try:
            return read()
        except ParseFailure as failure:
            self.position = start
            raise ParseFailure(failure.account) from None

    def choice(self, *readings: Callable[[], T]) -> T:
        """The first reading that succeeds, or fails after it read something."""
        before, start, failed = self.account, self.position, NOTHING
        for read in readings:
            self.account = NOTHING
            try:
                value = read()
            except ParseFailure as failure:
                if self._has_begun(failure, start):
                    raise
                failed = failed.merged(failure.account)
                continue
            if self.position == start:
                self.account = before.merged(failed.merged(self.account))
            return value
        raise ParseFailure(before.merged(failed))

    def optional(self, read: Callable[[], T], begin: str = "") -> T | None:
        """What `read` reads, or None when it does not even begin here; `begin` is how it would."""
        if not self.explains:
            return self._tried(read) if self.text.startswith(begin, self.position) else None
        nothing: Callable[[], T | None] = lambda: None  # noqa: E731
        return self.choice(read, nothing)

    def _tried(self, read: Callable[[], T]) -> T | None:
        start = self.position
        try:
            return read()
        except ParseFailure as failure:
            if self._has_begun(failure, start):
                raise
            return None

    def repeated(self, read: Callable[[], T], begin: str = "") -> list[T]:
        """As many as there are."""
        values: list[T] = []
        while (value := self.optional(read, begin)) is not None:
            values.append(value)
        return values

    def separated(self, read: Callable[[], T], separator: Callable[[], object], begin: str = "") -> list[T]:
        """One or more, between separators that `begin` so."""

        def further() -> T:
            separator()
            self.element = self.position
            value = read()
            # Parsec forgets how another element than the first might have gone on.
            self.account = NOTHING
            return value

        return [read(), *self.repeated(further, begin)]

    def ahead(self, token: str) -> None:
        """`token` comes next; nothing is read."""
        if not self.explains and self.peek(token):
            return
        before, start = self.account, self.position
        self.string(token)
        self.position, self.account = start, before

    def labelled(self, label: str, read: Callable[[], T]) -> T:
        """What `read` reads, called `label` where it does not even begin."""
        if not self.explains:
            return read()
        before, start = self.account, self.position
        self.account = NOTHING
        try:
            value = read()
        except ParseFailure as failure:
            if self._has_begun(failure, start):
                raise
            raise ParseFailure(before.merged(failure.account.labelled(label))) from None
        if self.position == start:
            inside = self.account if self.account.is_empty else self.account.labelled(label)
            self.account = before.merged(inside)
        return value

    @contextmanager
    def nested(self) -> Iterator[None]:
        """One level of parentheses deeper. The reference has no limit; a stack has."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            too_deep = f"at most {MAX_DEPTH} levels of nesting"
            raise ParseFailure(Account(self.position, "", None, (too_deep,)), consumed=True)
        yield
        self.depth -= 1

    def _has_begun(self, failure: ParseFailure, start: int) -> bool:
        """Whether what failed had read something: no other reading is tried then."""
        return failure.consumed or self.position > start

    def _read(self, length: int) -> None:
        self.position += length
        self.account = NOTHING

    def _stumbled(self, met: str, *expected: str, consumed: bool = False) -> ParseFailure:
        own = Account(self.position, met, None, expected) if self.explains else NOTHING
        return ParseFailure(own, True) if consumed else self._failed(own)

    def _failed(self, own: Account) -> ParseFailure:
        return ParseFailure(self.account.merged(own) if self.explains else NOTHING)


def parsed(text: str, what: str, read: Callable[[Scanner], T]) -> T:
    """What `read` makes of the beginning of `text`. Raises PGRST100; `what` is "filter", "select parameter", …"""
    scanner = Scanner(text)
    try:
        return read(scanner)
    except ParseFailure:
        pass
    # An account costs far more than reading: of a long text the end alone is explained, if that explains it.
    for begin in (scanner.element, 0) if len(text) > LONG else (0,):
        try:
            return read(Scanner(text, begin))
        except ParseFailure as failure:
            account = failure.account
        if not account.is_empty:
            break
    raise _refused(text, what, account)


def _refused(text: str, what: str, account: Account) -> RestError:
    line, column = 1, 1
    for character in text[: account.position]:
        if character == "\n":
            line, column = line + 1, 1
        else:
            column += TAB - (column - 1) % TAB if character == "\t" else 1
    message = f'"failed to parse {what}" (line {line}, column {column})'
    return parse_error(message, " ".join(part for part in (_unexpected(account), _expecting(account)) if part))


def _unexpected(account: Account) -> str:
    if account.forbidden is not None:
        return f"unexpected {shown(account.forbidden, chr(39))}"
    if account.met is None:
        return ""
    return f"unexpected {shown(account.met) if account.met else END}"


def _expecting(account: Account) -> str:
    *rest, last = dict.fromkeys(account.expected) or [""]
    if not last:
        return ""
    return "expecting " + (f"{', '.join(rest)} or {last}" if rest else last)
