"""Frames waiting for one client: bounded, so that a slow reader costs its own connection and nobody's memory."""

from __future__ import annotations

import asyncio
from collections import deque

from minato.http.asgi import Send
from minato.realtime.errors import CloseCode
from minato.realtime.serializer import Frame

CLOSE_SECONDS = 1.0


class FrameQueue:
    """The frames to send and, at the end, the code to close with."""

    def __init__(self, max_frames: int, max_bytes: int) -> None:
        self._frames: deque[Frame] = deque()
        self._bytes = 0
        self._max_frames = max_frames
        self._max_bytes = max_bytes
        self._wake = asyncio.Event()
        self._close: CloseCode | None = None
        self.overflowed = asyncio.Event()
        self.sent = 0
        self._empty = asyncio.Event()
        self._empty.set()
        self._is_over = False

    @property
    def is_closing(self) -> bool:
        """Whether nothing more will be taken."""
        return self._close is not None

    def put(self, frame: Frame) -> None:
        """Queue a frame; after the close, or over the bounds, it is lost."""
        if self._close is not None or self._is_over:
            return
        self._frames.append(frame)
        self._empty.clear()
        self._bytes += len(frame)
        if len(self._frames) > self._max_frames or self._bytes > self._max_bytes:
            self._frames.clear()
            self._close = CloseCode.TRY_AGAIN_LATER
            self.overflowed.set()
        self._wake.set()

    def close(self, code: CloseCode) -> None:
        """Close once everything queued is out; the first code stays."""
        if self._close is None:
            self._close = code
            self._wake.set()

    @property
    def waiting(self) -> int:
        """How many frames have not left."""
        return len(self._frames)

    async def emptied(self) -> None:
        """Wait until all that is queued has left, or never will."""
        await self._empty.wait()

    async def drain(self, send: Send) -> None:
        """Send until closed. A client that left makes `send` raise OSError, which ends it too."""
        try:
            await self._drain(send)
        finally:
            self._is_over = True
            self._empty.set()

    async def _drain(self, send: Send) -> None:
        while True:
            while self._frames:
                frame = self._frames.popleft()
                self._bytes -= len(frame)
                kind = "text" if isinstance(frame, str) else "bytes"
                await send({"type": "websocket.send", kind: frame})
                self.sent += 1
            self._empty.set()
            if self._close is not None:
                return
            self._wake.clear()
            await self._wake.wait()

    async def finish(self, send: Send) -> None:
        """Say the close code, unless the client does not even read that."""
        if self._close is not None:
            async with asyncio.timeout(CLOSE_SECONDS):
                await send({"type": "websocket.close", "code": int(self._close)})
