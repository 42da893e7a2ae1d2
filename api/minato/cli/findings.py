"""One thing that is unsafe in production, and how to mend it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """Sentences for the operator: what is wrong, what to do. Refused ones keep the server from starting."""

    problem: str
    mend: str
    is_refused: bool

    def __str__(self) -> str:
        return f"{self.problem} {self.mend}"


def refused(problem: str, mend: str) -> Finding:
    return Finding(problem, mend, is_refused=True)


def advised(problem: str, mend: str) -> Finding:
    return Finding(problem, mend, is_refused=False)
