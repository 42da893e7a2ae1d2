"""Where the files lie that aren't Python: beside the package in a wheel, in their own folders in a checkout."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

PACKAGE: Final = Path(__file__).parent
# A wheel has no repository around it.
_ROOT: Final = PACKAGE.parents[1]
REPOSITORY: Final = _ROOT if (_ROOT / "pyproject.toml").is_file() and PACKAGE.parent == _ROOT / "api" else None

MIGRATIONS: Final = REPOSITORY / "migrations" if REPOSITORY else PACKAGE / "data" / "migrations"


def checkout_folder(name: str) -> Path | None:
    """A folder that `[tool.minato]` in the checkout's pyproject.toml names, there or not; a wheel has none."""
    if REPOSITORY is None:
        return None
    told = _told(REPOSITORY)
    return REPOSITORY / told[name] if name in told else None


@cache
def _told(repository: Path) -> Mapping[str, str]:
    """Read once: parsing takes longer than everything else that settings are made of."""
    told: Mapping[str, str] = (
        tomllib.loads((repository / "pyproject.toml").read_text()).get("tool", {}).get("minato", {})
    )
    return told
