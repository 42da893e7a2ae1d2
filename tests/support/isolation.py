"""What of this machine stays out of the tests: the `.env`, the authorities that the world trusts, haste and chance."""

from __future__ import annotations

import os
from pathlib import Path

from httpx._config import DEFAULT_TIMEOUT_CONFIG
from minato.cli import environment

from tests.support.examples import use_steady_examples

# One whose key nobody has: tests speak to this machine alone, and the system's hundreds take 30 ms to read, which each
# client would do anew.
NO_AUTHORITY = Path(__file__).parents[1] / "fixtures" / "no-authority.pem"
REQUEST_SECONDS = 120


def keep_the_machine_out() -> None:
    """Settings come from the environment alone, no outer server is trusted, slowness and chance fail no test."""
    os.environ["SSL_CERT_FILE"] = str(NO_AUTHORITY)
    environment.FILE = Path("/nowhere/.env")
    # A machine with other things to do may need longer than ten seconds for what a person gets at once; `settings_for`
    # gives servers in the test's own process the same.
    os.environ["GOTRUE_API_MAX_REQUEST_DURATION"] = str(REQUEST_SECONDS)
    # The one object that every client of httpx takes where it is told nothing else: five seconds.
    waits = DEFAULT_TIMEOUT_CONFIG
    waits.connect = waits.read = waits.write = waits.pool = float(REQUEST_SECONDS)
    use_steady_examples()
