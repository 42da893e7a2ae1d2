"""What the database tells whoever serves it, beside changes of the schema: one connection hears for all.

It is the schema cache's, which every backend has anyway. Who waits for something on a channel says so before the
backend starts, and costs nothing until it comes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial

from minato.database.listener import Listener

Told = Callable[[str], None]
"""Is given the payload. It is empty, too, whenever something may have been missed."""


class Announcements:
    """The channels of one backend."""

    def __init__(self) -> None:
        self._told: defaultdict[str, list[Told]] = defaultdict(list)

    def hear(self, channel: str, told: Told) -> None:
        """Be told of what is notified on `channel`."""
        self._told[channel].append(told)

    async def come_by(self, listener: Listener) -> None:
        """Hear all channels on `listener`, which is new. Raises CONNECTION_ERRORS."""
        for channel, each in self._told.items():
            await listener.hear(channel, partial(_heard, each))
            _heard(each, 0, "")


def _heard(each: Sequence[Told], _process: int, payload: str) -> None:
    for told in each:
        told(payload)
