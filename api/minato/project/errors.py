"""What keeps a project's migrations from being applied, in words for the person who wrote them."""

from __future__ import annotations

import re

from minato.project.statements import Statement

_MISSING_EXTENSION = re.compile(r'extension "([^"]+)" is not available')
_MISSING_TYPE = re.compile(r'type "([^"]+)" does not exist')


_WITHOUT_EXTENSION = (
    "",
    "Hint: Let MINATO_POSTGRES_BIN name the programs of a PostgreSQL that has it, or DATABASE_URL such a server.",
    "      To go on without what it brings, write into supabase/minato.toml:",
    "        [db]",
    '        missing_extensions = "skip"',
)


class ProjectError(Exception):
    """The database stays as it was before the file that failed. `suggestion` is what to do about it."""

    def __init__(self, sentence: str, suggestion: str = "") -> None:
        super().__init__(sentence)
        self.suggestion = suggestion


def failed_statement(
    place: str, index: int, statement: Statement, message: str, code: str, detail: str | None, position: int | None
) -> ProjectError:
    """The Supabase CLI's words, after the file and the line: PostgreSQL's message, how many statements were done, and
    the statement itself with a mark below the place, which PostgreSQL counts in characters from 1."""
    before = statement.text[: (position or 1) - 1]
    line = statement.line + before.count("\n")
    said = [f"{place}:{line}", f"ERROR: {message} (SQLSTATE {code})", *([detail] if detail else [])]
    said += _hint(message, code)
    return ProjectError("\n".join([*said, f"At statement: {index}", _marked(statement.text, position)]))


def _hint(message: str, code: str) -> list[str]:
    """What to do about an extension that is not there, or where a type may be found that was named without its schema.

    >>> _hint('type "ltree" does not exist', "42704")[3]
    '        CREATE TABLE example (col extensions.ltree);'
    """
    if code == "0A000" and _MISSING_EXTENSION.match(message):
        return list(_WITHOUT_EXTENSION)
    match = _MISSING_TYPE.search(message)
    if code != "42704" or match is None or "." in match[1]:
        return []
    return [
        "",
        "Hint: This type may be defined in a schema that's not in your search_path.",
        "      Use schema-qualified type references to avoid this error:",
        f"        CREATE TABLE example (col extensions.{match[1]});",
    ]


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
