"""`minato` that dies at one step of writing a file, once the file DIE_WHEN names the step. Run as a module.

`before file`: nothing is stored. `within file`: a part is. `after file`: the file is durable, its row is not. `before
delete`: the row has switched, the old file is still there.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from minato.cli import app
from minato.storage.backend.object_store import LocalBackend

Method = Callable[..., Awaitable[Any]]


def dying(method: Method, flag: Path, before: str, after: str) -> Method:
    """`method`, with the end of this process before or after it."""

    def die_at(step: str) -> None:
        if flag.exists() and flag.read_text() == step:
            os.kill(os.getpid(), signal.SIGKILL)

    async def deadly(*arguments: Any) -> Any:
        die_at(before)
        result = await method(*arguments)
        die_at(after)
        return result

    return deadly


def dying_write(flag: Path) -> Callable[[int, bytes | memoryview], int]:
    """`os.write`, with the end of this process when half of a small file is written."""
    write = os.write

    def deadly(descriptor: int, content: bytes | memoryview) -> int:
        if isinstance(content, memoryview) and flag.exists() and flag.read_text() == "within file":
            write(descriptor, content[: len(content) // 2])
            os.kill(os.getpid(), signal.SIGKILL)
        return write(descriptor, content)

    return deadly


if __name__ == "__main__":
    flag = Path(os.environ["DIE_WHEN"])
    vars(os)["write"] = dying_write(flag)
    for name, kind in (("write", "file"), ("copy", "file"), ("delete", "delete")):
        setattr(LocalBackend, name, dying(getattr(LocalBackend, name), flag, f"before {kind}", f"after {kind}"))
    app()
