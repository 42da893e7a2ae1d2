"""The process that workers are copies of: it has imported the program, opened nothing, and runs a single thread.

It is forked before the parent begins its threads, which could not be forked any more. A copy is at work at once and
shares the memory of what was imported. Nothing but the listening socket goes over to it.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
import traceback
from collections.abc import Callable, Collection
from contextlib import suppress
from typing import NoReturn, Self

Work = Callable[[socket.socket, socket.socket], int]
"""What a worker does with the connection to its parent and the listening socket; its exit status."""
STANDARD = (0, 1, 2)


class TemplateGone(Exception):
    """No worker can be made any more."""


class Template:
    """The parent's hold on it; it ends with the parent, and so do its copies, which notice by themselves."""

    def __init__(self, pid: int, orders: socket.socket) -> None:
        self._pid = pid
        self._orders = orders

    @classmethod
    def begin(cls, listener: socket.socket, work: Work) -> Self:
        """Fork it; its copies do `work`."""
        ours, theirs = socket.socketpair()
        pid = os.fork()
        if pid == 0:
            _be_template(theirs, listener, work)
        theirs.close()
        return cls(pid, ours)

    def copy(self) -> socket.socket:
        """The connection to a new worker. Raises TemplateGone."""
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                socket.send_fds(self._orders, [b"."], [theirs.fileno()])
            except OSError as error:
                ours.close()
                raise TemplateGone from error
        return ours

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._orders.close()
        with suppress(ChildProcessError):
            os.waitpid(self._pid, 0)


def _be_template(orders: socket.socket, listener: socket.socket, work: Work) -> NoReturn:
    # Ctrl-C in a terminal is the parent's to pass on.
    os.setsid()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    # Nobody waits for a worker: that it is gone is told by its connection.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    _let_go({orders.fileno(), listener.fileno(), *STANDARD})
    while True:
        order, descriptors, _, _ = socket.recv_fds(orders, 1, 1)
        if not order:
            os._exit(0)
        if descriptors and _forked():
            orders.close()
            _be_worker(socket.socket(fileno=descriptors[0]), listener, work)
        for descriptor in descriptors:
            os.close(descriptor)


def _forked() -> bool:
    """Whether this is the copy. A machine without room for one more process is no reason to end: the parent sees the
    connection end, and asks again later."""
    try:
        return os.fork() == 0
    except OSError as error:
        with suppress(OSError):
            os.write(2, f"minato: no process can be made for a worker: {error.strerror}\n".encode())
        return False


def _be_worker(control: socket.socket, listener: socket.socket, work: Work) -> NoReturn:
    """Never back to what the parent was doing when it forked: that is the parent's to end."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    status = 1
    try:
        status = work(control, listener)
    except BaseException:
        traceback.print_exc()
    finally:
        with suppress(OSError):
            sys.stderr.flush()
        os._exit(status)


def _let_go(kept: Collection[int]) -> None:
    """Close what was inherited: the lock of the data folder would outlive the parent, and so would pipes."""
    for descriptor in map(int, os.listdir("/dev/fd")):
        if descriptor not in kept:
            with suppress(OSError):  # the listing's own is closed already
                os.close(descriptor)
