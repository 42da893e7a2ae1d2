"""The moment between fork and exec, as a script: takes on the account, ties its life to the parent, becomes PostgreSQL.

A program of its own and not a hook in the fork, because the parent has threads. Started as
`python -I -S child.py <parent pid> kernel|watched <mode> <uid> <gid> <program> <arguments…>`; imports nothing of ours,
to start fast.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys

# Exit status that tells the launcher to try the next account.
NAMESPACE_REFUSED = 97

CLONE_NEWUSER = 0x10000000
PR_SET_PDEATHSIG, PR_SET_KEEPCAPS, PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE = 1, 8, 47, 2
CAP_DAC_OVERRIDE = 1
CAPABILITY_VERSION_3 = 0x20080522


def enter_namespace(uid: int, gid: int) -> None:
    """Appear as `uid` and `gid`; outside, this process stays who it was."""
    outer_uid, outer_gid = os.geteuid(), os.getegid()
    if ctypes.CDLL(None, use_errno=True).unshare(CLONE_NEWUSER) != 0:
        sys.exit(NAMESPACE_REFUSED)
    try:
        for name, content in (
            ("setgroups", "deny"),
            ("uid_map", f"{uid} {outer_uid} 1"),
            ("gid_map", f"{gid} {outer_gid} 1"),
        ):
            with open(f"/proc/self/{name}", "w") as file:
                file.write(content)
    except OSError:
        sys.exit(NAMESPACE_REFUSED)


def become(uid: int, gid: int) -> None:
    """Change to the unprivileged user, keeping only the right to pass folders that are root's (the venv, the data)."""
    libc = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None
    if libc is not None:
        libc.prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0)
    os.setgroups([])
    os.setgid(gid)
    os.setuid(uid)
    if libc is not None:
        # Where the container took this right away as well, the folders must simply be readable.
        header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION_3, 0)
        wanted = 1 << CAP_DAC_OVERRIDE
        libc.capset(header, (ctypes.c_uint32 * 6)(wanted, wanted, wanted, 0, 0, 0))
        libc.prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_DAC_OVERRIDE, 0, 0)


def die_with(parent: int, tie: str) -> None:
    """Have the kernel ask for a fast shutdown when the parent dies, where it can.

    After `become`: changing users clears the wish.
    """
    if tie == "kernel":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGINT, 0, 0, 0)
    if os.getppid() != parent:
        sys.exit(0)


def main(arguments: list[str]) -> None:
    """Never returns: the process becomes the program, or ends."""
    parent, tie, mode, uid, gid, program, *rest = arguments
    os.umask(0o077)
    if mode == "namespace":
        enter_namespace(int(uid), int(gid))
    elif mode == "setuid":
        become(int(uid), int(gid))
    die_with(int(parent), tie)
    os.execv(program, [program, *rest])


if __name__ == "__main__":
    main(sys.argv[1:])
