"""What a project says is meant to be as it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from minato.advisors.finding import Finding


@dataclass(frozen=True)
class Sifted:
    """`open` is what is left, `allowed` what the list names, `idle` its entries that name nothing that was found."""

    open: list[Finding]
    allowed: list[Finding]
    idle: list[str]


def sift(findings: Sequence[Finding], reasons: Mapping[str, str]) -> Sifted:
    """Part findings by a list of `lint place` with its reasons. A place is an object, or a part of one."""
    named = {finding: _names(finding) & reasons.keys() for finding in findings}
    used = set().union(*named.values())
    return Sifted(
        open=[finding for finding, names in named.items() if not names],
        allowed=[finding for finding, names in named.items() if names],
        idle=[name for name in reasons if name not in used],
    )


def _names(finding: Finding) -> set[str]:
    whole = ".".join(word for word in (finding.schema, finding.name) if word)
    return {f"{finding.lint.name} {finding.place}", f"{finding.lint.name} {whole}"}
