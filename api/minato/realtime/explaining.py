"""What somebody does in a private channel, as an attempt that `minato.why` explains."""

from __future__ import annotations

from typing import Final

from minato.realtime.authorization import BROADCAST, Question
from minato.why.attempt import Attempt, TableName
from minato.why.hints import Hints

MESSAGES: Final = TableName("realtime", "messages")


def channel_attempt(question: Question, extension: str = BROADCAST, writes: bool = False) -> Attempt:
    """To read a message of the topic, which is not there, or to write one; `extension` is broadcast or presence."""
    return Attempt(
        command="INSERT" if writes else "SELECT",
        table=MESSAGES,
        role=question.caller.role,
        settings=tuple(question.settings().items()),
        written={"topic": "$1::text", "extension": "$2::text"},
        parameters=(question.topic, extension),
        reads=None if writes else ("id",),
    )


async def why_denied(hints: Hints | None, question: Question) -> str | None:
    """Why who asks may not read the topic, where that is told."""
    return await hints.refused(channel_attempt(question)) if hints is not None else None
