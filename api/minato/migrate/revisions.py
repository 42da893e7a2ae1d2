"""The platform's revisions, told from file names alone: a warm start imports nothing for it."""

import re
from pathlib import Path
from typing import Final

from minato.places import MIGRATIONS

HERE: Final = Path(__file__).parent
REVISIONS: Final = MIGRATIONS / "platform"
VERSION_SCHEMA: Final = "minato"  # ours, and outside everything the API exposes
VERSION_TABLE: Final = "schema_version"

_REVISION_FILE = re.compile(r"\d{8}_(\d{4})_\w+\.py")


def revisions() -> list[str]:
    """The ids of all revisions, oldest first: `["0001", …]`."""
    names = (path.name for path in REVISIONS.iterdir())
    return sorted(match[1] for name in names if (match := _REVISION_FILE.fullmatch(name)))


def head() -> str:
    """The newest revision's id."""
    return revisions()[-1]
