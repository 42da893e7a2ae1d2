"""The Supabase CLI's questions: `<label> [Y/n] ` on standard error, answered on standard input, by `--yes`, or, where
nobody sits at a terminal, by the default.
"""

from __future__ import annotations

import os
import select
import stat
import sys
import time
from typing import Final

import typer

from minato.cli.local.failures import Declined

AT_A_TERMINAL_SECONDS: Final = 600.0
# What is piped in is there already.
PIPED_SECONDS: Final = 0.1
ANSWERS: Final = {"y": True, "yes": True, "n": False, "no": False}


class Console:
    """Where questions are asked; `yes` answers them all. Not interactive: nobody is waited for."""

    def __init__(self, yes: bool = False, interactive: bool = True) -> None:
        self._yes = yes
        self._is_terminal = interactive and sys.stdin is not None and sys.stdin.isatty()

    def confirm(self, label: str, default: bool) -> bool:
        """The answer; what is neither yes nor no is the default."""
        question = f"{label} [{'Y/n' if default else 'y/N'}] "
        if self._yes:
            typer.echo(f"{question}y", err=True)
            return True
        return ANSWERS.get(self.ask(question).lower(), default)

    def ask(self, label: str) -> str:
        """A line; empty where none comes. What is piped in is shown, as nobody typed it."""
        typer.echo(label, err=True, nl=False)
        line = _read_line(AT_A_TERMINAL_SECONDS if self._is_terminal else PIPED_SECONDS)
        if not self._is_terminal:
            typer.echo(line, err=True)
        return line

    def require(self, label: str, default: bool) -> None:
        """Raises `Declined` where the answer is no."""
        if not self.confirm(label, default):
            raise Declined


def _read_line(seconds: float) -> str:
    """A line of standard input, byte by byte: what follows it is the next question's. Empty when none comes."""
    deadline, found = time.monotonic() + seconds, b""
    try:
        while select.select([0], [], [], max(0.0, deadline - time.monotonic()))[0]:
            byte = os.read(0, 1)
            if byte in (b"", b"\n"):
                return found.decode(errors="replace").strip()
            found += byte
    except (OSError, ValueError):
        # There is no standard input.
        return ""
    return ""


def piped_input() -> bytes:
    """All of standard input where it is a file or a pipe; nothing at a terminal."""
    try:
        is_device = stat.S_ISCHR(os.fstat(0).st_mode)
    except OSError:
        return b""
    if is_device:
        return b""
    with open(0, "rb", closefd=False) as stream:
        return stream.read()
