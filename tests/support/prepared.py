"""A process that has imported all of the program and forks a copy of itself for every command that is to run.

`python -m tests.support.prepared SOCKET` listens there until its standard input ends. Who connects sends an `Order` and
three descriptors, and is told the process id and, at the end, the exit status. Between this process and a copy stands a
keeper, the copy's parent, which tells them.
"""

from __future__ import annotations

import atexit
import importlib
import os
import pkgutil
import runpy
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from io import TextIOWrapper
from pathlib import Path
from typing import Any, NoReturn
from unittest.mock import patch

import minato.cli
from minato.cli import app as run_command
from minato.cli.app import app as commands
from minato.cli.lazy_commands import command_line
from minato.cli.process import uncollected
from minato.config import Settings
from typer._click import Command
from typer.core import TyperGroup

from tests.support.copies import COMMAND, SOCKETS, Copy, Order
from tests.support.kept_cluster import use_kept_clusters

PROCESS = subprocess.Popen
# The first is Alembic's to read, with what it gives to it.
NOT_IMPORTED = ("minato.migrate.env", "minato.__main__", "minato.cli.detached")
# What libraries import late.
OF_OTHERS = ("alembic.command", "certifi", "deno", "h2.connection", "httpcore", "uvicorn.lifespan.on", "uvloop")


def import_all() -> None:
    """Whatever any command may import late."""
    with uncollected():
        for module in pkgutil.walk_packages(minato.__path__, "minato."):
            if module.name not in NOT_IMPORTED:
                importlib.import_module(module.name)
        for name in OF_OTHERS:
            importlib.import_module(name)
        build_all()


def build_all() -> None:
    """Whatever any command builds on its way: the models of settings, the commands."""
    Settings.of({})
    build(command_line(commands))
    # The module of that name took the function's place.
    minato.cli.app = run_command


def build(command: Command) -> None:
    """It and all commands below."""
    if isinstance(command, TyperGroup):
        for each in command.commands.values():
            build(each)


def serve(path: str) -> socket.socket | None:
    """Keep on making keepers; returns a connection in each of them, and None when the input has ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen()
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        while sys.stdin not in (ready := select.select([listener, sys.stdin], [], [])[0]):
            assert ready
            connection, _ = listener.accept()
            if os.fork() == 0:
                return connection
            connection.close()
    return None


def keep(connection: socket.socket) -> Order:
    """Make the copy, in which this returns; tell about it and end with it."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    order, descriptors = Order.receive(connection)
    copy = os.fork()
    if copy == 0:
        connection.close()
        become(order, descriptors)
        return order
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    for descriptor in descriptors:
        os.close(descriptor)
    connection.sendall(f"{copy}\n".encode())
    status = os.waitstatus_to_exitcode(os.waitpid(copy, 0)[1])
    with suppress(BrokenPipeError):
        connection.sendall(f"{status}\n".encode())
    os._exit(0)


def become(order: Order, descriptors: list[int]) -> None:
    """Take on what a new process would be given."""
    if order.leads_session:
        os.setsid()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for standard, descriptor in enumerate(descriptors):
        os.dup2(descriptor, standard)
    for descriptor in descriptors:
        os.close(descriptor)
    os.chdir(order.folder)
    os.environ.clear()
    os.environ.update(order.variables)
    patch.object(subprocess, "Popen", started).start()
    tempfile.tempdir = None
    time.tzset()
    for descriptor, name in enumerate(("stdin", "stdout", "stderr")):
        stream = opened(descriptor)
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)


def started(command: Sequence[str], **options: Any) -> Copy | subprocess.Popen[Any]:
    """What a copy starts of the same program is a copy, too."""
    if command[:2] == COMMAND[:2] and command[2].partition(".")[0] == "minato":
        return Copy(command[3:], module=command[2], **options)
    return PROCESS(command, **options)


def opened(descriptor: int) -> TextIOWrapper:
    """A standard stream as Python opens it."""
    at_once = "PYTHONUNBUFFERED" in os.environ
    by_line = at_once or descriptor == 2 or os.isatty(descriptor)
    file = open(descriptor, "wb" if descriptor else "rb", closefd=False)
    errors = "backslashreplace" if descriptor == 2 else sys.stdout.errors
    return TextIOWrapper(file, "utf-8", errors, line_buffering=by_line, write_through=at_once)


def leave(status: str | int | None) -> NoReturn:
    """As Python ends, but that nothing imported is taken apart, which would copy all of the memory shared so far."""
    for thread in threading.enumerate():
        if thread is not threading.current_thread() and not thread.daemon:
            thread.join()
    atexit._run_exitfuncs()
    if isinstance(status, str):
        sys.stderr.write(f"{status}\n")
    for stream in (sys.stdout, sys.stderr):
        # Whoever would have read it may be gone.
        with suppress(OSError):
            stream.flush()
    os._exit(1 if isinstance(status, str) else status or 0)


def main(path: str) -> None:
    SOCKETS.append(path)
    import_all()
    use_kept_clusters(Path(path).parent)
    connection = serve(path)
    if connection is not None:
        order = keep(connection)
        sys.argv = ["minato", *order.arguments]
        try:
            runpy.run_module(order.module, run_name="__main__", alter_sys=True)
        except SystemExit as ended:
            leave(ended.code)


if __name__ == "__main__":
    main(sys.argv[1])
