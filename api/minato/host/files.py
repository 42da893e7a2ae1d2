"""The files of branches: a file never changes once it is written, so a branch has links to those of its source."""

from __future__ import annotations

import errno
import os
import shutil
from contextlib import suppress
from pathlib import Path

from minato.host.errors import BranchError

STORAGE, SQL_CLOCK = "storage", "sql-clock"
# What is copied at most where links are not possible, in bytes.
LARGEST_COPY = 200 * 1024 * 1024


def link_files(source: Path, target: Path) -> None:
    """Give `target` the stored files of `source`. Raises BranchError where they are too many to be copied."""
    copied = 0
    (target / STORAGE).mkdir(mode=0o700, parents=True, exist_ok=True)
    if (source / SQL_CLOCK).exists():
        # Says that the time of SQL was moved, and with it that of the clone: its backend puts it back.
        (target / SQL_CLOCK).touch()
    for folder, _, names in os.walk(source / STORAGE):
        place = target / STORAGE / Path(folder).relative_to(source / STORAGE)
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        for name in names:
            # A part of a write under way, which is renamed when it is whole.
            if "#" not in name:
                copied += _link(Path(folder, name), place / name)
        if copied > LARGEST_COPY:
            raise BranchError(409, "not_local_files", "The files lie on another file system, and are too large to copy")


def _link(file: Path, link: Path) -> int:
    """How many bytes had to be copied; a file that was deleted meanwhile is left out."""
    with suppress(FileNotFoundError):
        try:
            os.link(file, link)
        except OSError as error:
            if error.errno not in (errno.EXDEV, errno.EPERM, errno.EMLINK, errno.ENOTSUP):
                raise
            shutil.copy2(file, link)
            return link.stat().st_size
    return 0


def bytes_below(folder: Path) -> int:
    """What the stored files take."""
    found = (Path(place, name) for place, _, names in os.walk(folder / STORAGE) for name in names)
    return sum(file.stat().st_size for file in found if file.exists())
