"""What of this machine stays out of the tests: the `.env`, the authorities that the world trusts, and its haste."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import minato.config  # noqa: F401 - every room is below RoomSettings once it is imported
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis
from minato.config.base import RoomSettings

# One whose key nobody has: tests speak to this machine alone, and the system's hundreds take 30 ms to read, which each
# client would do anew.
NO_AUTHORITY = Path(__file__).parents[1] / "fixtures" / "no-authority.pem"


def keep_the_machine_out() -> None:
    """Settings come from the environment alone, no server of the outer world is trusted, and slowness fails nothing."""
    os.environ["SSL_CERT_FILE"] = str(NO_AUTHORITY)
    for room in rooms(RoomSettings):
        room.model_config["env_file"] = None
    # A machine with other things to do may need longer than ten seconds for what a person gets at once.
    os.environ["GOTRUE_API_MAX_REQUEST_DURATION"] = "120"
    hypothesis.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
    hypothesis.load_profile("patient")


def rooms(base: type[RoomSettings]) -> Iterator[type[RoomSettings]]:
    """`base` and everything below it."""
    yield base
    for room in base.__subclasses__():
        yield from rooms(room)
