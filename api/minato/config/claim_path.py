"""The path to the role in a token's claims, as `jwt-role-claim-key` writes it: JSON Path, or PostgREST's older form.

`$.role`, `$.realm["app-role"]`, `$.roles[0]`, `$.roles[?search(@, "^app_")]`, `.roles[?(@ == "editor")]`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

STEP = re.compile(
    r"""\.(?P<name>[\w$@-]+) | \."(?P<quoted>[^"]*)" | \[(?P<index>-?\d+)\] | \[(?P<q>["'])(?P<key>.*?)(?P=q)\]
    | \[\?\(?\s*@\s*(?P<operator>==|!=|\^==|==\^|\*==)\s*(?P<o>["'])(?P<operand>.*?)(?P=o)\s*\)?\]
    | \[\?search\(\s*@\s*,\s*(?P<p>["'])(?P<pattern>.*?)(?P=p)\s*\)\]""",
    re.VERBOSE,
)
TESTS: Mapping[str, Callable[[str, str], bool]] = {
    "==": lambda value, operand: value == operand,
    "!=": lambda value, operand: value != operand,
    "^==": lambda value, operand: value.startswith(operand),
    "==^": lambda value, operand: value.endswith(operand),
    "*==": lambda value, operand: operand in value,
}


@dataclass(frozen=True, slots=True)
class Step:
    """One step down: a key, an index, or the first text of a list that passes a test (`search` is a pattern)."""

    key: str | None = None
    index: int | None = None
    operator: str = ""
    operand: str = ""


def parse_claim_path(text: str) -> tuple[Step, ...]:
    """The steps of `text`. Raises ValueError.

    >>> [step.key for step in parse_claim_path('$.realm["app-role"]')]
    ['realm', 'app-role']
    """
    rest = text.strip().removeprefix("$")
    steps: list[Step] = []
    while rest:
        found = STEP.match(rest)
        if found is None:
            raise ValueError(f"failed to parse jwt-role-claim-key value ({text})")
        steps.append(_step(found))
        rest = rest[found.end() :]
    return tuple(steps)


def claim_at(claims: object, path: tuple[Step, ...]) -> object:
    """What `path` leads to. Raises LookupError for nothing.

    >>> claim_at({"roles": ["a", "app_b"]}, parse_claim_path('$.roles[?search(@, "^app_")]'))
    'app_b'
    """
    value = claims
    for step in path:
        value = _below(value, step)
    return value


def _step(found: re.Match[str]) -> Step:
    if found["index"] is not None:
        return Step(index=int(found["index"]))
    if found["operator"] is not None:
        return Step(operator=found["operator"], operand=found["operand"])
    if found["pattern"] is not None:
        re.compile(found["pattern"])
        return Step(operator="search", operand=found["pattern"])
    return Step(key=next(found[name] for name in ("name", "quoted", "key") if found[name] is not None))


def _below(value: object, step: Step) -> object:
    if step.key is not None and isinstance(value, dict):
        return value[step.key]
    if step.key is not None or not isinstance(value, list):
        raise LookupError(step)
    if step.index is not None:
        return value[step.index]
    for each in value:
        if isinstance(each, str) and _passes(each, step):
            return each
    raise LookupError(step)


def _passes(value: str, step: Step) -> bool:
    if step.operator == "search":
        return re.search(step.operand, value) is not None
    return TESTS[step.operator](value, step.operand)
