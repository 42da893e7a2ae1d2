"""Files of other functions that a function imports by a relative path, found by following its sources as text."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from urllib.parse import unquote

_SOURCES: Final = frozenset({".ts", ".tsx", ".mts", ".js", ".jsx", ".mjs"})
# No file of variables or keys, whatever imports it.
_IMPORTED: Final = _SOURCES | {".json", ".wasm"}
_MOST_FILES: Final = 1000
_LARGEST: Final = 1024 * 1024
# An import or an export; what stands in a comment or in another text is passed over as a whole.
_TOKEN: Final = re.compile(
    r"""//[^\n]*|/\*.*?(?:\*/|\Z)|`(?:[^`\\]|\\.)*(?:`|\Z)"""
    r"""|(?<![\w$.])(?:from\s*|import\s*(?:\(\s*)?)(["'])(?P<path>\.\.?/[^"'\n\\]+)\1"""
    r"""|"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?""",
    re.S,
)


class Neighbours:
    """Of one folder of functions; sources are read again only when they have changed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._read: dict[Path, tuple[tuple[int, int], tuple[str, ...]]] = {}

    def of(self, entrypoint: Path, readable: tuple[Path, ...]) -> tuple[Path, ...]:
        """The files inside the folder that `entrypoint` leads to, but for those below `readable`."""
        inside, waiting, seen = self._folder.resolve(), [entrypoint], {entrypoint}
        found: list[Path] = []
        while waiting:
            for path in self._imports(waiting.pop()):
                if path in seen or len(seen) >= _MOST_FILES or not _is_within(path, inside):
                    continue
                seen.add(path)
                waiting.append(path)
                if not any(path.is_relative_to(known) for known in readable):
                    found.append(path)
        return tuple(sorted(found))

    def _imports(self, source: Path) -> Iterator[Path]:
        for given in self._specifiers(source):
            yield Path(os.path.normpath(source.parent / unquote(re.split(r"[?#]", given)[0])))

    def _specifiers(self, source: Path) -> tuple[str, ...]:
        if source.suffix not in _SOURCES:
            return ()
        try:
            status = source.stat()
            state = (status.st_mtime_ns, status.st_size)
            if (known := self._read.get(source)) is not None and known[0] == state:
                return known[1]
            text = source.read_text(encoding="utf-8", errors="replace") if status.st_size <= _LARGEST else ""
        except OSError:
            return ()
        found = tuple(dict.fromkeys(match["path"] for match in _TOKEN.finditer(text) if match["path"]))
        self._read[source] = (state, found)
        return found


def _is_within(path: Path, folder: Path) -> bool:
    """Whether it is a file to import, and lies in `folder` when links are followed."""
    try:
        real = path.resolve()
        return {path.suffix, real.suffix} <= _IMPORTED and real.is_relative_to(folder) and real.is_file()
    except (OSError, ValueError):
        return False
