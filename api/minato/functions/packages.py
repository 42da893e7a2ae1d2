"""Where a function's packages of npm come from: the versions `functions cache` chose, or a `node_modules` beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile, TemporaryDirectory
from typing import Final

from minato.functions.discovery import Function
from minato.functions.import_map import package_manifest

_NODE_MODULES: Final = "node_modules"
_FROM_NODE_MODULES: Final = ("--no-lock", "--node-modules-dir=manual")
_NPMRC: Final = ".npmrc"
# Of a configuration of npm's what says where packages lie; tokens are none of a running function's business.
_REGISTRY: Final = re.compile(r"\s*(?:@[\w.-]+:)?registry\s*=.*")
_USER: Final = re.compile(r"//[^/]*@")
# Deno reads it before any file, as npm does.
REGISTRY_VARIABLE: Final = "NPM_CONFIG_REGISTRY"


@dataclass(frozen=True)
class Packages:
    """Of one function: `folder` keeps its lock, and which registries it came from, from fetching to running."""

    function: Function
    folder: Path

    @classmethod
    def of(cls, function: Function, cache: Path) -> Packages:
        """`cache` is Deno's."""
        return cls(function, cache / "resolved" / function.name)

    @property
    def run_from_node_modules(self) -> bool:
        """What was fetched comes first: it is what other machines have, too."""
        return self._has_node_modules and not self._lock.is_file()

    @property
    def need_node_modules(self) -> bool:
        """Whether no registry has all of them."""
        return self._has_node_modules and bool(package_manifest(self.function).elsewhere)

    def run_flags(self, work: Path) -> list[str]:
        """For `deno run`. The lock is a copy in `work`: an edit may import what was fetched for another function.

        Raises OSError.
        """
        if self.run_from_node_modules:
            return [*_FROM_NODE_MODULES]
        if not self._lock.is_file():
            return ["--no-lock", "--node-modules-dir=none"]
        # Another process of the function may be reading the former one.
        with NamedTemporaryFile("wb", dir=work, delete=False) as draft:
            draft.write(self._lock.read_bytes())
        return _locked(Path(draft.name).replace(work / f"{self.function.name}.lock"))

    def cache_flags(self, *, reload: bool) -> list[str]:
        """For `deno cache`, which keeps the versions that it chose before unless it has to `reload`. Raises OSError."""
        if reload or self.need_node_modules:
            self._lock.unlink(missing_ok=True)
        if self.need_node_modules:
            return [*_FROM_NODE_MODULES]
        self.folder.mkdir(parents=True, exist_ok=True)
        return [*_locked(self._lock), "--frozen=false", *(["--reload"] if reload else [])]

    @contextmanager
    def fetching(self, environment: Mapping[str, str]) -> Iterator[Path]:
        """The home folder in which Deno fetches: it holds npm's settings of the caller and of the function, with
        their tokens. Which registries they name is kept for running. Raises OSError.
        """
        text = self._npmrc(environment)
        registries = "\n".join(_USER.sub("//", line) for line in text.splitlines() if _REGISTRY.fullmatch(line))
        self._keep(registries)
        with TemporaryDirectory() as home:
            Path(home, _NPMRC).write_text(text, encoding="utf-8")
            yield Path(home)

    def _keep(self, registries: str) -> None:
        kept = self.folder / _NPMRC
        if (kept.read_text(encoding="utf-8") if kept.is_file() else "") != registries:
            # It names the addresses of packages.
            self._lock.unlink(missing_ok=True)
        self.folder.mkdir(parents=True, exist_ok=True)
        kept.write_text(registries, encoding="utf-8")

    def _npmrc(self, environment: Mapping[str, str]) -> str:
        of_caller = [Path(environment["HOME"], _NPMRC)] if environment.get("HOME") else []
        files = (path for path in (*of_caller, self._beside(_NPMRC)) if path.is_file())
        texts = [path.read_text(encoding="utf-8", errors="replace") for path in files]
        chosen = environment.get(REGISTRY_VARIABLE)
        return "\n".join([*texts, *([f"registry={chosen}"] if chosen else []), ""])

    @property
    def _lock(self) -> Path:
        return self.folder / "deno.lock"

    @property
    def _has_node_modules(self) -> bool:
        """A map comes before a package.json, as with Deno's, unless it is the `deno.json` that all functions share."""
        found = self.function.map_file
        return (
            (found is None or (found.parent == self.function.folder and found.name != "import_map.json"))
            and self._beside("package.json").is_file()
            and self._beside(_NODE_MODULES).is_dir()
        )

    def _beside(self, name: str) -> Path:
        return self.function.entrypoint.parent / name


def _locked(lock: Path) -> list[str]:
    return [f"--lock={lock}", "--node-modules-dir=none"]
