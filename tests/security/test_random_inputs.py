"""Whatever is sent to any room, it is answered: no 5xx but an honest 501, no lost connection, in time."""

from __future__ import annotations

from tests.security.fuzz.driver import drive
from tests.security.fuzz.target import tokens
from tests.support.server import Minato

# `python -m tests.security.fuzz` sends more.
INPUTS = 3_000


async def test_random_inputs_are_answered(own_minato: Minato) -> None:
    outcome = await drive(own_minato.url, await tokens(own_minato), 1, range(INPUTS))
    assert outcome.wrong == []
    assert outcome.statuses[200] > INPUTS / 50
