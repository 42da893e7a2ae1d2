"""A worker: serves the shared port until its parent, or a signal, says otherwise, and never longer than the parent."""

from __future__ import annotations

import asyncio
import os
import pickle
import select
import signal
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Final

import uvicorn

from minato.cli.http_server import GRACE_SECONDS, AnnouncingServer
from minato.config import Settings
from minato.database.address import DatabaseAddress
from minato.host.host import Host
from minato.http.protocols import GuardedConfig
from minato.log import create_log, take_over_libraries, wants_json
from minato.log_lines import FLUSH_SECONDS, STDERR, LogLines, write_all
from minato.machine.link import Member

READY: Final = b"ready\n"
# Said by the event loop, which then does not stand still; the parent asks for it.
HERE: Final = b"here\n"
STOP, RETIRE, QUESTION = b"s", b"r", b"?"
# A worker whose parent is gone has so long to end by itself.
ORPHAN_SECONDS: Final = 10.0


@dataclass(frozen=True)
class Boot:
    """What the parent knows and a copy of the program does not. `processors` are the worker's share."""

    member: Member
    settings: Settings
    address: DatabaseAddress = field(repr=False)
    url: str
    secret: str = field(repr=False)
    processors: int


def work(control: socket.socket, listener: socket.socket) -> int:
    """Be a worker: `control` brings its Boot, then orders; its end is the parent's. Returns the exit status."""
    control.sendall(b"%d\n" % os.getpid())
    orders = control.makefile("rb")
    boot: Boot = pickle.load(orders)
    production = boot.settings.server.environment == "production"
    lines = LogLines(_write_lines)
    take_over_libraries(create_log(lines, wants_json(production)).bind(worker=boot.member.number))
    host = Host(boot.processors, boot.settings.storage.image_workers, lines, machine=boot.member)

    async def serve() -> bool:
        try:
            application = host.create(boot.settings, boot.address, boot.url, boot.secret)
            server = AnnouncingServer(_config(boot, application), lambda: control.sendall(READY))
            _heed(asyncio.get_running_loop(), orders.read, server, partial(_answer, control))
            await server.serve(sockets=[listener])
            return server.started
        finally:
            await host.close()

    try:
        with asyncio.Runner(loop_factory=uvicorn.Config(app="", log_config=None).get_loop_factory()) as runner:
            return 0 if runner.run(serve()) else 1
    except SystemExit:  # uvicorn's word for a start that failed and was told
        return 1
    finally:
        lines.flush(FLUSH_SECONDS)


def _config(boot: Boot, application: object) -> GuardedConfig:
    settings = boot.settings
    trusted = settings.server.trusted_proxies
    graceful = {"lifespan": "on", "timeout_graceful_shutdown": GRACE_SECONDS}
    return GuardedConfig(application, settings.connections, trusted, **graceful)


def _heed(
    loop: asyncio.AbstractEventLoop, read: Callable[[int], bytes], server: AnnouncingServer, answer: Callable[[], None]
) -> None:
    """Do what the parent says; without a parent end, whatever the event loop is at."""
    acts: dict[bytes, Callable[[], None]] = {
        STOP: partial(server.handle_exit, signal.SIGTERM, None),
        RETIRE: server.retire,
        QUESTION: answer,
    }

    def heed() -> None:
        with suppress(RuntimeError):  # the loop is closed: it has come to its end
            while order := _next_order(read):
                loop.call_soon_threadsafe(acts[order])
            loop.call_soon_threadsafe(acts[STOP])
        time.sleep(ORPHAN_SECONDS)
        os._exit(1)

    threading.Thread(target=heed, name="parent", daemon=True).start()


def _next_order(read: Callable[[int], bytes]) -> bytes:
    """Empty where the parent is gone; that it had not read all we said is told as an error."""
    try:
        return read(1)
    except OSError:
        return b""


def _answer(control: socket.socket) -> None:
    with suppress(OSError):  # the parent is gone, of which the thread hears
        control.sendall(HERE)


def _write_lines(content: bytes) -> None:
    """Line by line, where one fits into what a pipe takes at once: other workers write there, too."""
    for line in content.splitlines(keepends=True):
        if len(line) > select.PIPE_BUF:
            write_all(STDERR, line)
        else:
            _write_whole(line)


def _write_whole(line: bytes) -> None:
    try:
        os.write(STDERR, line)
    except BlockingIOError:
        write_all(STDERR, line)
