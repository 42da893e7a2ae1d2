"""One running process of a function, from its start to its end.

Its life is tied to ours by a shell that waits for the end of a pipe which only we hold open, on every system alike, and
by its own standard input; a function's code begins only when both are there.
"""

from __future__ import annotations

import asyncio
import os
import re
import signal
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import orjson

from minato.functions import answers
from minato.functions.log_file import LARGEST_LINE, FunctionLog

_ENDING_SECONDS: Final = 5
# Ends the process, with all that it began, as soon as nobody holds its input any more. A function may have shut folders
# to itself, which is to us: find comes to a folder before it looks into it.
WATCH: Final = (
    'read -r _; kill -s KILL -- "-$1"; '
    'rm -rf -- "$2" || { find "$2" -type d -exec chmod u+rwx {} \\;; rm -rf -- "$2"; }'
)
# The boot answers it by itself: who does is alive, and reacts.
_PULSE: Final = "HEAD / HTTP/1.1\r\nhost: pulse\r\nx-minato-pass: {}\r\nx-minato-pulse: 1\r\nconnection: close\r\n\r\n"
_MARK: Final = b"\x01"
_LARGEST_LINE: Final = 64 * 1024
_OUT_OF_MEMORY: Final = re.compile(r"out of memory|Allocation failed|OOM")
_NOT_CACHED: Final = re.compile(
    r"not found in cache|not cached|--cached-only|isn't cached|npm package .* not found"
    r"|Could not find (npm package|constraint)",
    re.I,
)
ADVICE: Final = "A package that is imported was not fetched yet: run minato functions cache."


class BootFailed(Exception):
    """The function did not come to serve; the text is Deno's, with file and line."""


@dataclass
class Orders:
    """What a process is told first: the file it runs, and the word by which it knows the server."""

    entry: str
    passing: str = field(repr=False)
    development: bool
    more: Mapping[str, object] = field(default_factory=dict)

    def line(self) -> bytes:
        told = {"entry": self.entry, "pass": self.passing, "development": self.development, **self.more}
        return orjson.dumps(told) + b"\n"


class Child:
    """A process: `port` when it serves, `limited` when a limit ended it, `background` counts work behind answers,
    `finished` such work that is over."""

    def __init__(self, process: Process, watcher: Process, orders: Orders, log: FunctionLog) -> None:
        self._process = process
        self._watcher = watcher
        self._log = log
        self._told: list[str] = []
        self._serves: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._reader: asyncio.Task[None] | None = None
        self.passing = orders.passing
        self.background = 0
        self.finished = 0
        # Set while nothing goes on behind its answers.
        self.quiet = asyncio.Event()
        self.quiet.set()
        self.limited = False
        self.gone = asyncio.Event()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def has_ended(self) -> bool:
        return self.gone.is_set() or self._process.returncode is not None

    @property
    def port(self) -> int:
        return self._serves.result()

    def begin(self) -> None:
        """Read what it says until it has ended."""
        self._reader = asyncio.create_task(self._read(), name="function output")

    async def serving(self, seconds: float) -> None:
        """Wait until it serves. Raises `BootFailed`."""
        try:
            async with asyncio.timeout(seconds):
                await asyncio.shield(self._serves)
        except TimeoutError:
            self.kill()
            raise BootFailed(f"The function did not serve within {seconds:g} seconds.") from None

    def kill(self, limited: bool = False) -> None:
        """End it and what it began at once; `limited` says that it took more than it may."""
        self.limited = self.limited or limited
        if self.gone.is_set():
            return
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        # What has left the group ends with its input. What does not may keep the output open, and nobody for it.
        _let_go(self._process)
        if self._reader is not None:
            asyncio.get_running_loop().call_later(_ENDING_SECONDS, self._reader.cancel)

    async def ended(self) -> None:
        """Wait until it is gone and all it said was read."""
        await self.gone.wait()
        if self._reader is not None:
            await asyncio.wait({self._reader})

    async def cause(self) -> int:
        """The status for a process that gave no answer; why is known as soon as it is gone, or is seen to go on."""
        try:
            async with asyncio.timeout(_ENDING_SECONDS):
                if not await has_pulse(self.port, self.passing):
                    await self.ended()
        except TimeoutError:
            return answers.WORKER_ERROR
        return answers.WORKER_LIMIT if self.limited else answers.WORKER_ERROR

    async def _read(self) -> None:
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        try:
            await asyncio.gather(
                _lines(self._process.stdout, self._take_output), _lines(self._process.stderr, self._take_error)
            )
            status = await self._process.wait()
            self.limited = self.limited or status in (-signal.SIGKILL, -signal.SIGABRT, -signal.SIGTRAP)
        finally:
            await self._note_end()

    async def _note_end(self) -> None:
        """The watcher does its work once more, for what the process left behind."""
        try:
            _let_go(self._watcher)
            await self._watcher.wait()
        finally:
            self.gone.set()
            self.quiet.set()
            self._fail("\n".join(self._told[-20:]) or "The function's process ended before it served.")

    def _take_output(self, line: bytes) -> None:
        if not line.startswith(_MARK):
            self._log.say("info", line.decode(errors="replace"))
            return
        try:
            told = orjson.loads(line[1:])
        except ValueError:
            return
        if "ready" in told and not self._serves.done() and isinstance(told["ready"], int):
            self._serves.set_result(told["ready"])
        elif "failed" in told:
            self._log.say("error", str(told["failed"]))
            self._fail(str(told["failed"]))
        elif "background" in told:
            self._count_background(int(told["background"]))
        elif "log" in told:
            self._log.say(str(told.get("level")), str(told["log"]), str(told.get("id", "")))

    def _count_background(self, count: int) -> None:
        self.finished += max(self.background - count, 0)
        self.background = count
        if count:
            self.quiet.clear()
        else:
            self.quiet.set()

    def _take_error(self, line: bytes) -> None:
        text = line.decode(errors="replace")
        self._told = [*self._told[-40:], text[:LARGEST_LINE]]
        self.limited = self.limited or _OUT_OF_MEMORY.search(text) is not None
        self._log.say("error", text)

    def _fail(self, text: str) -> None:
        if not self._serves.done():
            self._serves.set_exception(BootFailed(f"{text}\n{ADVICE}" if _NOT_CACHED.search(text) else text))
            # Nobody may be waiting any more.
            self._serves.exception()


