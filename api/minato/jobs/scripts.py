"""The statements of the jobs, as the schema's author wrote them."""

from __future__ import annotations

from typing import Final

from sqlalchemy import TextClause, text

from minato.places import MIGRATIONS

_FOLDER: Final = MIGRATIONS / "jobs"


def script(name: str) -> TextClause:
    """The statement in `migrations/jobs/<name>.sql`, its parameters as `:name`."""
    return text((_FOLDER / f"{name}.sql").read_text(encoding="utf-8"))
