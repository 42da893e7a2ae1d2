"""What of this machine stays out of the tests: the person's `.env`, and the authorities that the world trusts."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import minato.config  # noqa: F401 - every room is below RoomSettings once it is imported
from minato.config.base import RoomSettings

# One whose key nobody has: tests speak to this machine alone, and the system's hundreds take 30 ms to read, which each
# client would do anew.
NO_AUTHORITY = Path(__file__).parents[1] / "fixtures" / "no-authority.pem"


def keep_the_machine_out() -> None:
    """Settings come from the environment alone, and no server of the outer world is trusted."""
    os.environ["SSL_CERT_FILE"] = str(NO_AUTHORITY)
    for room in rooms(RoomSettings):
        room.model_config["env_file"] = None


def rooms(base: type[RoomSettings]) -> Iterator[type[RoomSettings]]:
    """`base` and everything below it."""
    yield base
    for room in base.__subclasses__():
        yield from rooms(room)