async def has_pulse(port: int, passing: str) -> bool:
    """As soon as it has answered, however long that takes; False when it ends instead."""
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        try:
            writer.write(_PULSE.format(passing).encode())
            return (await reader.read(64)).startswith(b"HTTP/1.1 204 ")
        finally:
            writer.close()
    except OSError:
        return False


def _let_go(process: Process) -> None:
    """Nobody holds its input any more."""
    if process.stdin is not None:
        process.stdin.close()


async def launch(
    program: Path,
    arguments: Sequence[str],
    variables: Mapping[str, str],
    orders: Orders,
    log: FunctionLog,
    temporary: Path,
) -> Child:
    """A process that boots, and beside it the shell that ends it when we are gone, and clears its `temporary` folder.

    Raises `BootFailed`.
    """
    try:
        process = await _process(program, arguments, variables)
        watcher = await _watcher(process, temporary)
    except BaseException:
        _forget(temporary)
        raise
    child = Child(process, watcher, orders, log)
    child.begin()
    assert process.stdin is not None
    with suppress(ConnectionError):
        process.stdin.write(orders.line())
    return child


async def _process(program: Path, arguments: Sequence[str], variables: Mapping[str, str]) -> Process:
    try:
        return await asyncio.create_subprocess_exec(
            program, *arguments, stdin=PIPE, stdout=PIPE, stderr=PIPE, env=variables, cwd="/", start_new_session=True
        )
    except OSError as error:
        raise BootFailed(f"{program.name} can't be started: {error.strerror}") from None


async def _watcher(process: Process, temporary: Path) -> Process:
    """Without one the process is ended at once."""
    try:
        shell = ("/bin/sh", "-c", WATCH, "sh", str(process.pid), str(temporary))
        return await asyncio.create_subprocess_exec(
            *shell, stdin=PIPE, stdout=DEVNULL, stderr=DEVNULL, env={"PATH": os.defpath}, start_new_session=True
        )
    except BaseException as error:
        process.kill()
        if isinstance(error, OSError):
            raise BootFailed(f"a function's watcher can't be started: {error.strerror}") from None
        raise


def _forget(temporary: Path) -> None:
    """Without its orders the process has written nothing there."""
    temporary.rmdir()


async def _lines(stream: asyncio.StreamReader, take: Callable[[bytes], None]) -> None:
    """Hand over each line of a stream; of an endless one what fits, and the rest as lines of their own."""
    left = b""
    while piece := await stream.read(_LARGEST_LINE):
        *lines, left = (left + piece).split(b"\n")
        for line in lines:
            take(line)
        if len(left) > _LARGEST_LINE:
            take(left)
            left = b""
    if left:
        take(left)
