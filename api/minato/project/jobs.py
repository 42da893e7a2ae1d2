"""The statements of what runs beside the requests: calls of the functions that the project's `minato.toml` names."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from sqlalchemy import TextClause, text

from minato.project.folder import Project
from minato.project.minato_toml import read_minato_toml

# How each is called. An author's function may have any name of its own.
_CALLS: Final = {
    "mail.next": "select {}()",
    "mail.done": "select {}(:id, :failure)",
    "storage.unused_objects": "select bucket_id, version from {}(:most)",
}


def job_statement(project: Path | None, job: str) -> TextClause | None:
    """The call of the project's function for `mail.next`, `mail.done` (`:id`, `:failure`) or `storage.unused_objects`
    (`:most`); None where it names none. Raises `ProjectError`: the file is wrong."""
    name = read_minato_toml(Project(project)).functions.get(job) if project is not None else None
    return text(_CALLS[job].format(".".join(f'"{part}"' for part in name.split(".")))) if name is not None else None
