"""Which functions a project has: folders with an `index.ts` or a `main.py`, and what config.toml says of them."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from minato.config.functions import FunctionSettings, FunctionsSettings
from minato.functions.attached import FILE, NOTHING, Attachment
from minato.functions.map_file import map_file
from minato.functions.neighbours import Neighbours

_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
# What answers in a Python file, behind a colon; before it a path, or a module of the function's own folder.
_TARGET: Final = re.compile(r"(?P<file>.+\.py|(?P<module>[A-Za-z_][\w.]*)):(?P<target>[A-Za-z_][\w.]*)")
_ENTRIES: Final = ("index.ts", "main.py")
_NOT_OURS: Final = frozenset({"node_modules", ".git", "__pycache__", ".venv"})
# Beyond this a folder holds more than a function; what lies deeper or later is not watched.
_MOST_FILES: Final = 5000
Version = tuple[tuple[str, int, int], ...]


@dataclass(frozen=True)
class Function:
    """One function. `readable` is what its process may read: its own folder, the shared ones, static files, and
    the single files of other functions that it imports. `target` is what a Python file calls the application, `asked`
    what a developer asks for just now.
    """

    name: str
    folder: Path
    entrypoint: Path
    settings: FunctionSettings
    readable: tuple[Path, ...]
    target: str = ""
    asked: Attachment = NOTHING

    @property
    def is_python(self) -> bool:
        """Whether Python runs it, not Deno."""
        return self.entrypoint.suffix == ".py"

    @property
    def map_file(self) -> Path | None:
        """The project's import map for it, as far as there is one."""
        return map_file(self.folder, self.entrypoint, self.settings.import_map)


class Functions:
    """The functions in `folder`, which is `supabase/functions`; looked for at each request, so that new ones count."""

    def __init__(
        self, folder: Path, settings: FunctionsSettings, asked: Callable[[], Attachment] = lambda: NOTHING
    ) -> None:
        self.folder = folder
        self._asked = asked
        self._neighbours = Neighbours(folder)
        self._settings = {name.lower(): given for name, given in settings.config.items()}

    def names(self) -> list[str]:
        """Every function that is served, in alphabetical order."""
        found = {entry.name for entry in _entries(self.folder) if entry.is_dir()} | set(self._settings)
        return sorted(name for name in found if self.find(name) is not None)

    def find(self, name: str) -> Function | None:
        """The function called so, in these very letters; None without one, and for one that is switched off."""
        if _NAME.fullmatch(name) is None:
            return None
        given = self._settings.get(name.lower(), FunctionSettings())
        exact = any(entry.name == name for entry in _entries(self.folder))
        if not given.enabled or not (exact or given.entrypoint):
            return None
        entrypoint, target = self._entry(name, given.entrypoint)
        if not entrypoint.is_file():
            return None
        own = self.folder / name
        # A Python function's modules may lie in folders of its own.
        own = own if target and entrypoint.is_relative_to(own) else entrypoint.parent
        readable, asked = (own, *self._shared(), *self._static(given)), self._asked()
        function = Function(name, self.folder, entrypoint, _as_asked(given, asked), readable, target, asked)
        if function.is_python:
            return function
        return replace(function, readable=readable + self._neighbours.of(entrypoint, readable, function.map_file))

    def version(self, function: Function) -> Version:
        """Changes whenever a file does that the function is made of."""
        of_all = [Path(entry.path) for entry in _entries(self.folder) if entry.is_file()]
        asked = function.asked
        of_all += [Path(name) for name in (asked.variables, asked.import_map) if name]
        found = [(FILE, asked.since, 0)] if asked.since else []
        for path in (*function.readable, *of_all):
            for file, status in _files(path):
                found.append((file, status.st_mtime_ns, status.st_size))
                if len(found) == _MOST_FILES:
                    return tuple(found)
        return tuple(found)

    def _entry(self, name: str, given: str) -> tuple[Path, str]:
        """The file, and what is named behind a colon."""
        own = self.folder / name
        if not given:
            found = (own / entry for entry in _ENTRIES if (own / entry).is_file())
            return next(found, own / _ENTRIES[0]), ""
        named = _TARGET.fullmatch(given)
        if named is None:
            return self._path(given), ""
        if named["module"] and "/" not in given:
            return own.joinpath(*named["module"].split(".")).with_suffix(".py"), named["target"]
        return self._path(named["file"]), named["target"]

    def _path(self, given: str) -> Path:
        return Path(os.path.normpath(self.folder.parent / given))

    def _shared(self) -> Iterator[Path]:
        """Folders such as `_shared`, from which every function may import."""
        for entry in _entries(self.folder):
            if entry.name.startswith("_") and entry.is_dir():
                yield Path(entry.path)

    def _static(self, given: FunctionSettings) -> Iterator[Path]:
        for pattern in given.static_files:
            anchor, relative = self.folder.parent, os.path.normpath(pattern)
            if not relative.startswith((os.pardir, os.sep)):
                yield from (path for path in anchor.glob(relative) if path.is_file())


def _as_asked(given: FunctionSettings, asked: Attachment) -> FunctionSettings:
    changed = {"import_map": asked.import_map} if asked.import_map else {}
    return given.model_copy(update={**changed, **({"verify_jwt": False} if asked.no_verify_jwt else {})})


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError:
        return []


def _files(path: Path) -> Iterator[tuple[str, os.stat_result]]:
    try:
        if path.is_file():
            yield str(path), path.stat()
            return
    except OSError:
        return
    for entry in _entries(path):
        try:
            if entry.is_dir(follow_symlinks=False):
                if entry.name not in _NOT_OURS:
                    yield from _files(Path(entry.path))
            else:
                yield entry.path, entry.stat()
        except OSError:
            continue
