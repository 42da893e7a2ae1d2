"""The limit on open files: a connection is one, and what a system gives at first is meant for small programs."""

from __future__ import annotations

import contextlib
import resource


def raise_descriptor_limit() -> None:
    """As many as this process may have without asking anybody."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        # macOS says "unlimited" and then refuses that.
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
