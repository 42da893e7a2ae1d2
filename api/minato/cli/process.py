"""What a server that starts wants of its process: enough descriptors, and imports that nothing slows down."""

from __future__ import annotations

import contextlib
import gc
import resource
from collections.abc import Iterator


def raise_descriptor_limit() -> None:
    """As many as this process may have without asking anybody."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        # macOS says "unlimited" and then refuses that.
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


@contextlib.contextmanager
def uncollected() -> Iterator[None]:
    """For imports alone: what they make stays, so the garbage collector looks through it neither now nor later."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
