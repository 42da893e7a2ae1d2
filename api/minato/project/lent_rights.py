"""What a project's `postgres` does though PostgreSQL asks for a superuser: event triggers, publications of all tables
or of schemas, foreign data wrappers.

On a hosted project supautils lends the superuser where such a statement is run. Nothing can stand there in a server
without that library, so the call of a function of the platform's (migration 0130) takes the statement's place. What is
not understood here stays as it is, and PostgreSQL answers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from psycopg2.extensions import cursor as Cursor

from minato.project.statements import without_comments

_NAME: Final = r'(?:"(?:[^"]|"")+"|[^\W\d][\w$]*)'
_PATH: Final = rf"{_NAME}(?:\s*\.\s*{_NAME})*"
_TEXT: Final = r"'(?:[^']|'')*'"
_IS_LENT: Final = """
select current_setting('is_superuser') = 'off' and coalesce(has_function_privilege(
    to_regprocedure('minato.create_event_trigger(text,text,regprocedure,text[])'), 'execute'), false)
"""

Rewrite = Callable[[re.Match[str]], list[str] | None]


@dataclass(frozen=True)
class _Form:
    """A kind of statement, and the statements that do the same: None where it is PostgreSQL's own after all."""

    pattern: re.Pattern[str]
    instead: Rewrite


def run_as_lent(cursor: Cursor, statement: str) -> None:
    """Run a statement of a project's, by the platform's function where that is lent. Raises psycopg2.Error."""
    instead = lent(statement)
    if instead is not None:
        cursor.execute(_IS_LENT)
        if cursor.fetchone() == (True,):
            statement = instead
    cursor.execute(statement)


def lent(statement: str) -> str | None:
    """What stands in the statement's place where the platform lends its rights, or None.

    >>> lent("create publication everything for all tables with (publish = 'insert')")
    "select minato.create_publication('everything', true); alter publication everything set (publish = 'insert')"
    >>> lent("create publication of_one for table public.todos") is None
    True
    """
    text = without_comments(statement).strip()
    block = _DO.fullmatch(text)
    if block is not None:
        return _lent_block(block)
    found = _instead(text)
    return None if found is None else "; ".join(found)


def _instead(text: str) -> list[str] | None:
    for form in _FORMS:
        match = form.pattern.fullmatch(text)
        if match is not None:
            return form.instead(match)
    return None


def _lent_block(block: re.Match[str]) -> str | None:
    """A DO block with the calls in it. Its own statements end at the first semicolon."""
    found = False

    def replaced(match: re.Match[str]) -> str:
        nonlocal found
        instead = _instead(match[0].removesuffix(";").strip())
        if instead is None:
            return match[0]
        found = True
        return "".join(" " + re.sub(r"^select ", "perform ", one) + ";" for one in instead)

    body = _WITHIN.sub(replaced, block["body"])
    return f"do {block['tag']}{body}{block['tag']}{block['rest']}" if found else None


def _event_trigger(match: re.Match[str]) -> list[str]:
    tags = f", array[{match['tags']}]" if match["tags"] else ""
    called = f"{_literal(match['function'])}::regprocedure".replace("'::", "()'::")
    return [f"select minato.create_event_trigger({_named(match['name'])}, {_named(match['event'])}, {called}{tags})"]


def _publication_of_all(match: re.Match[str]) -> list[str]:
    created = f"select minato.create_publication({_named(match['name'])}, true)"
    return [created, *_options(match)]


def _publication(match: re.Match[str]) -> list[str] | None:
    parts = _objects(match["objects"])
    if parts is None:
        return None
    schemas, tables = parts
    created = f"select minato.create_publication({_named(match['name'])}, false, array[{', '.join(schemas)}]::text[])"
    added = [f"alter publication {match['name']} add table {', '.join(tables)}"] if tables else []
    return [created, *added, *_options(match)]


def _altered_publication(match: re.Match[str]) -> list[str] | None:
    parts = _objects(match["objects"])
    if parts is None:
        return None
    schemas, tables = parts
    name, action = match["name"], match["action"].lower()
    done = f"select minato.alter_publication_schemas({_named(name)}, '{action}', array[{', '.join(schemas)}]::text[])"
    return [done, *([f"alter publication {name} add table {', '.join(tables)}"] if tables else [])]


def _options(match: re.Match[str]) -> list[str]:
    return [f"alter publication {match['name']} set {match['options']}"] if match["options"] else []


