"""The projects of this user that were started and not stopped, for `stop --all` and `stop --project-id`, and for the
commands of a project whose data lie elsewhere.

A note is only a place to look at: whether something runs there, the folder's lock tells.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from minato.cli.local.data_folder import DataFolder
from minato.cli.local.process_lock import lock_holder


class Registry:
    """Notes below the user's folder for state, one a data folder: where it is and, in the second line, the project that
    it was started for.
    """

    def __init__(self, environment: Mapping[str, str]) -> None:
        home = environment.get("HOME")
        state = environment.get("XDG_STATE_HOME") or (os.path.join(home, ".local", "state") if home else None)
        self._folder = Path(state, "minato", "projects") if state else None

    def note(self, folder: DataFolder, project: Path) -> None:
        """Remember a folder; without a place to note it, it is found by its project alone."""
        if self._folder is not None:
            with suppress(OSError):
                self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                self._place(folder).write_text(f"{folder.path}\n{project}")

    def forget(self, folder: DataFolder) -> None:
        if self._folder is not None:
            with suppress(OSError):
                self._place(folder).unlink(missing_ok=True)

    def folders(self) -> list[DataFolder]:
        """Every noted folder that is still there."""
        return [folder for folder, _ in self._notes()]

    def serving(self, project: Path) -> list[DataFolder]:
        """Those that a server of this project has now."""
        return [folder for folder, of in self._notes() if of == str(project) and lock_holder(folder.lock) is not None]

    def _notes(self) -> list[tuple[DataFolder, str]]:
        """Each folder and the project it was noted for, which older notes do not tell."""
        if self._folder is None or not self._folder.is_dir():
            return []
        notes = [note.read_text().partition("\n") for note in sorted(self._folder.iterdir())]
        return [(DataFolder(Path(path)), project) for path, _, project in notes if Path(path).is_dir()]

    def _place(self, folder: DataFolder) -> Path:
        assert self._folder is not None
        return self._folder / hashlib.sha256(os.fsencode(folder.path)).hexdigest()[:16]
