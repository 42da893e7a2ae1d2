"""`minato` that dies at one step of writing a file, once the file DIE_WHEN names the step. Run as a module.

`before file`: nothing is stored. `within file`: a part is. `after file`: the file is durable, its row is not. `within
row`: judgement, row and commit of a small file are on their way to PostgreSQL. `before delete`: the row has switched,
the old file is still there. The file SWEPT appears when the sweep of the start is over.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from minato.cli import app
from minato.database.wire.session import Session
from minato.storage import housekeeping
from minato.storage.backend.object_store import LocalBackend
from minato.storage.services import Services
from minato.storage.sweep import sweep_orphans

Method = Callable[..., Awaitable[Any]]


def die_at(flag: Path, step: str) -> None:
    """End this process if it is to die at this step."""
    if flag.exists() and flag.read_text() == step:
        os.kill(os.getpid(), signal.SIGKILL)


def dying(method: Method, flag: Path, before: str, after: str) -> Method:
    """`method`, with the end of this process before or after it."""

    async def deadly(*arguments: Any) -> Any:
        die_at(flag, before)
        result = await method(*arguments)
        die_at(flag, after)
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


def dying_session(flag: Path) -> Callable[..., Any]:
    """A session's `run_begun`, with the end of this process when PostgreSQL was sent all of it and has not answered."""
    run_begun = Session.run_begun

    async def deadly(*arguments: Any) -> Any:
        answer = asyncio.ensure_future(run_begun(*arguments))
        await asyncio.sleep(0)
        die_at(flag, "within row")
        return await answer

    return deadly


async def telling_sweep(services: Services) -> int:
    """The sweep; it is told of because at the age 0 it takes what is being uploaded, too."""
    swept = await sweep_orphans(services)
    await asyncio.to_thread(Path(os.environ["SWEPT"]).touch)
    return swept


if __name__ == "__main__":
    vars(housekeeping)["sweep_orphans"] = telling_sweep
    flag = Path(os.environ["DIE_WHEN"])
    vars(os)["write"] = dying_write(flag)
    Session.run_begun = dying_session(flag)  # type: ignore[method-assign]
    for name, kind in (("write", "file"), ("copy", "file"), ("delete", "delete")):
        setattr(LocalBackend, name, dying(getattr(LocalBackend, name), flag, f"before {kind}", f"after {kind}"))
    app()