def _objects(text: str) -> tuple[list[str], list[str]] | None:
    """Schemas, as expressions, and tables, as they were written; None without a schema among them."""
    schemas: list[str] = []
    tables: list[str] = []
    in_schemas = False
    for part in _parts(text):
        kind = _KIND.match(part)
        if kind is not None:
            in_schemas = kind["schemas"] is not None
        one = part[kind.end() :].strip() if kind is not None else part
        if not in_schemas:
            tables.append(one)
        elif re.fullmatch(_NAME, one):
            schemas.append("current_schema()" if one.lower() == "current_schema" else _named(one))
        else:
            return None
    return (schemas, tables) if schemas else None


def _parts(text: str) -> Iterator[str]:
    """The text between commas that stand in no parentheses, string or quoted name."""
    depth, start = 0, 0
    for token in re.finditer(rf'{_TEXT}|"(?:[^"]|"")*"|[(),]', text):
        depth += {"(": 1, ")": -1}.get(token[0], 0)
        if token[0] == "," and depth == 0:
            yield text[start : token.start()].strip()
            start = token.end()
    yield text[start:].strip()


def _wrapper(match: re.Match[str]) -> list[str]:
    handler, validator = (f"{_literal(match[part])}::regproc" for part in ("handler", "validator"))
    return [f"select minato.create_foreign_data_wrapper({_named(match['name'])}, {handler}, {validator})"]


def _named(name: str) -> str:
    """What a name means, as a literal.

    >>> _named("Todos"), _named('"To""Do"')
    ("'todos'", '\\'To"Do\\'')
    """
    return _literal(name[1:-1].replace('""', '"') if name.startswith('"') else name.lower())


def _literal(text: str) -> str:
    quoted = text.replace("'", "''")
    return f"'{quoted}'" if "\\" not in quoted else "E'" + quoted.replace("\\", "\\\\") + "'"


def _form(pattern: str, instead: Rewrite) -> _Form:
    return _Form(re.compile(pattern, re.IGNORECASE | re.VERBOSE | re.DOTALL), instead)


_WITH: Final = r"(?:\s+with\s*(?P<options>\(.*\)))?"
_FORMS: Final = (
    _form(
        rf"""create\s+event\s+trigger\s+(?P<name>{_NAME})\s+on\s+(?P<event>{_NAME})
        (?:\s+when\s+tag\s+in\s*\(\s*(?P<tags>{_TEXT}(?:\s*,\s*{_TEXT})*)\s*\))?
        \s+execute\s+(?:function|procedure)\s+(?P<function>{_PATH})\s*\(\s*\)""",
        _event_trigger,
    ),
    _form(rf"create\s+publication\s+(?P<name>{_NAME})\s+for\s+all\s+tables{_WITH}", _publication_of_all),
    _form(
        rf"create\s+publication\s+(?P<name>{_NAME})\s+for\s+(?P<objects>(?:table|tables\s+in\s+schema)\b.+?){_WITH}",
        _publication,
    ),
    _form(
        rf"alter\s+publication\s+(?P<name>{_NAME})\s+(?P<action>add|set)\s+"
        r"(?P<objects>(?:table|tables\s+in\s+schema)\b.+)",
        _altered_publication,
    ),
    _form(
        rf"create\s+foreign\s+data\s+wrapper\s+(?P<name>{_NAME})\s+handler\s+(?P<handler>{_PATH})"
        rf"\s+validator\s+(?P<validator>{_PATH})",
        _wrapper,
    ),
)
_KIND: Final = re.compile(r"(?P<schemas>tables\s+in\s+schema\s+)|table\s+", re.IGNORECASE)
_DO: Final = re.compile(
    r"do\s+(?:language\s+plpgsql\s+)?(?P<tag>\$\w*\$)(?P<body>.*)(?P=tag)(?P<rest>(?:\s*language\s+plpgsql)?)",
    re.IGNORECASE | re.DOTALL,
)
# The beginning of a statement, behind the end of another or a word that opens a list of them.
_WITHIN: Final = re.compile(
    rf"""(?:(?<=;)|(?<=\bbegin)|(?<=\bthen)|(?<=\belse)|(?<=\bloop))\s*
    (?:create\s+(?:event\s+trigger|publication|foreign\s+data\s+wrapper)|alter\s+publication)\b
    (?:{_TEXT}|"(?:[^"]|"")*"|[^;'"])*;""",
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)
