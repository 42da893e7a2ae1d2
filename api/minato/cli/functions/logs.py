"""`functions logs`: what stands in `<data folder>/functions/<name>.log` and the older file beside it, by its time."""

from __future__ import annotations

import os
import re
import select
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import orjson
import typer

from minato.cli.functions.project import FunctionsProject
from minato.cli.local.failures import CommandFailure

_LOOK_SECONDS: Final = 0.1
_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_COLOURS: Final = {"error": typer.colors.RED, "warning": typer.colors.YELLOW, "debug": typer.colors.BRIGHT_BLACK}


@dataclass(frozen=True)
class Wanted:
    """Of which functions and of which request, all where none is named; the last so many lines of before, or all."""

    names: list[str]
    request: str = ""
    lines: int | None = None


@dataclass(frozen=True)
class Line:
    """One line of a function."""

    timestamp: str
    function: str
    level: str
    text: str
    request_id: str

    def shown(self) -> str:
        """For people."""
        head = f"{self.timestamp[:23]}Z {self.function} [{self.level.capitalize()}]"
        told = typer.style(f" {self.request_id}", fg=typer.colors.BRIGHT_BLACK) if self.request_id else ""
        return f"{typer.style(head, fg=_COLOURS.get(self.level))}{told} {self.text}"


class Tail:
    """A log file from where it was read to; one that was put aside meanwhile is read to its end first."""

    def __init__(self, path: Path, *, from_end: bool) -> None:
        self.path = path
        self._left = b""
        self._inode, self._at = self._state() if from_end else (0, 0)

    def new_lines(self) -> Iterator[Line]:
        inode, size = self._state()
        if self._inode not in (0, inode):
            yield from self._read(_older(self.path))
            self._at = 0
        self._inode = inode
        if size > self._at:
            yield from self._read(self.path)

    def _read(self, path: Path) -> Iterator[Line]:
        try:
            with path.open("rb") as file:
                file.seek(self._at)
                content = file.read()
        except OSError:
            return
        self._at += len(content)
        *whole, self._left = (self._left + content).split(b"\n")
        yield from _parsed(self.path.stem, whole)

    def _state(self) -> tuple[int, int]:
        try:
            found = self.path.stat()
        except OSError:
            return 0, 0
        return found.st_ino, found.st_size


def wanted_lines(given: str) -> int | None:
    """None for all. Raises `CommandFailure`."""
    if given != "all" and not re.fullmatch(r"[0-9]{1,9}", given):
        raise CommandFailure(f"--lines must be a number or all, and is {given}")
    return None if given == "all" else int(given)


def show_logs(project: FunctionsProject, wanted: Wanted, follow: bool) -> None:
    """Print what was said, and with `follow` what will be. Raises `CommandFailure`."""
    for name in wanted.names:
        known = _NAME.fullmatch(name) is not None
        if not known or not ((project.work / f"{name}.log").exists() or project.functions.find(name)):
            raise CommandFailure(f"Function not found: {name}", "minato functions list tells which there are.")
    if not follow:
        _print(_before(project.work, wanted))
        return
    try:
        follow_logs(project.work, wanted, lambda: True)
    except KeyboardInterrupt:
        raise typer.Exit(0) from None


def follow_logs(folder: Path, wanted: Wanted, goes_on: Callable[[], bool]) -> None:
    """Print lines as they come, for as long as `goes_on`; a function that begins to speak is heard, too."""
    tails = {path: Tail(path, from_end=True) for path in _files(folder, wanted.names)}
    _print(_before(folder, wanted))
    while goes_on():
        for path in _files(folder, wanted.names):
            tails.setdefault(path, Tail(path, from_end=False))
        found = [line for tail in tails.values() for line in tail.new_lines()]
        _print(_of_request(sorted(found, key=lambda line: line.timestamp), wanted.request))
        select.select([], [], [], _LOOK_SECONDS)


def _before(folder: Path, wanted: Wanted) -> list[Line]:
    found: list[Line] = []
    for path in _files(folder, wanted.names):
        for each in (_older(path), path):
            found += _parsed(path.stem, each.read_bytes().split(b"\n")) if each.is_file() else []
    found = _of_request(sorted(found, key=lambda line: line.timestamp), wanted.request)
    return found if wanted.lines is None else found[len(found) - min(wanted.lines, len(found)) :]


def _of_request(lines: list[Line], request: str) -> list[Line]:
    return [line for line in lines if not request or line.request_id == request]


def _files(folder: Path, names: list[str]) -> list[Path]:
    return [folder / f"{name}.log" for name in names] if names else sorted(folder.glob("*.log"))


def _older(path: Path) -> Path:
    return path.with_suffix(".log.1")


def _parsed(function: str, lines: Iterable[bytes]) -> Iterator[Line]:
    """A line that is none of ours is left out."""
    for line in lines:
        try:
            told = orjson.loads(line)
            yield Line(told["timestamp"], function, told["level"], told["text"], told["request_id"])
        except (ValueError, KeyError, TypeError):
            continue


def _print(lines: list[Line]) -> None:
    """A reader that is gone ends the command without a word."""
    try:
        for line in lines:
            typer.echo(line.shown())
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(0) from None
