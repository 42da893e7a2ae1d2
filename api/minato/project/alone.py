"""Statements that PostgreSQL refuses within a transaction: a file's own makes way for them, as in the Supabase CLI.

What stood before is committed, the statement runs by itself, and what follows has another transaction. Where the file
began one in its own words, PostgreSQL's refusal stands.
"""

from __future__ import annotations

import re

from minato.project.statements import first_word, without_comments

_ALONE = re.compile(
    r"""
      (?: create \s+ (?: unique \s+ )? | drop \s+ ) index \s+ concurrently \b
    | reindex \b .* \b concurrently \b
    | reindex \s+ (?: \( [^)]* \) \s* )? (?: schema | database | system ) \b
    | (?: vacuum | cluster | alter \s+ system | (?: create | drop ) \s+ (?: database | subscription ) ) \b
    | alter \s+ subscription \b .* \b (?: refresh | publication ) \b
    | alter \s+ table \b .* \b detach \s+ partition \b .* \b (?: concurrently | finalize ) \s* \Z
    """,
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
_OPENS = re.compile(r"(?: begin | start \s+ transaction ) \b", re.VERBOSE | re.IGNORECASE)
_CLOSES = re.compile(
    r"(?: commit | end | abort | prepare \s+ transaction | rollback (?! \b .* \b to \b ) ) \b",
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
# Seeds are long, and few of their statements begin so.
_ALONE_BEGINS = frozenset({"create", "drop", "reindex", "vacuum", "cluster", "alter"})
_OWN_BEGINS = frozenset({"begin", "start", "commit", "end", "abort", "prepare", "rollback"})


def runs_alone(statement: str) -> bool:
    """Whether no transaction may be open for it.

    >>> [runs_alone(text) for text in ("-- now\\ncreate index concurrently on cars (id)", "create index on cars (id)")]
    [True, False]
    >>> runs_alone("REINDEX (verbose, concurrently) table cars")
    True
    """
    return first_word(statement) in _ALONE_BEGINS and _ALONE.match(without_comments(statement).strip()) is not None


def is_within_own(statement: str, before: bool) -> bool:
    """Whether a transaction that the file itself began is open after the statement; `before`: whether one was before.

    >>> is_within_own("begin", False), is_within_own("rollback to savepoint one", True), is_within_own("commit", True)
    (True, True, False)
    """
    if first_word(statement) not in _OWN_BEGINS:
        return before
    text = without_comments(statement).strip()
    return bool(_OPENS.match(text)) or (before and not _CLOSES.match(text))
