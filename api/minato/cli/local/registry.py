"""The projects of this user that were started and not stopped, for `stop --all` and `stop --project-id`.

A note is only a place to look at: whether something runs there, the folder's lock tells.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from minato.cli.local.data_folder import DataFolder


class Registry:
    """Notes below the user's folder for state, one a data folder."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        home = environment.get("HOME")
        state = environment.get("XDG_STATE_HOME") or (os.path.join(home, ".local", "state") if home else None)
        self._folder = Path(state, "minato", "projects") if state else None

    def note(self, folder: DataFolder) -> None:
        """Remember a folder; without a place to note it, it is found by its project alone."""
        if self._folder is not None:
            with suppress(OSError):
                self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                self._place(folder).write_text(str(folder.path))

    def forget(self, folder: DataFolder) -> None:
        if self._folder is not None:
            with suppress(OSError):
                self._place(folder).unlink(missing_ok=True)

    def folders(self) -> list[DataFolder]:
        """Every noted folder that is still there."""
        if self._folder is None or not self._folder.is_dir():
            return []
        paths = [Path(note.read_text()) for note in sorted(self._folder.iterdir())]
        return [DataFolder(path) for path in paths if path.is_dir()]

    def _place(self, folder: DataFolder) -> Path:
        assert self._folder is not None
        return self._folder / hashlib.sha256(os.fsencode(folder.path)).hexdigest()[:16]
