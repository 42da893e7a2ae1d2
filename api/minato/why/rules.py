"""Which policies PostgreSQL asks for a statement, of which rows, and in which order (its rewrite/rowsecurity.c)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Literal

from minato.why.attempt import Attempt, SqlCommand
from minato.why.facts import Facts, Policy


class Rows(StrEnum):
    """Of which rows a rule is asked: found ones, proposed ones, and what a conflict makes of both."""

    FOUND = "found"
    NEW = "new"
    MERGED = "merged"


Part = Literal["using", "check"]


@dataclass(frozen=True)
class Rule:
    """The policies for `command`, asked of some rows. One that `filters` hides rows, any other one refuses them."""

    command: SqlCommand
    part: Part
    rows: Rows
    filters: bool = False
    returning: bool = False

    @property
    def name(self) -> str:
        return f"{self.command} {self.part}"


@dataclass(frozen=True)
class Question:
    """A policy's condition; None lets no row through."""

    policy: Policy
    condition: str | None


_HIDDEN_TO_UPDATE: Final = Rule("UPDATE", "using", Rows.FOUND, filters=True)
_VISIBLE: Final = Rule("SELECT", "using", Rows.FOUND, filters=True)


def rules_of(attempt: Attempt) -> list[Rule]:
    """The rules of a statement on a table with row level security, in the order in which they are asked."""
    reads = attempt.reads is not None
    match attempt.command:
        case "SELECT":
            return [Rule("SELECT", "using", Rows.NEW)] if attempt.written else [_VISIBLE]
        case "DELETE":
            return [*([_VISIBLE] if reads else []), Rule("DELETE", "using", Rows.FOUND, filters=True)]
        case "UPDATE":
            shown = Rule("SELECT", "using", Rows.NEW, returning=attempt.returns)
            found = [_VISIBLE, _HIDDEN_TO_UPDATE] if reads else [_HIDDEN_TO_UPDATE]
            return [*found, Rule("UPDATE", "check", Rows.NEW), *([shown] if reads else [])]
        case "INSERT":
            return _rules_of_insert(attempt, reads)


def _rules_of_insert(attempt: Attempt, reads: bool) -> list[Rule]:
    # An arbiter is read, so a conflict target alone makes the SELECT policies count.
    shown = [Rule("SELECT", "using", Rows.NEW, returning=attempt.returns)] if reads or attempt.upsert else []
    rules = [Rule("INSERT", "check", Rows.NEW), *shown]
    if attempt.upsert is None or not attempt.upsert.merges:
        return rules
    return [
        *rules,
        Rule("UPDATE", "using", Rows.FOUND),
        Rule("SELECT", "using", Rows.FOUND),
        Rule("UPDATE", "check", Rows.MERGED),
        Rule("SELECT", "using", Rows.MERGED, returning=attempt.returns),
    ]


def questions_of(rule: Rule, facts: Facts) -> list[Question]:
    """The conditions of the policies that are for this command and role."""
    asked = [policy for policy in facts.policies if policy.command in (rule.command, "ALL") and policy.for_role]
    return [Question(policy, _condition(rule, policy)) for policy in asked]


def _condition(rule: Rule, policy: Policy) -> str | None:
    if rule.part == "check" and policy.check is not None:
        return policy.check
    return policy.using


def others_of(rule: Rule, facts: Facts) -> list[Policy]:
    """The policies for this command that are for other roles."""
    return [policy for policy in facts.policies if policy.command in (rule.command, "ALL") and not policy.for_role]
