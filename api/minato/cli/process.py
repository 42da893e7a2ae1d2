"""What a server that starts wants of its process: enough descriptors, and imports that nothing slows down."""

from __future__ import annotations

import contextlib
import gc
import resource
import sys
from collections.abc import Iterator, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Final

from minato.cli.errors import CommandError

# PostgreSQL alone refuses to start with some sixty; beside it stand its sessions, the log, and whoever connects. With
# too few a start can fail in places where nobody hears of it.
NEEDED: Final = 256


def raise_descriptor_limit() -> None:
    """As many as this process may have without asking anybody. Raises `CommandError` where those are too few."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        # macOS says "unlimited" and then refuses that.
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < NEEDED:
        raise CommandError(
            f"This process may have {soft} files open, and a server needs {NEEDED}: allow more, by ulimit -n, and run "
            "it again."
        )


@contextlib.contextmanager
def uncollected() -> Iterator[None]:
    """For imports alone: what they make stays, so the garbage collector looks through it neither now nor later.

    structlog would import rich, for tracebacks that no log of ours is written in: it takes a fifteenth of a start.
    """
    gc.disable()
    try:
        with _without("rich"):
            yield
    finally:
        gc.freeze()
        gc.enable()


class _Absent(MetaPathFinder):
    """One package that is not there, for those who can do without it."""

    def __init__(self, name: str) -> None:
        self._name = name

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname == self._name:
            raise ModuleNotFoundError(f"{fullname} is left out of a start", name=fullname)
        return None


@contextlib.contextmanager
def _without(name: str) -> Iterator[None]:
    absent = _Absent(name)
    sys.meta_path.insert(0, absent)
    try:
        yield
    finally:
        sys.meta_path.remove(absent)
