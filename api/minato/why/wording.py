"""An explanation in one sentence or two, of at most 300 characters."""

from __future__ import annotations

import re
from typing import Final

from minato.why.explanation import Explanation, Step
from minato.why.facts import Policy
from minato.why.rows import COUNTED
from minato.why.rules import Rows
from minato.why.verdicts import Part, Verdict

LONGEST: Final = 300
LONGEST_VALUE: Final = 60
WHO_ASKS: Final = "auth.uid()"
ELSEWHERE: Final = "Something else is refused than what was asked for: a trigger, a view or a function does more."
_NO_USER: Final = " The request carried no user's token."


def sentence(explanation: Explanation) -> str:
    """What a person is told first."""
    text = _sentence(explanation)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def relation_of(message: str) -> str | None:
    """The relation that PostgreSQL's message of 42501 is about; None where it names none.

    >>> relation_of("permission denied for table cars")
    'cars'
    >>> relation_of('new row violates row-level security policy "Only mine" for table "cars"')
    'cars'
    """
    denied = re.fullmatch(r"permission denied for (?:table|view|materialized view|foreign table) (.+)", message)
    violated = re.fullmatch(r'new row violates row-level security policy .*for table "(.+)"', message, re.DOTALL)
    found = denied or violated
    return found[1] if found else None


def _sentence(explanation: Explanation) -> str:
    attempt, facts = explanation.attempt, explanation.facts
    if explanation.missing:
        return lacks(attempt.role, explanation.missing[0])
    if not facts.is_table:
        return f"{attempt.table} is no table; its own tables are asked with the rights of its owner or of the caller."
    refusing = explanation.refusing
    if refusing is not None:
        return _refused(explanation, refusing)
    if (
        attempt.command != "INSERT"
        and Rows.FOUND in explanation.counts
        and explanation.steps
        and explanation.visible == 0
    ):
        return _nothing_found(explanation)
    if not explanation.steps and facts.secured and not facts.exempt:
        return "Row level security counts; the rows could not be looked at."
    return f"{attempt.role} may {attempt.command} on {attempt.table}."


def lacks(role: str, missing: str) -> str:
    """What is said of a privilege: `INSERT on public.cars`."""
    right, rest = missing.split(" ", 1)
    return f"{role} has no {missing}. Try: grant {right.lower()} {rest} to {role};"


def _refused(explanation: Explanation, step: Step) -> str:
    what = _nobody(explanation, step) or _policy(explanation, step)
    if step.rule.returning and step.rule.command == "SELECT" and not explanation.attempt.upsert:
        done = {"INSERT": "insert", "UPDATE": "update"}.get(explanation.attempt.command, "statement")
        return f"The {done} is allowed; returning the row is not. Leave out .select(), or add a SELECT policy. {what}"
    if explanation.attempt.upsert and step.rule.rows is not Rows.NEW:
        return f"The row exists already, and to change it is not allowed. {what}"
    return what


def _nobody(explanation: Explanation, step: Step) -> str | None:
    """What is to be said where no permissive policy is for the caller."""
    command, role, table = step.rule.command, explanation.attempt.role, explanation.attempt.table
    if any(each.question.policy.permissive and each.question.condition is not None for each in step.verdicts):
        return None
    others = [policy for policy in step.others if policy.permissive]
    if not others:
        return f"{table} has row level security and no policy for {command}, so nobody but service_role may."
    count = f"The {len(others)} {command} policies are" if len(others) > 1 else f"The {command} policy is"
    hint = " Was the user signed in?" if role == "anon" else ""
    return f"{count} for {_roles(others)}; this request is {role}.{hint}"


def _roles(policies: list[Policy]) -> str:
    return ", ".join(dict.fromkeys(role for policy in policies for role in policy.roles))


def _policy(explanation: Explanation, step: Step) -> str:
    row = step.first_refused
    verdict = _guilty(step, row)
    policy = verdict.question.policy
    named = f'"{policy.name}"' if policy.permissive else f'The restrictive policy "{policy.name}"'
    if verdict.error is not None:
        return f"{named} cannot be evaluated: {verdict.error}"
    return f"{named}: {_reason(verdict, row, explanation.attempt.role)}"


def _guilty(step: Step, row: int) -> Verdict:
    """The policy to name: a restrictive one that refuses, else the permissive one with the fewest false parts."""
    asked = [each for each in step.verdicts if each.question.condition is not None]
    refusing = [each for each in asked if each.error is not None or not each.verdicts[row]]
    restrictive = [each for each in refusing if not each.question.policy.permissive]
    if restrictive:
        return restrictive[0]
    return min(refusing, key=lambda each: sum(not part.verdicts[row] for part in each.parts if part.verdicts))


def _reason(verdict: Verdict, row: int, role: str) -> str:
    false = [part for part in verdict.parts if not part.verdicts[row]]
    if not false:
        return f"{verdict.question.condition} is false"
    if verdict.joined == "OR":
        return f"none of {len(false)} conditions holds: {' or '.join(_compared(part, row) for part in false)}."
    nobody = role == "anon" and WHO_ASKS in false[0].text
    return f"{_compared(false[0], row)}.{_NO_USER if nobody else ''}"


def _compared(part: Part, row: int) -> str:
    sides = part.sides[row] if row < len(part.sides) else {}
    values = ", ".join(f"{_side(side)} is {_shown(value)}" for side, value in sides.items())
    return f"{part.text} is false{f' ({values})' if values else ''}"


def _side(side: str) -> str:
    """A scalar subquery is known by what it asks: `( SELECT auth.uid() AS uid)` is auth.uid()."""
    words = side.strip("() ").split()
    if len(words) == 4 and words[0] == "SELECT" and words[2] == "AS":
        return words[1] if words[1].count("(") == words[1].count(")") else f"{words[1]})"
    return side


def _shown(value: str | None) -> str:
    if value is None:
        return "null"
    return value if len(value) <= LONGEST_VALUE else f"{value[: LONGEST_VALUE - 1]}…"


def _nothing_found(explanation: Explanation) -> str:
    found = explanation.counts.get(Rows.FOUND, 0)
    if found == 0:
        return "No row matches the filter, with or without policies."
    count = f"over {COUNTED}" if found > COUNTED else str(found)
    matches = "matches" if found == 1 else "match"
    hiding = explanation.hiding
    why = ""
    if hiding is not None:
        why = f" {_nobody(explanation, hiding) or _policy(explanation, hiding)}"
    return f"0 rows: {count} {matches} the filter, row level security hides {'it' if found == 1 else 'all'}.{why}"
