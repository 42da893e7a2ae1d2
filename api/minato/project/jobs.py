"""The statements of what runs beside the requests, as the project's author wrote them."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import TextClause, text

from minato.project.folder import Project


def job_statement(project: Path | None, name: str) -> TextClause | None:
    """The statement in the project's `jobs/<name>.sql`, its parameters as `:name`; None where it has no such job."""
    file = Project(project).job(name) if project is not None else None
    return text(file.read_text(encoding="utf-8")) if file is not None and file.is_file() else None
