"""Commands of `minato` as copies of a process that has imported the program (`tests.support.prepared`).

A copy is a process as any other: its own arguments, variables, folder, descriptors, signals, exit status; and so is
what it starts in the background. What it lacks of the real command are its imports, half a second's work or more.
Whatever tests those starts `python -m minato` by `subprocess` itself.
"""

from __future__ import annotations

import atexit
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any, Self

COMMAND = [sys.executable, "-m", "minato"]
REPOSITORY = Path(__file__).parents[2]
LENGTH_BYTES = 4
# The socket of the prepared process, as soon as there is one.
SOCKETS: list[str] = []
# What `subprocess` takes for a standard stream.
Stream = IO[Any] | int | None


@dataclass(frozen=True)
class Order:
    """What a copy is to be: the module that is run, the words behind it, its folder, its variables."""

    module: str
    arguments: list[str]
    folder: str
    variables: dict[str, str]
    leads_session: bool

    def send(self, connection: socket.socket, descriptors: Sequence[int]) -> None:
        told = json.dumps(asdict(self)).encode()
        socket.send_fds(connection, [len(told).to_bytes(LENGTH_BYTES, "big")], descriptors)
        connection.sendall(told)

    @staticmethod
    def receive(connection: socket.socket) -> tuple[Order, list[int]]:
        length, descriptors, _, _ = socket.recv_fds(connection, LENGTH_BYTES, 3)
        with connection.makefile("rb") as file:
            return Order(**json.loads(file.read(int.from_bytes(length, "big")))), descriptors


class Copy:
    """As `subprocess.Popen` of the command; `arguments` stand behind `minato`."""

    def __init__(
        self,
        arguments: Sequence[str],
        *,
        module: str = "minato",
        cwd: Path | str | None = None,
        env: Mapping[str, str] | None = None,
        stdin: Stream = None,
        stdout: Stream = None,
        stderr: Stream = None,
        text: bool = False,
        start_new_session: bool = False,
    ) -> None:
        self.returncode: int | None = None
        variables = dict(os.environ if env is None else env)
        order = Order(module, list(arguments), str(cwd or Path.cwd()), variables, start_new_session)
        self._keeper = socket.socket(socket.AF_UNIX)
        self._keeper.connect(prepared())
        with ExitStack() as given:
            source, self.stdin = _for_reading(stdin, text, given)
            target, self.stdout = _for_writing(stdout, 1, text, given)
            complaints, self.stderr = _for_writing(stderr, 2, text, given)
            order.send(self._keeper, (source, target, complaints))
        self._said = self._keeper.makefile()
        self.pid = int(self._said.readline())

    def poll(self) -> int | None:
        """The exit status, None while it runs."""
        with suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        if self.returncode is None:
            if not select.select([self._keeper], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired(COMMAND, timeout or 0)
            self.returncode = int(self._said.readline())
            self._said.close()
            self._keeper.close()
        return self.returncode

    def communicate(self, written: str | None = None, timeout: float | None = None) -> tuple[Any, Any]:
        """Write all of that, read all there is, of both outputs at once, and close them."""
        with ThreadPoolExecutor(2) as readers:
            outputs = [readers.submit(file.read) if file else None for file in (self.stdout, self.stderr)]
            if self.stdin:
                with suppress(BrokenPipeError), self.stdin:
                    self.stdin.write(written or "")
            try:
                self.wait(timeout)
            except subprocess.TimeoutExpired:
                self.kill()
                raise
            finally:
                out, err = (output.result() if output else None for output in outputs)
        for file in (self.stdout, self.stderr):
            if file:
                file.close()
        return out, err

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        for file in (self.stdout, self.stderr, self.stdin):
            if file:
                file.close()
        self.wait()


def run(
    arguments: Sequence[str], *, timeout: float, written: str | None = None, **options: Any
) -> subprocess.CompletedProcess[str]:
    """As `subprocess.run` with both outputs captured, and `written` for its `input`."""
    pipe = subprocess.PIPE
    source = None if written is None else pipe
    with Copy(arguments, stdin=source, stdout=pipe, stderr=pipe, text=True, **options) as copy:
        out, err = copy.communicate(written, timeout=timeout)
    return subprocess.CompletedProcess([*COMMAND, *arguments], copy.wait(), out, err)


def _for_reading(stream: Stream, text: bool, given: ExitStack) -> tuple[int, IO[Any] | None]:
    """The copy's end, which `given` closes, and ours where there is a pipe."""
    if stream == subprocess.PIPE:
        read, write = os.pipe()
        given.callback(os.close, read)
        return read, os.fdopen(write, "w" if text else "wb")
    return _descriptor(stream, 0, given), None


def _for_writing(stream: Stream, standard: int, text: bool, given: ExitStack) -> tuple[int, IO[Any] | None]:
    if stream == subprocess.PIPE:
        read, write = os.pipe()
        given.callback(os.close, write)
        return write, os.fdopen(read, "r" if text else "rb")
    return _descriptor(stream, standard, given), None


def _descriptor(stream: Stream, standard: int, given: ExitStack) -> int:
    if stream is None:
        return standard
    if stream == subprocess.DEVNULL:
        null = os.open(os.devnull, os.O_RDWR)
        given.callback(os.close, null)
        return null
    return stream if isinstance(stream, int) else stream.fileno()


def prepared() -> str:
    """The socket of this process's prepared one, which ends when this one does."""
    if not SOCKETS:
        folder = Path(tempfile.mkdtemp(prefix="minato-copies-"))
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.prepared", str(folder / "socket")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=REPOSITORY,
        )
        atexit.register(_end, process, folder)
        assert process.stdout is not None
        assert process.stdout.readline(), "the prepared process ended"
        SOCKETS.append(str(folder / "socket"))
    return SOCKETS[0]


def _end(process: subprocess.Popen[bytes], folder: Path) -> None:
    process.communicate()
    shutil.rmtree(folder)
