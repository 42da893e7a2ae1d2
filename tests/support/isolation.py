"""What of this machine stays out of the tests: the person's `.env`, and the authorities that the world trusts."""

from __future__ import annotations

import os
from pathlib import Path

from minato.cli import environment

# One whose key nobody has: tests speak to this machine alone, and the system's hundreds take 30 ms to read, which each
# client would do anew.
NO_AUTHORITY = Path(__file__).parents[1] / "fixtures" / "no-authority.pem"


def keep_the_machine_out() -> None:
    """Settings come from the environment alone, and no server of the outer world is trusted."""
    os.environ["SSL_CERT_FILE"] = str(NO_AUTHORITY)
    environment.FILE = Path("/nowhere/.env")
