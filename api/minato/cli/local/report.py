"""Where a server that is ready says so: to the terminal it runs in, or to the process that waits for it."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO, TYPE_CHECKING

import typer

from minato.cli.announcement import Announcement, Welcome, print_beside_boxes, print_json
from minato.cli.local.data_folder import DataFolder, State
from minato.cli.local.plan import say
from minato.cli.local.show import show_started
from minato.cli.progress import Progress
from minato.postgres.log_file import keep_small

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


class Said(Progress):
    """A step as the Supabase CLI tells of one: a line when it begins."""

    def __init__(self) -> None:
        super().__init__(warn=say)

    @contextmanager
    def step(self, sentence: str) -> Iterator[None]:
        say(f"{sentence}...")
        yield


class Report:
    """For a server in the foreground."""

    def __init__(self, as_json: bool) -> None:
        self._as_json = as_json

    def ready(self, state: State, ready: Announcement, welcome: Welcome) -> None:
        """Called once, when the server answers."""
        if self._as_json:
            print_json(ready)
            return
        show_started(state)
        print_beside_boxes(ready, welcome)


class Terminal(io.FileIO):
    """Where sentences go that nobody needs: a server goes on when its reader is gone, with the line to the machine or
    the window."""

    def write(self, text: ReadableBuffer, /) -> int:
        with suppress(OSError):
            return super().write(text)
        return memoryview(text).nbytes


class DetachedReport(Report):
    """For a server in the background: its log goes to a file, and what it says until it is ready to whoever waits."""

    def __init__(self, folder: DataFolder) -> None:
        super().__init__(as_json=True)
        folder.prepare()
        with suppress(OSError):
            keep_small(folder.log)
        self._log = os.open(folder.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        # Sentences for people go on to the terminal, the log's lines to the file from the beginning.
        self._terminal: IO[str] = io.TextIOWrapper(Terminal(os.dup(2), "w"), line_buffering=True)
        os.dup2(self._log, 2)
        sys.stderr = self._terminal

    def ready(self, state: State, ready: Announcement, welcome: Welcome) -> None:
        """The line tells who may sign in: where everything is stands in the state."""
        with suppress(OSError):
            typer.echo(welcome.as_line())
            sys.stdout.flush()
        os.dup2(self._log, 1)
        sys.stderr = sys.__stderr__
        with suppress(OSError):
            self._terminal.close()
        os.close(self._log)
