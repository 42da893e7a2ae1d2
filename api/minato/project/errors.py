"""What keeps a project's migrations from being applied, in words for the person who wrote them."""

from __future__ import annotations

from minato.project.statements import Statement


class ProjectError(Exception):
    """The database stays as it was before the file that failed."""


def failed_statement(
    place: str, index: int, statement: Statement, message: str, code: str, detail: str | None, position: int | None
) -> ProjectError:
    """The Supabase CLI's words, after the file and the line: PostgreSQL's message, how many statements were done, and
    the statement itself with a mark below the place, which PostgreSQL counts in characters from 1."""
    before = statement.text[: (position or 1) - 1]
    line = statement.line + before.count("\n")
    said = [f"{place}:{line}", f"ERROR: {message} (SQLSTATE {code})", *([detail] if detail else [])]
    return ProjectError("\n".join([*said, f"At statement: {index}", _marked(statement.text, position)]))


def _marked(text: str, position: int | None) -> str:
    """
    >>> print(_marked("select\\n  nonsense", 10))
    select
      nonsense
      ^
    """
    if not position:
        return text
    lines = text[: position - 1].split("\n")
    rest = text.split("\n")
    return "\n".join([*rest[: len(lines)], " " * len(lines[-1]) + "^", *rest[len(lines) :]])
