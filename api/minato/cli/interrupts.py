"""Imports while a server starts: Ctrl-C counts although a library may swallow it, and no collector looks on."""

from __future__ import annotations

import gc
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def heeded_interrupts() -> Iterator[None]:
    """Raise KeyboardInterrupt at the end of the block, too, where SIGINT came within it and the block went on."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came = False

    def note(number: int, frame: FrameType | None) -> None:
        nonlocal came
        came = True
        signal.default_int_handler(number, frame)

    before = signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if came:
        raise KeyboardInterrupt


@contextmanager
def uncollected() -> Iterator[None]:
    """For imports alone: what they make stays, so it is looked through neither now nor later."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
