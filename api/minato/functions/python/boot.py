"""Begins a Python function's process: it confines itself, imports the function, and serves it on a port of its own that
only the server may ask.
"""

from __future__ import annotations

import asyncio
import faulthandler
import json
import os
import socket
import sys
import sysconfig
import tempfile
import threading
from contextlib import suppress
from pathlib import Path
from typing import Final, TypedDict

import uvicorn

from minato.functions.python.guard import Guard, WatchedThreads, limit_memory, watch_threads_of_anyio
from minato.functions.python.landlock import confine
from minato.functions.python.loading import load, told
from minato.functions.python.serving import Mounted
from minato.functions.python.speech import listen_in, tell

_FAILED: Final = 86
_LARGEST_MESSAGE: Final = 16 * 1024 * 1024
# What a program needs of a system to call other servers, to know the time and to load its libraries; no /etc as such.
_SYSTEM: Final = (
    *("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/nix/store", "/etc/ld.so.cache"),
    *("/usr/share/zoneinfo", "/usr/share/ca-certificates", "/usr/share/locale", "/usr/share/mime", "/etc/mime.types"),
    *("/etc/resolv.conf", "/etc/hosts", "/etc/host.conf", "/etc/nsswitch.conf", "/etc/gai.conf", "/etc/services"),
    *("/etc/localtime", "/etc/ssl/certs", "/etc/ssl/cert.pem", "/etc/ssl/openssl.cnf", "/etc/ca-certificates"),
    *("/etc/pki/tls/certs", "/etc/pki/tls/cert.pem", "/etc/pki/ca-trust/extracted", "/run/systemd/resolve"),
    *("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom", "/proc/cpuinfo", "/proc/meminfo"),
    "/sys/devices/system/cpu",
)


# What the server says first. `pass` is the word it will be known by, `variables` names those of the function.
Orders = TypedDict(
    "Orders",
    {
        "folder": str,
        "module": str,
        "target": str,
        "shared": list[str],
        "readable": list[str],
        "temporary": str,
        "variables": list[str],
        "confine": bool,
        "pass": str,
        "development": bool,
        "cpu_limit": float,
        "memory_mb": int,
    },
)


def main(packages: list[str]) -> None:
    """Serve until the server is gone. `packages` are folders of its own, behind those of the function."""
    given = _orders()
    for name in {"LC_CTYPE"} - set(given["variables"]):
        os.environ.pop(name, None)
    faulthandler.enable(2)
    listen_in()
    listening = _loopback()
    limit_memory(given["memory_mb"])
    tempfile.tempdir = given["temporary"]
    os.chdir(given["temporary"])
    if given["confine"]:
        confine(_readable(given, packages), [Path(given["temporary"]), Path("/dev/null")])
    # No thread began before, for it would not be confined.
    _end_with_the_server(os.dup(0))
    _serve(given, listening)


def _serve(given: Orders, listening: socket.socket) -> None:
    folder, shared = Path(given["folder"]), [Path(each) for each in given["shared"]]
    folders = [folder, *shared]
    guard = Guard(given["cpu_limit"])
    watch_threads_of_anyio(guard)
    try:
        application = load(given["module"], given["target"], folder, shared)
    except BaseException as error:
        _fail(told(error, folders))
    mounted = Mounted(application, given["pass"], guard, lambda error: told(error, folders), given["development"])
    server = _Server(_config(mounted), guard)
    with suppress(SystemExit):
        asyncio.run(server.serve([listening]))
    _fail(mounted.failure or "The application ended.")


def _config(application: Mounted) -> uvicorn.Config:
    return uvicorn.Config(
        application,
        log_config=None,
        access_log=False,
        # Nobody but the server, which sets them, may ask.
        forwarded_allow_ips="*",
        server_header=False,
        ws="websockets-sansio",
        ws_max_size=_LARGEST_MESSAGE,
        ws_ping_interval=None,
        ws_per_message_deflate=False,
    )


class _Server(uvicorn.Server):
    """Tells its port as soon as the application's own start is through."""

    def __init__(self, config: uvicorn.Config, guard: Guard) -> None:
        super().__init__(config)
        self._guard = guard

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """As uvicorn's."""
        asyncio.get_running_loop().set_default_executor(WatchedThreads(self._guard))
        await super().startup(sockets)
        if sockets and not self.should_exit:
            self._guard.begin()
            tell(ready=sockets[0].getsockname()[1])


def _orders() -> Orders:
    """What the server says first. It says nothing else; when nobody holds the other end any more, it is gone."""
    line = b""
    while not line.endswith(b"\n"):
        piece = os.read(0, 65536)
        if not piece:
            os._exit(0)
        line += piece
    orders: Orders = json.loads(line)
    return orders


def _end_with_the_server(life: int) -> None:
    """So does what a function forks, which may leave its group of processes and has no thread of ours."""

    def wait() -> None:
        while os.read(life, 64):
            pass
        os._exit(0)

    def begin() -> None:
        threading.Thread(target=wait, name="life", daemon=True).start()

    begin()
    os.register_at_fork(after_in_child=begin)


def _loopback() -> socket.socket:
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.bind(("127.0.0.1", 0))
    return listening


def _readable(given: Orders, packages: list[str]) -> list[Path]:
    """The function's files, the interpreter with its packages, and what every program needs."""
    installed = {sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    installed |= {os.path.join(sys.base_prefix, "lib"), *packages}
    names = [*given["readable"], *installed, *_SYSTEM]
    return [Path(name) for name in names]


def _fail(text: str) -> None:
    tell(failed=text)
    os._exit(_FAILED)
