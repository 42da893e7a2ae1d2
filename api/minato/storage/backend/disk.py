"""Files of a local folder, each function the work of one thread in one go: nothing here waits for the event loop.

A small file costs as much in changes of threads as in work, and each system call that may wait lets another thread have
the interpreter: so a write is few calls. What is written is on the disk when the function returns, and so is the entry
of its folder: O_SYNC makes write() do what fsync() would do after it, then the folder is synced.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from minato.kept_files import sync
from minato.storage.backend.base import is_file_path

PRIVATE_FOLDER, PRIVATE_FILE = 0o700, 0o600
FOLDER_ATTEMPTS = 100


def write_new(file: str, content: bytes) -> None:
    """Write a file straight under its name, which is a version's: no row names it before this returns.

    A crash may leave a part of it under that name, a file without a row like any other a crash leaves. Where there is
    such a part already, of a finish that is tried again, the file takes its place whole.
    """
    try:
        _write(file, content, os.O_EXCL)
    except FileExistsError:
        replace(file, content)
    else:
        sync(os.path.dirname(file))


def replace(file: str, content: bytes) -> None:
    """Write a file that may be there already, and be read meanwhile: the old bytes or the new ones, never a part."""
    partial = f"{file}#0"
    _write(partial, content, os.O_TRUNC)
    try:
        os.replace(partial, file)
    except BaseException:
        remove([partial])
        raise
    sync(os.path.dirname(file))


def _write(file: str, content: bytes, flag: int) -> None:
    """Make the file and have the disk hold its bytes; what can't be written whole goes again."""
    descriptor = _create(file, flag)
    try:
        try:
            left = memoryview(content)
            while left:
                left = left[os.write(descriptor, left) :]
            if not content:
                os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except BaseException:
        remove([file])
        raise


def _create(file: str, flag: int) -> int:
    """A descriptor of the new file; its folder is made when there is none, or a sweep takes it away beside us."""
    for _ in range(FOLDER_ATTEMPTS):
        with suppress(FileNotFoundError):
            return os.open(file, os.O_WRONLY | os.O_CREAT | os.O_SYNC | flag, PRIVATE_FILE)
        make_private(os.path.dirname(file))
    raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), file)


def make_private(folder: str) -> None:
    """The folder and what leads to it, for this user alone; a new one's entry is on the disk."""
    try:
        os.mkdir(folder, PRIVATE_FOLDER)
    except FileExistsError:
        return
    except FileNotFoundError:
        make_private(os.path.dirname(folder))
        make_private(folder)
    else:
        sync(os.path.dirname(folder))


def settle(file: str) -> None:
    """Make a file of obstore's like one of ours: for this user alone, and on the disk."""
    os.chmod(file, PRIVATE_FILE)
    sync(file)
    sync(os.path.dirname(file))


def remove(files: Iterable[str]) -> None:
    """Remove files; those that are gone already are fine. Folders stay: another version will need them."""
    for file in files:
        with suppress(FileNotFoundError):
            os.unlink(file)


def clear(folder: Path, before: float) -> None:
    """Remove what obstore's writes left that were cut off before this time, and folders without a file.

    obstore writes to `<name>#<number>` and renames at the end.
    """
    for path in folder.glob("*/*/*#*"):
        name, _, number = path.relative_to(folder).as_posix().partition("#")
        # A write may end while we look.
        with suppress(FileNotFoundError):
            if is_file_path(name) and number.isdecimal() and path.stat().st_mtime <= before:
                path.unlink()
    for empty in folder.glob("*/[0-9a-f][0-9a-f]/"):
        # Of a bucket's folder only when a folder of ours was the last thing in it: others may keep theirs beside.
        with suppress(OSError):
            empty.rmdir()
            empty.parent.rmdir()
