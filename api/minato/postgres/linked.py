"""An installation of links, for servers before PostgreSQL 18: those read extensions from one folder alone.

That folder lies where it lay when PostgreSQL was built, as seen from the program that runs (`make_relative_path` in
src/port/path.c). So a copy of `postgres`, which follows links to itself, runs between links to the rest of its
installation; but the folder of extensions beside it is ours, with links to the server's own.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from minato.postgres.binaries import PostgresBinaries

PROGRAM: Final = "postgres"


@dataclass(frozen=True)
class LinkedInstallation:
    """That of `binaries`, whose folder of extensions is `extensions`, below `folder`."""

    binaries: PostgresBinaries
    extensions: Path
    folder: Path

    @property
    def program(self) -> Path:
        """The copy of `postgres`."""
        return self._place(self._bin) / PROGRAM

    def keep(self, controls: Mapping[str, str], additions: Mapping[str, Path]) -> None:
        """See to it that the folder is as it should be. `controls` are texts of control files, in the place of the
        server's own; `additions` are files which it lacks."""
        wanted = self._wanted(controls, additions)
        if _found(self.folder, self.program) == wanted and self._program_fits():
            return
        shutil.rmtree(self.folder, ignore_errors=True)
        for name, content in wanted.items():
            _make(self.folder / name, content)
        self.program.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(self._bin / PROGRAM, self.program)
        # PostgreSQL may run as another user than we do; around the folder is the data folder, which is closed.
        for place, _, _ in os.walk(self.folder):
            os.chmod(place, 0o755)

    def runs(self) -> bool:
        """Whether the copy can be run: not where the data folder is mounted without that."""
        try:
            answer = subprocess.run([self.program, "--version"], capture_output=True, check=False)
        except OSError:
            return False
        return answer.returncode == 0

    @property
    def _bin(self) -> Path:
        return self.binaries.folder.resolve()

    def _place(self, path: Path) -> Path:
        """Where a path of the installation lies in ours: each is as far from the other as there."""
        return self.folder / path.relative_to(os.path.commonpath([self._bin, self.extensions]))

    def _wanted(self, controls: Mapping[str, str], additions: Mapping[str, Path]) -> dict[str, str | Path]:
        """What lies below the folder, but for the program: texts of files and ends of links."""
        share = self.extensions.parent
        linked = [path for place in (self._bin.parent, share) for path in place.iterdir()]
        parents = {self._bin, share, self.extensions, *self.extensions.parents}
        here = self._place(self.extensions)
        ours: dict[Path, str | Path] = {self._place(path): path for path in linked if path not in parents}
        ours |= {here / path.name: path for path in self.extensions.iterdir()}
        ours |= {here / name: path for name, path in additions.items()}
        ours |= {here / name: text for name, text in controls.items()}
        return {str(path.relative_to(self.folder)): content for path, content in ours.items()}

    def _program_fits(self) -> bool:
        if not self.program.is_file():
            return False
        one, other = self.program.stat(), (self._bin / PROGRAM).stat()
        return (one.st_size, one.st_mtime_ns) == (other.st_size, other.st_mtime_ns)


def _make(path: Path, content: str | Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, Path):
        path.symlink_to(content)
    else:
        path.write_text(content, encoding="utf-8")
        path.chmod(0o644)


def _found(folder: Path, program: Path) -> dict[str, str | Path]:
    found: dict[str, str | Path] = {}
    for place, folders, files in os.walk(folder):
        for path in (Path(place, name) for name in [*folders, *files]):
            name = str(path.relative_to(folder))
            if path.is_symlink():
                found[name] = path.readlink()
            elif path.is_file() and path != program:
                found[name] = path.read_text(encoding="utf-8")
    return found
