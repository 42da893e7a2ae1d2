"""The threads of one process for what would keep the event loop busy: as many as it has processors for, whoever asks.

Each backend keeps its own line in front of them (`auth/request/password_queue`, `storage/imaging/pool`).
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor


class Workers:
    """Threads begin when there is work: one for each of `processors` that hashes passwords, `pictures` that render."""

    def __init__(self, processors: int, pictures: int) -> None:
        self.processors = processors
        self.passwords = ThreadPoolExecutor(processors, thread_name_prefix="password")
        self.pictures = ThreadPoolExecutor(pictures, thread_name_prefix="image")

    def close(self) -> None:
        """Begin nothing more; what is at work comes to its end by itself."""
        for pool in (self.passwords, self.pictures):
            pool.shutdown(wait=False, cancel_futures=True)
