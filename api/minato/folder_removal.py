"""A folder goes with all that is in it, also where somebody has shut folders below it to their owner, who is us: a
function of the project may do so in its `/tmp`.
"""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path

# What is written into it meanwhile goes with the next try.
_TRIES = 3


def remove_folder(folder: Path) -> None:
    """Remove it and all that is in it; what can't be removed stays, without a word."""
    for _ in range(_TRIES):
        shutil.rmtree(folder, ignore_errors=True)
        # What a link leads to is somebody else's.
        if folder.is_symlink() or not folder.exists():
            return
        _open(folder)


def _open(folder: Path) -> None:
    """Let us into it and every folder below; links lead elsewhere."""
    left = [folder]
    while left:
        shut = left.pop()
        with suppress(OSError):
            shut.chmod(0o700)
            left += [Path(entry) for entry in os.scandir(shut) if entry.is_dir(follow_symlinks=False)]
