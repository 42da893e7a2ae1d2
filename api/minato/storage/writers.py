"""Who was allowed to write to a bucket lately, and what the bucket asked of objects then.

It decides nothing: PostgreSQL judges every upload. It tells whose small file may lie on the disk before the judgement,
so that judgement and row are one flush; of strangers' files no byte is written before they are allowed.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

from minato.storage.buckets import BucketLimits
from minato.tokens.caller import Caller

MOST: Final = 10_000


class KnownWriters:
    """Of one backend; those longest unseen are forgotten first."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._limits: OrderedDict[tuple[str, str, str | None], BucketLimits] = OrderedDict()

    def find(self, bucket: str, caller: Caller) -> BucketLimits | None:
        """What the bucket asked when it took the caller's last upload; None when that was refused, or long ago."""
        return self._limits.get((bucket, caller.role, caller.subject))

    def allowed(self, bucket: str, caller: Caller, limits: BucketLimits) -> None:
        """An upload was taken."""
        key = (bucket, caller.role, caller.subject)
        self._limits[key] = limits
        self._limits.move_to_end(key)
        if len(self._limits) > self._most:
            self._limits.popitem(last=False)

    def refused(self, bucket: str, caller: Caller) -> None:
        """An upload was not."""
        self._limits.pop((bucket, caller.role, caller.subject), None)
