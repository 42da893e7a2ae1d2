"""A backup of a hosted project as it is downloaded: a script of `pg_dumpall`, mostly compressed by gzip."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final, Protocol

# Whoever only starts a process waits for none of it.
if TYPE_CHECKING:
    from minato.cli.target import Target

# How a dump in one of pg_dump's own formats begins.
ARCHIVE: Final = b"PGDMP"
_GZIP: Final = b"\x1f\x8b"


class Restore(Protocol):
    """Puts a backup into a database that holds the platform alone. Raises `ProjectError`."""

    def __call__(
        self, target: Target, backup: Path, environment: Mapping[str, str], tell: Callable[[str], None]
    ) -> None: ...


@contextmanager
def opened(backup: Path) -> Iterator[IO[bytes] | gzip.GzipFile]:
    """The text of a backup. Raises OSError; its reading raises EOFError and zlib.error, too."""
    with backup.open("rb") as plain:
        is_packed = plain.read(2) == _GZIP
        plain.seek(0)
        if not is_packed:
            yield plain
            return
        with gzip.GzipFile(fileobj=plain) as unpacked:
            yield unpacked
