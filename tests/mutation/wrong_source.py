"""An import that reads a wrong line; the file stays as it is."""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from types import CodeType, ModuleType

from tests.support.command import REPOSITORY


class WrongLoader(SourceFileLoader):
    """Compiles `source` instead of what the file says."""

    def __init__(self, name: str, path: str, source: str) -> None:
        super().__init__(name, path)
        self._source = source

    def get_code(self, fullname: str) -> CodeType:
        return compile(self._source, self.path, "exec", dont_inherit=True)


class WrongSource(MetaPathFinder):
    """Stands before all other finders and answers for one module."""

    def __init__(self, file: str, source: str) -> None:
        self.module = file.removeprefix("api/").removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        self._path = REPOSITORY / file
        self._source = source

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != self.module:
            return None
        folder = [str(self._path.parent)] if self._path.name == "__init__.py" else None
        loader = WrongLoader(fullname, str(self._path), self._source)
        return spec_from_file_location(fullname, self._path, loader=loader, submodule_search_locations=folder)

    def install(self) -> None:
        """Let this process read the wrong line."""
        assert self.module not in sys.modules, "the right line was read before"
        sys.meta_path.insert(0, self)

    def __call__(self) -> None:
        """What the line breaks at once is noticed at once."""
        self.install()
        importlib.import_module(self.module)
        importlib.import_module("minato.main")


def warm() -> None:
    """Import what the product and its tests import from others, and nothing of theirs."""
    listing = "import sys, minato.main, tests.conftest, boto3, supabase; print(*sys.modules)"
    found = subprocess.run(
        [sys.executable, "-c", listing], check=True, stdout=subprocess.PIPE, text=True, cwd=REPOSITORY
    )
    for name in found.stdout.split():
        if name.partition(".")[0] not in ("minato", "tests", "__main__", "__mp_main__"):
            importlib.import_module(name)
