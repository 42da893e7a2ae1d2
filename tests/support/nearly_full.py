"""A disk with little room, for this process alone.

A disk that is really full would be everybody's, and needs rights to be made. A limit on the size of a file makes the
kernel do the same to a write: what still fits of it is written, and only the next is refused.
"""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def room_for(size: int) -> Iterator[None]:
    """Each file ends after `size` bytes; a write beyond raises OSError ("File too large")."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
