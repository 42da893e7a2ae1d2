"""How a refusal is explained, in one transaction that is rolled back:

    facts (catalogue) ─► a privilege lacks ────────────────────────────────────────────► explanation
          │ none lacks, row level security counts
          ▼
    rows, as service_role, for which no policy counts: found ones by the statement's own filters, new ones
          │ written and taken back where a trigger changes them; computed where that fails
          ▼
    verdicts, as the caller: each policy that PostgreSQL would ask, rule by rule ──────► explanation

Everything runs in a session of the requests' own login, so that a policy's functions can't become anybody else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from minato.database.as_caller import Setting, set_locally
from minato.database.outage import CONNECTION_ERRORS
from minato.database.wire.pool import SessionPool
from minato.database.wire.session import Command, Session, StatementError
from minato.tokens.caller import SERVICE_ROLE
from minato.why.attempt import Attempt
from minato.why.explanation import Explanation, Step, passes
from minato.why.facts import EVERYTHING_QUALIFIED, Facts, facts_command, facts_of
from minato.why.privileges import missing_privileges
from minato.why.rows import SAMPLE, Sample, can_write, sample_commands, sample_of
from minato.why.rules import Rows, Rule, others_of, questions_of, rules_of
from minato.why.verdicts import verdicts_on

WITHIN: Final = 2.0
TIMEOUT: Final = ("statement_timeout", "2s")
_SAVE, _BACK = Command("SAVEPOINT minato_rows"), Command("ROLLBACK TO SAVEPOINT minato_rows")


async def explain(sessions: SessionPool, attempt: Attempt) -> Explanation | None:
    """Why `attempt` is refused or finds no rows, or that it is not; None where that can't be found out.

    `sessions` log in as who may become each role of the API. Nothing is changed, sequences aside.
    """
    try:
        async with sessions.asked(WITHIN) as session:
            return await _explained(session, attempt)
    except (StatementError, TimeoutError, *CONNECTION_ERRORS):
        return None


async def _explained(session: Session, attempt: Attempt) -> Explanation | None:
    free = _settings(attempt, SERVICE_ROLE)
    told = await session.run([free, EVERYTHING_QUALIFIED, facts_command(attempt)], reset=False)
    facts = facts_of(attempt.table, told[-1])
    if facts is None:
        return None
    explanation = Explanation(attempt, facts, missing_privileges(attempt, facts))
    if explanation.missing or facts.exempt or not facts.secured or not facts.is_table:
        return explanation
    sample, notes = await _sample(session, attempt, facts, free)
    if sample is None:
        return replace(explanation, notes=notes)
    await session.run([_settings(attempt, attempt.role)], reset=False)
    return replace(await _judged(session, explanation, sample), notes=notes)


def _settings(attempt: Attempt, role: str) -> Command:
    """What holds from here on: the caller's settings, with another role."""
    kept: Sequence[Setting] = [each for each in attempt.settings if each[0] not in ("role", "transaction_read_only")]
    return Command(*set_locally([*kept, TIMEOUT, ("role", role)]))


async def _sample(
    session: Session, attempt: Attempt, facts: Facts, free: Command
) -> tuple[Sample | None, tuple[str, ...]]:
    """The rows of the attempt, and what is to be said of them."""
    triggers = ", ".join(facts.triggers)
    if can_write(attempt, facts):
        sample = await _rows(session, attempt, facts, free, by_trigger=True)
        if sample is not None:
            return sample, (f"As {triggers} leaves the rows.",)
    notes = (f"Without what {triggers} changes.",) if facts.triggers else ()
    return await _rows(session, attempt, facts, free, by_trigger=False), notes


async def _rows(session: Session, attempt: Attempt, facts: Facts, free: Command, by_trigger: bool) -> Sample | None:
    asked = sample_commands(attempt, facts, by_trigger)
    try:
        results = await session.run([_SAVE, free, *(command for _, command in asked)], reset=False)
    except StatementError:
        results = None
    await session.run([_BACK], reset=False)
    return None if results is None else sample_of([kinds for kinds, _ in asked], results[2:])


async def _judged(session: Session, explanation: Explanation, sample: Sample) -> Explanation:
    """The rules, in PostgreSQL's order; what one hides the following ones don't see."""
    attempt, facts = explanation.attempt, explanation.facts
    steps: list[Step] = []
    hidden: set[int] = set()
    sampled = min(sample.counts.get(Rows.FOUND, 0), SAMPLE)
    for rule in rules_of(attempt):
        step = await _step(session, rule, attempt, facts, sample)
        if rule.filters:
            hidden |= {place for place, passed in enumerate(step.through) if passed is False}
        elif attempt.command == "UPDATE":
            step = _without(step, hidden)
        steps.append(step)
    return replace(
        explanation, steps=tuple(steps), counts=sample.counts, sampled=sampled, visible=max(sampled - len(hidden), 0)
    )


async def _step(session: Session, rule: Rule, attempt: Attempt, facts: Facts, sample: Sample) -> Step:
    array = sample.arrays.get(rule.rows, "{}")
    count = min(sample.counts.get(rule.rows, 0), SAMPLE)
    questions = questions_of(rule, facts)
    verdicts = await verdicts_on(session, attempt.table, array, questions, attempt.role)
    through = tuple(passes(verdicts, row) for row in range(count))
    return Step(rule, tuple(verdicts), tuple(others_of(rule, facts)), through)


def _without(step: Step, hidden: set[int]) -> Step:
    """What is hidden is not written, so nothing refuses it."""
    return replace(step, through=tuple(place in hidden or passed for place, passed in enumerate(step.through)))
