"""How many statements begin at once on a database that shares our processors."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

from minato.database.wire.session import Session

# Seconds; a statement that takes longer waits for something else than a processor.
PATIENCE = 0.01
LOOPBACK = ("localhost", "127.0.0.1", "::1")


class Turns:
    """At most `limit` sessions at work; one that takes longer than PATIENCE counts no more.

    Statements beyond what the processors can carry only take time from each other, and the kernel lets some of them
    wait for ten times as long as others. In our line each waits as long as the one before.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._began: dict[Session, float] = {}

    @property
    def full(self) -> bool:
        """Whether the next one has to wait."""
        return len(self._began) >= self._limit

    def begin(self, session: Session) -> None:
        """`session` goes to work."""
        self._began[session] = session.now

    def end(self, session: Session) -> None:
        """`session` has done its work, or is lost."""
        self._began.pop(session, None)

    def pass_over_slow(self, now: float) -> None:
        """Count no more who has been at work for longer than PATIENCE."""
        self._began = {session: began for session, began in self._began.items() if now - began < PATIENCE}


def turns_at(url: str, sessions: int, processors: int) -> int:
    """How many of `sessions` may work at once at the database `url`: all, unless it runs on our `processors`.

    >>> turns_at("postgresql://elsewhere.example/postgres", 10, 2), turns_at("postgresql:///postgres", 10, 2)
    (10, 4)
    """
    parts = urlsplit(url)
    host = parse_qs(parts.query).get("host", [parts.hostname or ""])[0]
    if host and host not in LOOPBACK and not host.startswith("/"):
        return sessions
    return min(sessions, 2 * processors)
