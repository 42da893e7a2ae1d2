"""`Server-Timing`: how long each stage of a request took, under PostgREST's names."""

from __future__ import annotations

from collections.abc import Callable

STAGES = ("jwt", "parse", "plan", "transaction", "response")
_PLACES = {stage: place for place, stage in enumerate(STAGES)}
Lap = Callable[[str], None]


def untimed(stage: str) -> None:
    """The lap of who doesn't measure."""


class Stopwatch:
    """Milliseconds since the previous lap, in the order of STAGES."""

    __slots__ = ("_now", "_since", "spent")

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._since = now()
        # Goes on to be filled while somebody holds it.
        self.spent = [0.0] * len(STAGES)

    def lap(self, stage: str) -> None:
        """`stage` ends here."""
        now = self._now()
        self.spent[_PLACES[stage]] += (now - self._since) * 1000
        self._since = now

    def header(self) -> str:
        """The value of the header."""
        return ", ".join(f"{stage};dur={spent:.1f}" for stage, spent in zip(STAGES, self.spent, strict=True))
