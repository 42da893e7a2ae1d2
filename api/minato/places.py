"""Where the files lie that aren't Python: beside the package in a wheel, in their own folders in a checkout."""

from __future__ import annotations

from pathlib import Path
from typing import Final

PACKAGE: Final = Path(__file__).parent
# A wheel has no repository around it.
_ROOT: Final = PACKAGE.parents[1]
REPOSITORY: Final = _ROOT if (_ROOT / "pyproject.toml").is_file() and PACKAGE.parent == _ROOT / "api" else None

MIGRATIONS: Final = REPOSITORY / "migrations" if REPOSITORY else PACKAGE / "data" / "migrations"
