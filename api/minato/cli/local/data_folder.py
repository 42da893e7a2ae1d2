"""What lies in a project's data folder beside the database, and how it is emptied.

`unfinished` stands there from the moment a new database is begun until its migrations and seeds are all in: data with
it are the remains of a start that was cut off, and are begun anew.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path

from minato.cli.errors import CommandError
from minato.folder_removal import remove_folder

# What survives the removal of the data: it belongs to the running process, not to the database.
_KEPT = frozenset({".gitignore", "server.lock", "server.log", "reset.lock"})
# What `functions cache` makes before there is a server, too. Fetched packages outlive every database.
_OF_FUNCTIONS = frozenset({"deno", "functions"})
# What a server makes. Nothing else is ever deleted: `--data-dir` may name a folder that holds other things.
_MADE = frozenset(
    {
        *("postgres", "postgres.unfinished", "postgres.log", "postgres.password", "postgres.owner-password"),
        *("postgres.port", "postgres.lock", "postgres.extensions", "postgres.socket-word", "run", "storage", "uploads"),
        *("secrets.json", "server.json", "installation.json", "vault.key", "functions"),
    }
)


@dataclass(frozen=True)
class State:
    """What a server says of itself as soon as it is ready. `values` are those of `status`, by their keys; `settings`
    are its own, by the names of the environment, for commands that work on its database as it would.
    """

    project_id: str
    workdir: str
    pid: int
    values: dict[str, str] = field(repr=False)
    announcement: dict[str, object] = field(repr=False)
    stopped: list[str]
    settings: dict[str, str] = field(default_factory=dict, repr=False)


@dataclass(frozen=True)
class CutOff:
    """A start, or a reset, that did not come to its end; `backup` is what it restored, if anything."""

    backup: str


@dataclass(frozen=True)
class DataFolder:
    """The folder of one project; absolute."""

    path: Path

    @property
    def lock(self) -> Path:
        return self.path / "server.lock"

    @property
    def log(self) -> Path:
        return self.path / "server.log"

    @property
    def has_data(self) -> bool:
        """Whether there is a database of an earlier start."""
        return (self.path / "postgres").exists() and not self._unfinished.exists()

    @property
    def reset_lock(self) -> Path:
        return self.path / "reset.lock"

    @property
    def is_bare(self) -> bool:
        """Whether nothing is left but what belongs to no database."""
        return self._names() <= _KEPT

    @property
    def _unfinished(self) -> Path:
        return self.path / "unfinished"

    @property
    def _installation(self) -> Path:
        return self.path / "installation.json"

    @property
    def _state(self) -> Path:
        return self.path / "server.json"

    def prepare(self) -> None:
        """Make the folder, for its owner alone and out of git's sight. Raises `CommandError` for one that is not ours,
        in which nothing is changed.
        """
        self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not self.has_data and not self._unfinished.exists():
            # Without a database of its own, a server has left its lock here, or its secret.
            was_ours = self.lock.exists() or (self.path / "secrets.json").exists()
            self._require_nothing_else(_KEPT | _OF_FUNCTIONS | (_MADE if was_ours else frozenset()))
        ignored = self.path / ".gitignore"
        if not ignored.exists() and self._names() <= _KEPT | _OF_FUNCTIONS:
            ignored.write_text("*\n")

    def begin_anew(self, backup: Path | None = None) -> CutOff | None:
        """Remove what a start that was cut off left, which comes back, and note that what comes into being is not whole
        yet: of `backup`, where one is restored.

        A secret that was made before any database stays. Raises `CommandError` when there is anything that no such
        start has left.
        """
        before = None
        if self._unfinished.exists():
            before = CutOff(self._unfinished.read_text())
            self.remove_data()
        else:
            self._require_nothing_else(_KEPT | _OF_FUNCTIONS | {"secrets.json"})
        self._unfinished.write_text(str(backup.resolve()) if backup is not None else "")
        return before

    def _names(self) -> set[str]:
        return {path.name for path in self.path.iterdir()}

    def _require_nothing_else(self, known: frozenset[str]) -> None:
        others = sorted(self._names() - known)
        if others:
            raise CommandError(
                f"{self.path} holds {others[0]}, which no start of a project made: name an empty folder for the data."
            )

    def begin_reset(self, installation: Sequence[object] | None) -> Sequence[object] | None:
        """Note that the database is not whole until `finish`: a start that finds it so begins anew.

        What the database knew of its files is kept beside it until then; one that was cut off has left it here.
        """
        if installation is None:
            with suppress(OSError, ValueError):
                found = json.loads(self._installation.read_text())
                installation = found if isinstance(found, list) else None
        else:
            self._installation.write_text(json.dumps(list(installation)))
        self._unfinished.touch()
        return installation

    def finish(self) -> None:
        """The database is whole."""
        self._installation.unlink(missing_ok=True)
        self._unfinished.unlink(missing_ok=True)

    def remove_data(self) -> None:
        """Leave nothing of the database and the stored files; what else lies there stays."""
        if not self.lock.exists():
            return
        # Cut off here, the rest is still known as the remains of a database.
        self._unfinished.touch()
        for name in _MADE:
            path = self.path / name
            if path.is_dir() and not path.is_symlink():
                remove_folder(path)
            else:
                path.unlink(missing_ok=True)
        self._unfinished.unlink(missing_ok=True)

    def write_state(self, state: State) -> None:
        """In one step, readable by its owner alone: the keys are in it."""
        draft = self._state.with_suffix(f".{os.getpid()}")
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w") as file:
            json.dump(asdict(state), file)
        draft.replace(self._state)

    def read_state(self, pid: int) -> State | None:
        """What the server with this process id said; None before it is ready."""
        try:
            state = State(**json.loads(self._state.read_text()))
        except (OSError, ValueError, TypeError):
            return None
        return state if state.pid == pid else None

    def forget_state(self) -> None:
        self._state.unlink(missing_ok=True)
