"""How a Python function's process is called: which interpreter, with which packages, and what it is told first."""

from __future__ import annotations

import hashlib
import json
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

import minato
from minato.functions.discovery import Function
from minato.functions.python.landlock import landlock_version

REQUIREMENTS: Final = "requirements.txt"
NOT_INSTALLED: Final = "requirements.txt was not installed yet, or has changed: run minato functions cache."
UNCONFINED: Final = (
    "this system has no Landlock: a Python function may read and write whatever the server's user may; "
    "MINATO_FUNCTIONS_PYTHON_UNCONFINED=true allows it in production"
)
_BOOT: Final = (
    "import sys,json;a=json.loads(sys.argv[1]);sys.path+=a;from minato.functions.python.boot import main;main(a)"
)
# So that what is printed is UTF-8 whatever the system speaks, and no file is written beside the function's.
_ALONE: Final = ("-I", "-B", "-X", "utf8")
Confinement = Literal["confined", "unconfined", "refused"]


@dataclass(frozen=True)
class Installed:
    """Where `minato functions cache` puts what a function's requirements.txt names."""

    folder: Path
    requirements: Path

    @property
    def program(self) -> Path:
        return self.folder / "bin" / "python"

    @property
    def is_current(self) -> bool:
        """Whether it holds what the file asks for now, for this Python."""
        try:
            return self._stamp.read_text(encoding="ascii") == self._due()
        except OSError:
            return False

    def note(self) -> None:
        """It does from now on. Raises OSError."""
        self._stamp.write_text(self._due(), encoding="ascii")

    @property
    def _stamp(self) -> Path:
        return self.folder / "requirements.sha256"

    def _due(self) -> str:
        of = self.requirements.read_bytes() + f"\n{sys.version}\n{sys.base_prefix}".encode()
        return hashlib.sha256(of).hexdigest()


def installed(function: Function, packages: Path) -> Installed | None:
    """The function's own packages; None where it asks for none."""
    requirements = function.readable[0] / REQUIREMENTS
    return Installed(packages / "python" / function.name, requirements) if requirements.is_file() else None


def python_program(function: Function, packages: Path) -> Path | None:
    """The interpreter; None where its packages are not installed."""
    own = installed(function, packages)
    if own is None:
        return Path(sys.executable)
    return own.program if own.is_current else None


def python_arguments() -> list[str]:
    """Behind the function's own packages come the server's, of which it serves."""
    of_server = [sysconfig.get_path("purelib"), sysconfig.get_path("platlib"), str(Path(minato.__file__).parents[1])]
    return [*_ALONE, "-c", _BOOT, json.dumps(list(dict.fromkeys(of_server)))]


def confinement(version: int, *, development: bool, allowed: bool) -> Confinement:
    """What a kernel with this Landlock can do, and whether that is enough.

    >>> confinement(1, development=False, allowed=False), confinement(0, development=True, allowed=False)
    ('confined', 'unconfined')
    >>> confinement(0, development=False, allowed=False), confinement(0, development=False, allowed=True)
    ('refused', 'unconfined')
    """
    if version > 0:
        return "confined"
    return "unconfined" if development or allowed else "refused"


def this_confinement(*, development: bool, allowed: bool) -> Confinement:
    """That of this machine."""
    return confinement(landlock_version(), development=development, allowed=allowed)


def python_orders(function: Function, temporary: Path, variables: list[str], *, confine: bool) -> dict[str, object]:
    """What its process is told beside what every process is."""
    own, *others = function.readable
    module = ".".join(function.entrypoint.relative_to(own).with_suffix("").parts)
    return {
        "folder": str(own),
        "module": module,
        "target": function.target,
        "shared": [str(path) for path in others if path.is_dir()],
        "readable": [str(path) for path in function.readable],
        "temporary": str(temporary),
        "variables": variables,
        "confine": confine,
    }
