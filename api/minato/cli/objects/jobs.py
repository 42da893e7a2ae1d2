"""Several things at once, as `--jobs` says."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor


def run_all(jobs: Iterable[Callable[[], None]], at_once: int) -> None:
    """Do all, so many at once. The first failure is raised when those that had begun have ended; no more begin.

    >>> from functools import partial
    >>> run_all([partial(print, "one"), partial(print, "two")], 1)
    one
    two
    """
    with ThreadPoolExecutor(max(1, at_once)) as pool:
        begun = [pool.submit(job) for job in jobs]
        try:
            for each in begun:
                each.result()
        except BaseException:
            # Also at Ctrl-C: a thousand files that wait must not be copied first.
            pool.shutdown(wait=True, cancel_futures=True)
            raise
