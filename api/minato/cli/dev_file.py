"""`dev.json` in the data folder: where a developer's server answers, for commands and test libraries beside it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path

from minato.postgres.lock import holder

NAME = "dev.json"


@dataclass(frozen=True)
class DevServer:
    """A server's address, and the token that opens its developer's pages, where it has one."""

    url: str
    pid: int
    token: str | None = field(default=None, repr=False)


@contextmanager
def leaving_word(data_dir: Path, url: str, token: str | None) -> Iterator[None]:
    """Until the block ends, tell who looks into the data folder. Nobody else on this machine may read it."""
    # With a database and a store elsewhere nothing else may have been written there.
    data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = data_dir / NAME
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        json.dump(asdict(DevServer(url, os.getpid(), token)), file)
    try:
        yield
    finally:
        path.unlink(missing_ok=True)


def dev_server(data_dir: Path, lock: Path) -> DevServer | None:
    """The server of this data folder, while it holds `lock`; what one that crashed said counts no more."""
    with suppress(OSError, ValueError, TypeError):
        found = DevServer(**json.loads((data_dir / NAME).read_text()))
        # With a database of somebody else's nobody holds the folder: whether it answers shows when it is asked.
        return found if holder(lock) in (None, found.pid) else None
    return None
