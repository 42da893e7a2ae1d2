"""A kept message as a mail catcher knows it: its source, and what is read in the source once."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from email import message_from_bytes
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from email.message import Message
from email.utils import getaddresses, parsedate_to_datetime
from functools import cached_property
from uuid import UUID

from minato.mailpit.parts import Parts
from minato.mailpit.stripped import search_text, snippet

_ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_ID_LENGTH = 22
_NOT_IN_TAGS = re.compile(r"[^a-zA-Z0-9\- _.@]")
_TAG_LIMIT = 100


@dataclass(frozen=True)
class Address:
    """One of `From`, `To` and the like."""

    name: str
    address: str

    @property
    def local_part(self) -> str:
        return self.address.partition("@")[0]


class Letter:
    """A message. `created` is when it was kept, in UTC; `source` is RFC 5322."""

    def __init__(self, entry_id: UUID, created: datetime, source: bytes) -> None:
        self.entry_id = entry_id
        self.id = short_id(entry_id)
        # Mailpit counts in milliseconds, and is asked for what came before one it told.
        self.created = created.replace(microsecond=created.microsecond // 1000 * 1000)
        self.source = source
        self.tags: list[str] = []
        self.is_read = False
        self.message = message_from_bytes(source)
        self.set_tags(self._own_tags())

    @cached_property
    def parts(self) -> Parts:
        return Parts(self.message)

    @cached_property
    def subject(self) -> str:
        return self.header("Subject")

    @cached_property
    def sender(self) -> Address | None:
        """Who it is from; None when it does not say."""
        found = self.addresses("From")
        name = self.header("From")
        return found[0] if found else Address(name, "") if name else None

    @cached_property
    def message_id(self) -> str:
        return self.header("Message-ID").strip("<>")

    @cached_property
    def snippet(self) -> str:
        return snippet(self.parts.text, self.parts.html)

    @cached_property
    def searched(self) -> str:
        """What a search for words looks through, in lower case."""
        names = ("From", "Subject", "To", "Cc", "Bcc", "Reply-To", "Return-Path")
        files = [part.file_name for part in self.parts.attachments]
        return search_text([self.header(name) for name in names], self.parts.text, self.parts.html, files)

    @property
    def date(self) -> datetime:
        """What its Date says, else when it was kept."""
        try:
            found = parsedate_to_datetime(self.header("Date"))
        except (ValueError, TypeError, OverflowError):
            return self.created
        return found if found.tzinfo is not None else found.replace(tzinfo=UTC)

    def header(self, name: str) -> str:
        """A header with its encoded words read; empty when it is absent."""
        return next((decoded(value) for value in values(self.message, name)), "")

    def addresses(self, name: str) -> list[Address]:
        """The people a header names."""
        found = getaddresses(values(self.message, name))
        return [Address(decoded(name), decoded(address)) for name, address in found if address]

    def set_tags(self, tags: list[str]) -> None:
        """In place of those it has; what no tag may hold becomes a space."""
        cleaned = (" ".join(_NOT_IN_TAGS.sub(" ", tag).split())[:_TAG_LIMIT] for tag in tags)
        kept = {tag.lower(): tag for tag in reversed(list(cleaned)) if tag}
        self.tags = sorted(kept.values())

    def _own_tags(self) -> list[str]:
        """`X-Tags`, and what stands behind a plus in the addresses."""
        people = [*(person for name in ("To", "Cc", "Bcc") for person in self.addresses(name))]
        if self.sender is not None:
            people.append(self.sender)
        plus = [tag for person in people for tag in person.local_part.split("+")[1:]]
        return [*self.header("X-Tags").split(","), *plus]


def short_id(number: UUID) -> str:
    """A UUID in Mailpit's 22 letters and digits.

    >>> short_id(UUID(int=61))
    '000000000000000000000z'
    """
    rest, found = number.int, ""
    for _ in range(_ID_LENGTH):
        rest, digit = divmod(rest, len(_ALPHABET))
        found = _ALPHABET[digit] + found
    return found


def header_fields(message: Message) -> dict[str, list[str]]:
    """The headers by name, as Go writes names (`Message-Id`), sorted; values as they stand, in one line each."""
    found: dict[str, list[str]] = {}
    for name, value in message.raw_items():
        canonical = "-".join(word.capitalize() for word in name.split("-"))
        found.setdefault(canonical, []).append(re.sub(r"\r?\n[ \t]+", " ", _as_text(value)))
    return dict(sorted(found.items()))


def values(message: Message, name: str) -> list[str]:
    """The headers of a name, as they stand."""
    return [_as_text(value) for key, value in message.raw_items() if key.lower() == name.lower()]


def _as_text(value: object) -> str:
    """Bytes beyond ASCII that a header has are UTF-8 (RFC 6532), whatever Python makes of them."""
    return str(value).encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def decoded(value: str) -> str:
    """A header's value with its encoded words read, in one line."""
    try:
        return " ".join(str(make_header(decode_header(value))).split())
    except (HeaderParseError, LookupError, ValueError):
        return value
