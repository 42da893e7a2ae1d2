"""What storage is measured against: files in a folder, behind the same HTTP server with nothing between."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any
from uuid import uuid4

ROOT = Path(os.environ.get("FILE_ROOT", "."))
CHUNK = 1024 * 1024


async def app(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """PUT stores the body, durable when answered; GET sends it."""
    if scope["type"] != "http":
        return
    path = ROOT / Path(scope["path"]).name
    if scope["method"] == "PUT":
        await store(path, receive)
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]})
    else:
        size = str(path.stat().st_size).encode()
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", size)]})
        with path.open("rb") as file:
            while chunk := await asyncio.to_thread(file.read, CHUNK):
                await send({"type": "http.response.body", "body": chunk, "more_body": True})
    await send({"type": "http.response.body", "body": b""})


async def store(path: Path, receive: Any) -> None:
    """What a server must do that loses nothing it has acknowledged, nor what it replaces, at whatever moment it dies.

    The bytes go to a name of their own and to the disk, take the place of the old ones, and the folder's entry goes to
    the disk: the syncs in one thread.
    """
    partial = path.with_name(f"{path.name}#{uuid4()}")
    with partial.open("wb") as file:
        more = True
        while more:
            message = await receive()
            file.write(message.get("body", b""))
            more = message.get("more_body", False)
        file.flush()
        await asyncio.to_thread(_settle, file.fileno(), partial, path)


def _settle(descriptor: int, partial: Path, path: Path) -> None:
    os.fsync(descriptor)
    partial.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
