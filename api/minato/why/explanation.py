"""The explanation of an attempt: which rules were asked of which rows, and what they said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from minato.json_text import JsonObject
from minato.why.attempt import Attempt
from minato.why.facts import Facts, Policy
from minato.why.rules import Rows, Rule
from minato.why.verdicts import Part, Verdict


@dataclass(frozen=True)
class Step:
    """One rule, with the verdicts of its policies and which of the rows it lets through; None: one can't be told."""

    rule: Rule
    verdicts: tuple[Verdict, ...]
    others: tuple[Policy, ...]
    through: tuple[bool | None, ...]

    @property
    def allowed(self) -> bool | None:
        """Whether all rows get through."""
        return None if None in self.through else all(self.through)

    @property
    def first_refused(self) -> int:
        """The place of the first row that does not get through."""
        return next(place for place, passed in enumerate(self.through) if passed is not True)


@dataclass(frozen=True)
class Explanation:
    """`missing` are privileges, as `INSERT on public.cars`. `counts` are rows found or proposed, without policies.

    `allowed`: no rule raises an error; None: it can't be told. `visible` are found rows that no rule hides, of the
    `sampled` ones.
    """

    attempt: Attempt
    facts: Facts
    missing: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()
    counts: dict[Rows, int] = field(default_factory=dict)
    sampled: int = 0
    visible: int = 0
    notes: tuple[str, ...] = ()

    @property
    def allowed(self) -> bool | None:
        if self.missing:
            return False
        said = [step.allowed for step in self.steps if not step.rule.filters]
        return False if False in said else None if None in said else True

    @property
    def refusing(self) -> Step | None:
        """The first rule that refuses a row."""
        return next((step for step in self.steps if not step.rule.filters and step.allowed is not True), None)

    @property
    def hiding(self) -> Step | None:
        """The first rule that hides a row."""
        return next((step for step in self.steps if step.rule.filters and step.allowed is not True), None)

    def as_json(self, sentence: str) -> JsonObject:
        """What programs read."""
        return {
            "sentence": sentence,
            "allowed": self.allowed,
            "command": self.attempt.command,
            "table": str(self.attempt.table),
            "caller": {"role": self.attempt.role},
            "privileges": {"ok": not self.missing, "missing": list(self.missing)},
            "rows": {
                "matching": self.counts.get(Rows.FOUND, self.counts.get(Rows.NEW, 0)),
                "visible": self.visible,
                "sampled": self.sampled,
            },
            "steps": [_step(step) for step in self.steps],
            "notes": list(self.notes),
        }


def passes(verdicts: Sequence[Verdict], row: int) -> bool | None:
    """Whether the policies let a row through: one permissive one, and every restrictive one that has a condition."""
    permissive = [each for each in verdicts if each.question.policy.permissive and each.question.condition is not None]
    restrictive = [
        each for each in verdicts if not each.question.policy.permissive and each.question.condition is not None
    ]
    by_any = _any([_said(each, row) for each in permissive])
    by_all = _all([_said(each, row) for each in restrictive])
    return _all([by_any, by_all])


def _said(verdict: Verdict, row: int) -> bool | None:
    return None if verdict.error is not None else verdict.verdicts[row]


def _any(said: Sequence[bool | None]) -> bool | None:
    return True if True in said else None if None in said else False


def _all(said: Sequence[bool | None]) -> bool | None:
    return False if False in said else None if None in said else True


def _step(step: Step) -> JsonObject:
    return {
        "rule": step.rule.name,
        "on": step.rule.rows.value,
        "filters": step.rule.filters,
        "allowed": step.allowed,
        "policies": [
            *(_policy(verdict) for verdict in step.verdicts),
            *({"name": each.name, "permissive": each.permissive, "applies": False} for each in step.others),
        ],
    }


def _policy(verdict: Verdict) -> JsonObject:
    policy = verdict.question.policy
    return {
        "name": policy.name,
        "permissive": policy.permissive,
        "applies": True,
        "verdict": None
        if verdict.error is not None
        else all(verdict.verdicts) and verdict.question.condition is not None,
        "error": verdict.error,
        "parts": [_part(part) for part in verdict.parts],
    }


def _part(part: Part) -> JsonObject:
    values = list(part.sides[0].items()) if part.sides else []
    return {"text": part.text, "verdict": all(part.verdicts), "values": dict(values)}
