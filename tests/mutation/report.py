"""What came of it: a table by room, the survivors that nobody has argued, and whether enough was noticed."""

from __future__ import annotations

import tomllib
from collections import Counter
from pathlib import Path

from tests.mutation.trial import ENDLESS, NOTICED, SURVIVED, UNTESTED, Trial

ARGUED = Path(__file__).parent / "survivors.toml"
ENOUGH = 0.95
# Survived, and survivors.toml says why nothing could notice it.
EQUIVALENT = "equivalent"
# Noticed by a test that fails with the right code too.
DOUBTFUL = "doubtful"
OUTCOMES = (NOTICED, ENDLESS, SURVIVED, EQUIVALENT, UNTESTED, DOUBTFUL)


def argued() -> dict[str, str]:
    """Mutants that cannot be noticed: label and reason."""
    return {str(entry["mutant"]): str(entry["reason"]) for entry in tomllib.loads(ARGUED.read_text())["survivor"]}


class Report:
    """The last outcome of every mutant."""

    def __init__(self) -> None:
        self._found: dict[str, Trial] = {}
        self._argued = argued()

    @property
    def trials(self) -> list[Trial]:
        return list(self._found.values())

    def add(self, trial: Trial) -> None:
        if trial.outcome == SURVIVED and trial.name in self._argued:
            trial.outcome = EQUIVALENT
        self._found[trial.name] = trial

    def doubt(self, test: str) -> None:
        """`test` has failed with nothing wrong."""
        for trial in self.trials:
            if test and trial.noticed_by == test:
                trial.outcome = DOUBTFUL

    def names(self, outcome: str) -> list[str]:
        return [trial.name for trial in self.trials if trial.outcome == outcome]

    def share(self) -> float:
        """How many were noticed, of those that could be. What never ends has been noticed."""
        counts = Counter(trial.outcome for trial in self.trials)
        noticed = counts[NOTICED] + counts[ENDLESS]
        return noticed / (len(self._found) - counts[EQUIVALENT] or 1)

    def is_enough(self) -> bool:
        return not self._found or self.share() >= ENOUGH

    def table(self) -> str:
        rooms = sorted({room(trial) for trial in self.trials})
        rows = [["", "mutants", *OUTCOMES]]
        for name in [*rooms, "all"]:
            counts = Counter(trial.outcome for trial in self.trials if name in ("all", room(trial)))
            rows.append([name, *map(str, (counts.total(), *(counts[outcome] for outcome in OUTCOMES)))])
        lines = [
            "".join(cell.rjust(12) if number else cell.ljust(10) for number, cell in enumerate(row)) for row in rows
        ]
        left = [f"{outcome}: {name}" for outcome in (SURVIVED, UNTESTED, DOUBTFUL) for name in self.names(outcome)]
        return "\n".join([*lines, "", *left, f"{self.share():.1%} noticed, {ENOUGH:.0%} wanted", ""])


def room(trial: Trial) -> str:
    """`rest` of `rest/app.py | …`, `public` of `public.profiles | …`."""
    return trial.name.split(" ")[0].replace("/", ".").partition(".")[0]
