"""Messages longer than PostgreSQL's NOTIFY takes: cut into texts, put together again at the other end.

A notification carries less than 8,000 bytes of text without NUL. Those of one transaction arrive in order and without
others in between, so a sender has one unfinished message at most.
"""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass, field

MAX_CHUNK = 7_900
PIECE = 5_850
"""Bytes per chunk: their base64 and the longest label stay below MAX_CHUNK."""
MAX_CHUNKS = 4_096


def cut(label: str, data: bytes) -> list[str]:
    """`data` as chunks `label:index:count:base64`; `label` is unique to the message and has no colon.

    >>> cut("m1", b"hi")
    ['m1:0:1:aGk=']
    """
    count = max(-(-len(data) // PIECE), 1)
    pieces = (data[i * PIECE : (i + 1) * PIECE] for i in range(count))
    return [f"{label}:{i}:{count}:{base64.b64encode(piece).decode()}" for i, piece in enumerate(pieces)]


@dataclass
class Unfinished:
    """A message of which the first chunks have come."""

    label: str
    count: int
    pieces: list[bytes] = field(default_factory=list)


class Assembly:
    """Puts the chunks of one sender together. What does not fit is forgotten: its message is lost, never mixed."""

    def __init__(self) -> None:
        self._unfinished: Unfinished | None = None

    def add(self, chunk: str) -> bytes | None:
        """The message that `chunk` completes, if it does."""
        try:
            label, index, count, text = chunk.split(":", 3)
            return self._add(label, int(index), int(count), base64.b64decode(text, validate=True))
        except (ValueError, binascii.Error):
            self._unfinished = None
            return None

    def _add(self, label: str, index: int, count: int, piece: bytes) -> bytes | None:
        if index == 0 and 1 <= count <= MAX_CHUNKS:
            self._unfinished = Unfinished(label, count)
        current = self._unfinished
        if current is None or (current.label, current.count, len(current.pieces)) != (label, count, index):
            self._unfinished = None
            return None
        current.pieces.append(piece)
        if len(current.pieces) < count:
            return None
        self._unfinished = None
        return b"".join(current.pieces)
