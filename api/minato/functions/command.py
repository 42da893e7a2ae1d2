"""Which Deno runs functions, and how it is called for one: what it may do, what it may take, where its packages lie."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Final

from minato.functions.compiler import write_document
from minato.functions.discovery import Function, Version
from minato.functions.import_map import merged
from minato.functions.specifiers import SHARE

SENTENCE: Final = "Edge Functions need Deno: pip install 'minato[functions]'"
BOOT: Final = SHARE / "boot.ts"
# What packages of npm ask of the machine at their import; a request's signal tells that the client left, nothing else.
_HARMLESS = ("--allow-sys=osRelease,cpus,systemMemoryInfo", "--unstable-no-legacy-abort")


def find_deno(chosen: Path | None) -> Path | None:
    """The program; None where there is none. A placeholder of the package, for machines without a build, has none."""
    if chosen is not None:
        return chosen if chosen.is_file() else None
    try:
        found = import_module("deno").find_deno_bin()
    except (ImportError, AttributeError, FileNotFoundError):
        return None
    return Path(found)


def run_arguments(
    function: Function, import_map: Path, temporary: Path, memory_mb: int, flags: Sequence[str]
) -> list[str]:
    """`deno run …`: it may read its own and the shared folders, write in its `temporary` one, call out and see its
    variables, and nothing else. `flags` say where its packages lie and how it is compiled, and let a debugger in.
    """
    readable = _paths(*function.readable, SHARE, temporary)
    return [
        *("run", *flags, "--quiet", "--no-prompt", "--cached-only"),
        "--no-check",
        *("--allow-net", "--allow-env", f"--allow-read={readable}", f"--allow-write={_paths(temporary)}", *_HARMLESS),
        f"--v8-flags=--max-old-space-size={memory_mb}",
        f"--import-map={import_map}",
        str(BOOT),
    ]


def _paths(*paths: Path) -> str:
    return ",".join(str(path).replace(",", ",,") for path in paths)


def cache_arguments(function: Function, import_map: Path, flags: Sequence[str]) -> list[str]:
    """`deno cache …`: the one command that fetches."""
    return ["cache", *flags, "--no-check", f"--import-map={import_map}", str(function.entrypoint)]


def deno_variables(cache: Path, home: Path) -> dict[str, str]:
    """What Deno itself is told; the boot script takes it from the function's sight. `home` has npm's settings."""
    return {"DENO_DIR": str(cache), "HOME": str(home), "NO_COLOR": "1", "DENO_NO_UPDATE_CHECK": "1"}


def write_import_map(function: Function, files: Sequence[Path], folder: Path, *, packages: bool = True) -> Path:
    """The function's map as a file in `folder`, without its package.json unless `packages`.

    Raises `ImportMapError` and OSError.
    """
    return write_document(merged(function, files, packages=packages), folder / f"{function.name}.import_map.json")


def source_files(version: Version) -> list[Path]:
    """The files whose states a version is made of."""
    return [Path(name) for name, _, _ in version]
