"""Machines that are network namespaces: a hub with a bridge, and nodes that hang on it.

The hub is this process, begun again in a namespace of its own: nothing in it has a way out, and whatever it made goes
with the last process in it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass

HUB = "10.77.0.1"
_INSIDE = "MINATO_BENCH_HUB"
NEEDED = {"ip": "iproute2", "unshare": "util-linux", "nsenter": "util-linux"}


def require_programs(needed: dict[str, str]) -> None:
    """End with a sentence where a program is missing, by its Debian package."""
    missing = sorted({package for name, package in needed.items() if shutil.which(name) is None})
    if missing:
        raise SystemExit(f"This needs {' and '.join(missing)}: apt-get install {' '.join(missing)}")


def begin_again_in_hub() -> None:
    """Go on in a network namespace that has a bridge with the address HUB."""
    require_programs(NEEDED)
    if os.environ.get(_INSIDE) is None:
        if os.geteuid() != 0:
            raise SystemExit("Only root makes network namespaces: run it as root.")
        os.environ[_INSIDE] = "1"
        os.execvp("unshare", ["unshare", "--net", sys.executable, *sys.orig_argv[1:]])
    _ip("link set lo up")
    _ip("link add hub type bridge")
    _ip(f"address add {HUB}/24 dev hub")
    _ip("link set hub up")


@dataclass
class Machine:
    """One namespace with an address of its own; `holder` keeps it."""

    address: str
    holder: subprocess.Popen[bytes]

    @classmethod
    def begin(cls, number: int) -> Machine:
        """Number 1 has 10.77.0.11."""
        holder = subprocess.Popen(["unshare", "--net", "sleep", "3600"])
        machine = cls(f"10.77.0.{10 + number}", holder)
        _wait_for_namespace(holder.pid)
        _ip(f"link add node{number} type veth peer name eth0 netns {holder.pid}")
        _ip(f"link set node{number} master hub up")
        for command in ("link set lo up", f"address add {machine.address}/24 dev eth0", "link set eth0 up"):
            subprocess.run([*machine.inside, "ip", *command.split()], check=True)
        return machine

    @property
    def inside(self) -> list[str]:
        """What stands before a command that runs there."""
        return ["nsenter", "--target", str(self.holder.pid), "--net"]

    def end(self) -> None:
        """Its processes have ended; the namespace goes, too."""
        self.holder.kill()
        self.holder.wait()


def _wait_for_namespace(process: int) -> None:
    own = os.readlink("/proc/self/ns/net")
    while os.readlink(f"/proc/{process}/ns/net") == own:
        pass


def _ip(command: str) -> None:
    subprocess.run(["ip", *command.split()], check=True)
