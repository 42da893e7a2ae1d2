"""Signals that end the process, at any moment of it.

Ctrl-C counts, whatever it interrupts: what a library does while it is imported may swallow the exception. SIGTERM,
which service managers send, takes the same way, so that PostgreSQL is shut down and its folder left in order.
"""

from __future__ import annotations

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
def heeded_termination() -> Iterator[None]:
    """SIGTERM ends the block as Ctrl-C would, and then the process, by the signal itself."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came = False

    def pass_on(number: int, frame: FrameType | None) -> None:
        nonlocal came
        came = True
        signal.raise_signal(signal.SIGINT)

    before = signal.signal(signal.SIGTERM, pass_on)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
        if came:
            signal.raise_signal(signal.SIGTERM)


@contextmanager
def noted_hangups() -> Iterator[list[int]]:
    """SIGHUP is kept in the list for who can't heed it yet; unheeded it would end the process on the spot."""
    came: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield came
        return
    before = signal.signal(signal.SIGHUP, lambda number, _: came.append(number))
    try:
        yield came
    finally:
        signal.signal(signal.SIGHUP, before)
