"""The one place that reads what the process was given: its variables, `.env`, the number of processors."""

from __future__ import annotations

import os
from pathlib import Path

from dotenv import dotenv_values

FILE = Path(".env")


def process_environment() -> dict[str, str]:
    """The variables of this process."""
    return dict(os.environ)


def setting_variables() -> dict[str, str]:
    """The same, and behind them what `.env` of the current folder says."""
    written = dotenv_values(FILE)
    return {**{name: value for name, value in written.items() if value is not None}, **process_environment()}


def processors() -> int:
    """How many this machine has."""
    return os.cpu_count() or 1
