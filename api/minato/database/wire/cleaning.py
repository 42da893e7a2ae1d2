"""What a session is sent behind each caller, so that the next one finds nothing of it."""

from __future__ import annotations

from typing import NamedTuple

from minato.database.as_caller import FORGET
from minato.database.wire.messages import command_complete, query

# How FORGET is answered, unless a setting that PostgreSQL reports was changed: compared as a whole after every request.
FORGOTTEN = b"".join(
    (
        *map(command_complete, (b"RESET", b"RESET")),
        b"T\x00\x00\x00/\x00\x01pg_advisory_unlock_all\x00\x00\x00\x00\x00\x00\x00\x00\x00\x08\xe6\x00\x04\xff\xff\xff\xff\x00\x00",
        b"D\x00\x00\x00\n\x00\x01\x00\x00\x00\x00",
        *map(command_complete, (b"SELECT 1", b"CLOSE CURSOR ALL", b"UNLISTEN", b"DISCARD TEMP", b"DISCARD SEQUENCES")),
    )
)
READY = b"Z\x00\x00\x00\x05I"
RESET, RESET_DONE = query(FORGET), FORGOTTEN + READY


class Cleaning(NamedTuple):
    """What is sent behind each request, and how PostgreSQL answers it."""

    sent: bytes
    answered: bytes
    text: str


OF_CALLERS = Cleaning(RESET, RESET_DONE, FORGET)
# A pooler gives the next transaction to another session of PostgreSQL's, and sends a reset of its own: none of ours is
# sent, and no message begins as its answer is said to.
OF_POOLER = Cleaning(b"", b"\x00", "")
_TO_ROLE = f"{FORGET};RESET ROLE"
# A service's session begins with its role, which the first part takes away.
OF_SERVICES = Cleaning(query(_TO_ROLE), FORGOTTEN + command_complete(b"RESET") + READY, _TO_ROLE)
