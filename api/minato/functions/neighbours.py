"""Files of other functions that a function imports, by a path or a name of its map, found in its sources as text."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, Generic, TypeVar
from urllib.parse import unquote

from minato.functions.map_file import files_named

_SOURCES: Final = frozenset({".ts", ".tsx", ".mts", ".js", ".jsx", ".mjs"})
# No file of variables or keys, whatever imports it.
_IMPORTED: Final = _SOURCES | {".json", ".wasm"}
_MOST_FILES: Final = 1000
_LARGEST: Final = 1024 * 1024
# What an import or an export names; what stands in a comment or in another text is passed over as a whole.
_TOKEN: Final = re.compile(
    r"""//[^\n]*|/\*.*?(?:\*/|\Z)|`(?:[^`\\]|\\.)*(?:`|\Z)"""
    r"""|(?<![\w$.])(?:from\s*|import\s*(?:\(\s*)?)(["'])(?P<path>[^"'\n\\]+)\1"""
    r"""|"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?""",
    re.S,
)


Found = TypeVar("Found")
# Names and the paths that they stand for, behind a name with a slash at its end a folder.
Named = tuple[tuple[str, str], ...]


class Neighbours:
    """Of one folder of functions; files are read again only when they have changed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._specifiers = Remembered(_specifiers)
        self._named = Remembered(files_named)

    def of(self, entrypoint: Path, readable: tuple[Path, ...], import_map: Path | None = None) -> tuple[Path, ...]:
        """The files inside the folder that `entrypoint` leads to, but for those below `readable`."""
        named = () if import_map is None else self._named.of(import_map)
        inside, waiting, seen = self._folder.resolve(), [entrypoint], {entrypoint}
        found: list[Path] = []
        while waiting:
            for path in self._imports(waiting.pop(), named):
                if path in seen or len(seen) >= _MOST_FILES or not _is_within(path, inside):
                    continue
                seen.add(path)
                waiting.append(path)
                if not any(path.is_relative_to(known) for known in readable):
                    found.append(path)
        return tuple(sorted(found))

    def _imports(self, source: Path, named: Named) -> Iterator[Path]:
        for given in self._specifiers.of(source):
            for found in _meant(given, named):
                yield Path(os.path.normpath(source.parent / found))


class Remembered(Generic[Found]):
    """What is read of files, of each until it has changed; nothing of one that can't be read, or is too large."""

    def __init__(self, read: Callable[[Path], tuple[Found, ...]]) -> None:
        self._read = read
        self._known: dict[Path, tuple[tuple[int, int], tuple[Found, ...]]] = {}

    def of(self, path: Path) -> tuple[Found, ...]:
        try:
            status = path.stat()
            state = (status.st_mtime_ns, status.st_size)
            if (known := self._known.get(path)) is None or known[0] != state:
                known = self._known[path] = state, self._read(path) if status.st_size <= _LARGEST else ()
        except OSError:
            return ()
        return known[1]


def _specifiers(source: Path) -> tuple[str, ...]:
    if source.suffix not in _SOURCES:
        return ()
    text = source.read_text(encoding="utf-8", errors="replace")
    return tuple(dict.fromkeys(match["path"] for match in _TOKEN.finditer(text) if match["path"]))


def _meant(given: str, named: Named) -> Iterator[str]:
    """The paths that an import may mean."""
    if given.startswith(("./", "../")):
        yield unquote(re.split(r"[?#]", given)[0])
    for name, path in named:
        if given == name:
            yield path
        elif name.endswith("/") and given.startswith(name):
            yield path + unquote(given.removeprefix(name))


def _is_within(path: Path, folder: Path) -> bool:
    """Whether it is a file to import, and lies in `folder` when links are followed."""
    try:
        real = path.resolve()
        return {path.suffix, real.suffix} <= _IMPORTED and real.is_relative_to(folder) and real.is_file()
    except (OSError, ValueError):
        return False
