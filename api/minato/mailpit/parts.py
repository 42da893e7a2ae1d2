"""A message's MIME parts, told apart as enmime does it, the library by which Mailpit and Inbucket read mail."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from email.message import Message
from functools import cached_property

from minato.mail.plain_text import plain_text

_OCTETS = "application/octet-stream"


@dataclass(frozen=True)
class Part:
    """A leaf of the tree; `id` is its place, `1.2` the second part of the first."""

    id: str
    media_type: str
    disposition: str
    file_name: str
    content_id: str
    content: bytes
    charset: str

    @property
    def shown_name(self) -> str:
        return self.file_name or self.content_id

    @property
    def text(self) -> str:
        try:
            return self.content.decode(self.charset, "replace")
        except LookupError:
            return self.content.decode("utf-8", "replace")


class Parts:
    """What a message holds: its text, its HTML, and what is attached."""

    def __init__(self, message: Message) -> None:
        self._all = list(_leaves(message, ""))
        self._is_alternative = message.get_content_type() == "multipart/alternative"

    @cached_property
    def text(self) -> str:
        """The text; of a message that has HTML alone, what a person reads in it."""
        found = [part.text for part in self._all if part.media_type == "text/plain" and not _is_attached(part)]
        written = "".join(found[:1]) if self._is_alternative else "\n--\n".join(found)
        return written if written.strip() else plain_text(self.html)

    @cached_property
    def html(self) -> str:
        found = (part.text for part in self._all if part.media_type == "text/html" and not _is_attached(part))
        return next(found, "")

    @property
    def attachments(self) -> list[Part]:
        return [part for part in self._all if _is_attached(part)]

    @property
    def inlines(self) -> list[Part]:
        """Pictures in the text, and other parts that are neither text nor attached."""
        rest = [part for part in self._all if not _is_attached(part)]
        return [part for part in rest if part.disposition == "inline"] + [
            part for part in rest if not part.disposition and part.media_type not in ("text/plain", "text/html")
        ]

    def find(self, part_id: str) -> Part | None:
        """An attachment or a picture by its place."""
        return next((part for part in [*self.inlines, *self.attachments] if part.id == part_id), None)


def _is_attached(part: Part) -> bool:
    return part.disposition == "attachment" or part.media_type == _OCTETS


def _leaves(message: Message, place: str) -> Iterator[Part]:
    children = message.get_payload()
    if not message.is_multipart() or not isinstance(children, list):
        yield _leaf(message, place or "0")
        return
    for number, child in enumerate(children, 1):
        if isinstance(child, Message):
            yield from _leaves(child, f"{place}.{number}" if place else str(number))


def _leaf(message: Message, place: str) -> Part:
    content = message.get_payload(decode=True)
    return Part(
        id=place,
        media_type=message.get_content_type(),
        disposition=(message.get_content_disposition() or "").lower(),
        file_name=message.get_filename() or "",
        content_id=str(message.get("Content-ID", "")).strip().strip("<>"),
        content=content if isinstance(content, bytes) else b"",
        charset=str(message.get_content_charset() or "utf-8"),
    )
