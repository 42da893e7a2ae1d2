"""Headers that a client sends with one request after the other: what they come to is found out once.

What is kept beside a list of headers belongs to exactly that list, byte for byte, the token in it among them. Whoever
keeps something there keeps with it what else it depends on, and compares that each time: settings, keys, the time.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from minato.http.asgi import Header

# Where the gateway leaves them in a scope for the rooms.
REPEATED_HEADERS = "minato.repeated_headers"
REQUEST_ID = b"x-request-id"
# Bytes of headers; what is made of them is a small multiple. A short list counts as LEAST, for that is what it costs,
# and a longer one than LONGEST is read each time.
MOST = 1024 * 1024
LEAST, LONGEST = 1024, 8 * 1024

T = TypeVar("T")


@dataclass(slots=True, eq=False, repr=False)
class RepeatedHeaders:
    """The headers of a request but for the id that each gets by itself, which stands between `before` and `after`.

    `made` is what rooms made of them, by the name of what it is.
    """

    before: tuple[Header, ...]
    after: tuple[Header, ...] = ()
    made: dict[str, object] = field(default_factory=dict)

    def with_id(self, request_id: str) -> list[Header]:
        """All headers of one request.

        >>> RepeatedHeaders(((b"host", b"here"),), ((b"authorization", b"Bearer a"),)).with_id("7")
        [(b'host', b'here'), (b'x-request-id', b'7'), (b'authorization', b'Bearer a')]
        """
        return [*self.before, (REQUEST_ID, request_id.encode()), *self.after]

    def id_among(self, headers: Sequence[Header]) -> bytes | None:
        """The id that stands in the `headers` of one request; None where the client's own is among the repeated ones.

        >>> repeated = RepeatedHeaders(((b"host", b"here"),))
        >>> repeated.id_among(repeated.with_id("7")), repeated.id_among([(b"host", b"here")])
        (b'7', None)
        """
        place = len(self.before)
        return headers[place][1] if len(headers) > place + len(self.after) else None


class Remembered(Generic[T]):
    """What was made of the lists of headers that came last (MOST bytes), by them and what else it was made of."""

    def __init__(self) -> None:
        self._known: OrderedDict[Hashable, tuple[T, int]] = OrderedDict()
        self.held = 0

    def find(self, key: Hashable) -> T | None:
        """What was made before."""
        found = self._known.get(key)
        if found is None:
            return None
        self._known.move_to_end(key)
        return found[0]

    def keep(self, key: Hashable, headers: tuple[Header, ...], made: T) -> None:
        """Remember it, if the list is not too long; those that came longest ago are forgotten."""
        size = max(LEAST, sum(len(name) + len(value) for name, value in headers))
        if size > LONGEST:
            return
        self._known[key] = (made, size)
        self.held += size
        while self.held > MOST:
            self.held -= self._known.popitem(last=False)[1][1]
