"""Starts of the `minato` command that are watched while they happen, and what they write to either output."""

from __future__ import annotations

import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.support.command import ELSEWHERE, START_LIMIT, environment
from tests.support.copies import COMMAND, Copy


@dataclass
class Started:
    """A command that runs; what it has written so far, both outputs read as they come."""

    process: subprocess.Popen[str] | Copy
    written: dict[str, list[str]] = field(default_factory=lambda: {"out": [], "err": []})

    @property
    def out(self) -> str:
        return "".join(self.written["out"])

    @property
    def err(self) -> str:
        return "".join(self.written["err"])

    def wait_for(self, holds: Callable[[], bool], what: str) -> None:
        deadline = time.monotonic() + START_LIMIT
        while not holds():
            assert self.process.poll() is None, self.err
            assert time.monotonic() < deadline, f"never happened: {what}"
            time.sleep(0.02)

    def end(self, number: int) -> int:
        """Send a signal; the exit status."""
        self.process.send_signal(number)
        return self.process.wait(START_LIMIT)


@contextmanager
def started(data_dir: Path, *arguments: str, **settings: str) -> Iterator[Started]:
    """`minato serve --port 0` on `data_dir`, not yet ready; ended at the end of the block."""
    given = ("serve", "--port", "0", *arguments, "--data-dir", str(data_dir))
    with watched(given, ELSEWHERE, environment(**settings)) as running:
        yield running


@contextmanager
def watched(
    arguments: Sequence[str], folder: Path | str, variables: Mapping[str, str], *, imports: bool = False
) -> Iterator[Started]:
    """A command in `folder`, with these variables; ended at the end of the block.

    A copy of the prepared process, or one that `imports` the program itself and has a cluster of initdb's.
    """
    pipe = subprocess.PIPE
    alone = {**variables, "PYTHONUNBUFFERED": "1"}
    process: subprocess.Popen[str] | Copy
    if imports:
        command = [*COMMAND, *arguments]
        process = subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, bufsize=1, cwd=folder, env=alone)
    else:
        process = Copy(arguments, stdout=pipe, stderr=pipe, text=True, cwd=folder, env=alone)
    running = Started(process)
    readers = [
        threading.Thread(target=_read, args=(process.stdout, running.written["out"])),
        threading.Thread(target=_read, args=(process.stderr, running.written["err"])),
    ]
    for reader in readers:
        reader.start()
    try:
        yield running
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait(START_LIMIT)
        for reader in readers:
            reader.join()
        for stream in (process.stdout, process.stderr):
            assert stream is not None
            stream.close()


def _read(stream: object, into: list[str]) -> None:
    while piece := stream.read(1):  # type: ignore[attr-defined]
        into.append(piece)
