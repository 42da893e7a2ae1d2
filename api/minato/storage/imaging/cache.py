"""Finished pictures kept in memory, the least recently asked for thrown out first.

Whoever asks has been shown the object's row before: the cache decides nothing. A replaced object has another version,
so what is kept is never stale.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from minato.storage.imaging.transformation import Transformation

if TYPE_CHECKING:
    from minato.storage.imaging.picture import Rendered


@dataclass(frozen=True)
class PictureKey:
    """One version of one object, made to one measure."""

    bucket: str
    name: str
    version: str
    wanted: Transformation
    negotiated: str


class PictureCache:
    """At most `limit` bytes of pictures; 0 keeps none."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._size = 0
        self._pictures: OrderedDict[PictureKey, Rendered] = OrderedDict()

    def find(self, key: PictureKey) -> Rendered | None:
        """The picture, if it is still here."""
        found = self._pictures.get(key)
        if found is not None:
            self._pictures.move_to_end(key)
        return found

    def keep(self, key: PictureKey, picture: Rendered) -> None:
        """Remember it, unless it alone would fill a good part of the cache."""
        if len(picture.content) * 4 > self._limit:
            return
        self._drop(key)
        self._pictures[key] = picture
        self._size += len(picture.content)
        while self._size > self._limit:
            self._drop(next(iter(self._pictures)))

    def purge(self, bucket: str | None = None, name: str | None = None) -> int:
        """Forget the pictures of an object, of a bucket, or all; how many."""
        gone = [key for key in self._pictures if bucket in (None, key.bucket) and name in (None, key.name)]
        for key in gone:
            self._drop(key)
        return len(gone)

    def _drop(self, key: PictureKey) -> None:
        found = self._pictures.pop(key, None)
        if found is not None:
            self._size -= len(found.content)
