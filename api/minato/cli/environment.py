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
    return {**file_variables(FILE), **process_environment()}


def file_variables(path: Path) -> dict[str, str]:
    """What a file of settings says; nothing without one."""
    return {name: value for name, value in dotenv_values(path).items() if value is not None}


def processors() -> int:
    """How many this machine has."""
    return os.cpu_count() or 1
