"""`functions cache` for functions in Python: a venv of each one's own, with what its requirements.txt names."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from minato.cli.local.failures import CommandFailure
from minato.functions.discovery import Function
from minato.functions.python_process import installed


def install_requirements(function: Function, packages: Path, environment: Mapping[str, str]) -> None:
    """Anew, unless it holds what is asked for already. Raises `CommandFailure`."""
    own = installed(function, packages)
    if own is None or own.is_current:
        return
    python, name = str(own.program), function.name
    try:
        own.folder.parent.mkdir(parents=True, exist_ok=True)
        _run([sys.executable, "-m", "venv", "--clear", str(own.folder)], environment, "A venv can't be made for", name)
        pip = [python, "-m", "pip", "--disable-pip-version-check", "install", "--requirement", str(own.requirements)]
        _run(pip, environment, "pip could not install what is asked for by", name)
        own.note()
    except OSError as error:
        raise CommandFailure(f"{error.filename}: {error.strerror}") from None


def _run(arguments: list[str], environment: Mapping[str, str], what: str, name: str) -> None:
    if subprocess.run(arguments, env=dict(environment), check=False).returncode:
        raise CommandFailure(f"{what} {name}; it says above why.")
