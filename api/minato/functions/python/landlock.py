"""Linux's Landlock: a process gives up, for good and for all that it starts, what it will not need of the files.

Reference: the kernel's `Documentation/userspace-api/landlock.rst` and `include/uapi/linux/landlock.h`.
"""

from __future__ import annotations

import ctypes
import os
import struct
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

_CREATE, _ADD, _RESTRICT = 444, 445, 446
_VERSION: Final = 1
_PATH_BENEATH: Final = 1
_NO_NEW_PRIVILEGES: Final = 38
_READ_FILE, _READ_FOLDER = 1 << 2, 1 << 3
_READ: Final = _READ_FILE | _READ_FOLDER
# Rights of version 1, and what each later one brought: moving between folders, truncating, asking devices.
_RIGHTS: Final = (0, (1 << 13) - 1, 1 << 13, 1 << 14, 0, 1 << 15)
_WRITE_FILE, _TRUNCATE = 1 << 1, 1 << 14
# No program may be run, and nothing made but files and folders.
_WRITE: Final = _READ | _WRITE_FILE | 1 << 4 | 1 << 5 | 1 << 7 | 1 << 8 | 1 << 13 | _TRUNCATE
_OF_A_FILE: Final = _READ_FILE | _WRITE_FILE | _TRUNCATE
# Version 6: neither signals to processes outside, nor their sockets without a file.
_SCOPED: Final = 0b11
_SCOPED_SINCE: Final = 6


def landlock_version() -> int:
    """What this kernel understands; 0 where there is no Landlock."""
    if sys.platform != "linux":
        return 0
    return max(_call(_CREATE, None, ctypes.c_size_t(0), _VERSION), 0)


def confine(readable: Iterable[Path], writable: Iterable[Path]) -> None:
    """From now on this thread, and what it starts, reads only `readable`, writes only `writable`, runs no program.

    Paths that are not there are left out. Raises OSError where the kernel refuses; then nothing may go on.
    """
    version = landlock_version()
    handled = sum(_RIGHTS[1 : min(version, 5) + 1])
    scoped = _SCOPED if version >= _SCOPED_SINCE else 0
    attributes = struct.pack("=QQQ", handled, 0, scoped)
    size = len(attributes) if scoped else 8
    ruleset = _checked(_call(_CREATE, attributes, ctypes.c_size_t(size), 0))
    try:
        for path in readable:
            _allow(ruleset, path, handled & _READ)
        for path in writable:
            _allow(ruleset, path, handled & _WRITE)
        _checked(_libc().prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0))
        _checked(_call(_RESTRICT, ruleset, 0))
    finally:
        os.close(ruleset)


def _allow(ruleset: int, path: Path, rights: int) -> None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        rights = rights if path.is_dir() else rights & _OF_A_FILE
        _checked(_call(_ADD, ruleset, _PATH_BENEATH, struct.pack("=Qi", rights, place), 0))
    finally:
        os.close(place)


def _call(number: int, *given: object) -> int:
    return int(_libc().syscall(number, *given))


def _checked(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), "landlock")
    return result


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)
