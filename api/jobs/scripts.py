"""The statements of the jobs, as the schema's author wrote them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from sqlalchemy import TextClause, text

import migrations

_FOLDER: Final = Path(migrations.__file__).parent / "jobs"


def script(name: str) -> TextClause:
    """The statement in `migrations/jobs/<name>.sql`, its parameters as `:name`."""
    return text((_FOLDER / f"{name}.sql").read_text(encoding="utf-8"))
