"""Where tests put their data folders: in memory when there is room, because PostgreSQL and SQLite wait for a disk.

`python -m tests.support.folders` prints the folder; the browser run asks that way. Whoever sets TMPDIR decides.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

import psutil

MEMORY = Path("/dev/shm")
# Two workers have needed 0.7 GiB at their peak; more of them need more, and so do the processes beside them.
ROOM_NEEDED = 6 * 2**30


def use_temporary_folder() -> None:
    """Let everything temporary of this process and of those it starts lie in the folder of the tests."""
    os.environ["TMPDIR"] = tempfile.tempdir = str(temporary_folder())


def temporary_folder() -> Path:
    """Memory, or else the place that the system or the person names."""
    if "TMPDIR" not in os.environ and has_room(MEMORY):
        return MEMORY
    return Path(tempfile.gettempdir())


def has_room(folder: Path) -> bool:
    """Whether `folder` takes files and both it and the machine's memory have room for a whole run."""
    if not os.access(folder, os.W_OK | os.X_OK):
        return False
    free: int = min(shutil.disk_usage(folder).free, psutil.virtual_memory().available)
    return free >= ROOM_NEEDED


if __name__ == "__main__":
    sys.stdout.write(str(temporary_folder()))
