"""The syntax of `postgrest.conf`: lines `name = value`, strings with `$(NAME)`, groups, `import`, `#` comments."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

TOKEN = re.compile(
    r"""(?P<space>\s+|\#[^\n]*) | (?P<string>"(?:[^"\\]|\\.)*") | (?P<number>-?\d+(?:\.\d+)?)(?![\w.-])
    | (?P<name>[A-Za-z][\w.-]*) | (?P<mark>[={}])""",
    re.VERBOSE | re.DOTALL,
)
ESCAPE = re.compile(r"\\(u[0-9A-Fa-f]{4}|.)", re.DOTALL)
INTERPOLATION = re.compile(r"\$(\$|\([^)]*\))")
ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}
WORDS = {"on": "true", "off": "false"}

Token = tuple[str, str]


def parse_conf(text: str, environment: Mapping[str, str], folder: Path = Path()) -> dict[str, str]:
    """The values by name, all as text. `import` is relative to `folder`. Raises ValueError, OSError.

    >>> parse_conf('db-uri = "$(URL)" # where\\ndb-pool = 5\\napp.settings { a = "b" }', {"URL": "postgresql://"})
    {'db-uri': 'postgresql://', 'db-pool': '5', 'app.settings.a': 'b'}
    """
    values: dict[str, str] = {}
    tokens = list(_tokens(text))
    groups: list[str] = []
    position = 0
    while position < len(tokens):
        kind, token = tokens[position]
        if (kind, token) == ("mark", "}") and groups:
            groups.pop()
            position += 1
            continue
        after = tokens[position + 1] if position + 1 < len(tokens) else ("end", "the end")
        if kind != "name":
            raise ValueError(f"expected a name, found {token}")
        if token == "import" and after[0] == "string":
            path = folder / _string(after[1], values, environment)
            values |= parse_conf(path.read_text(), environment, path.parent)
        elif after == ("mark", "{"):
            groups.append(token)
        elif after == ("mark", "="):
            if position + 2 >= len(tokens):
                raise ValueError(f"expected a value for {token}, found the end")
            values[".".join([*groups, token])] = _value(tokens[position + 2], values, environment)
            position += 1
        else:
            raise ValueError(f"expected a value for {token}, found {after[1]}")
        position += 2
    if groups:
        raise ValueError(f"the group {groups[-1]} has no end")
    return values


def _tokens(text: str) -> Iterator[Token]:
    position = 0
    while position < len(text):
        found = TOKEN.match(text, position)
        if found is None:
            line = text.count("\n", 0, position) + 1
            raise ValueError(f"can't read line {line}: {text[position:].splitlines()[0]}")
        if found.lastgroup != "space":
            yield str(found.lastgroup), found.group()
        position = found.end()


def _value(token: Token, values: Mapping[str, str], environment: Mapping[str, str]) -> str:
    kind, text = token
    if kind == "string":
        return _string(text, values, environment)
    if kind == "number" or text in ("true", "false", *WORDS):
        return WORDS.get(text, text)
    raise ValueError(f"expected a value, found {text}")


def _string(quoted: str, values: Mapping[str, str], environment: Mapping[str, str]) -> str:
    """The text with escapes undone, then `$(NAME)` filled in from the file so far or the environment."""

    def unescaped(found: re.Match[str]) -> str:
        escape = found[1]
        return chr(int(escape[1:], 16)) if len(escape) == 5 else ESCAPES.get(escape, escape)

    def filled(found: re.Match[str]) -> str:
        if found[1] == "$":
            return "$"
        name = found[1][1:-1].strip()
        value = values.get(name, environment.get(name))
        if value is None:
            raise ValueError(f"no such variable: {name}")
        return value

    return INTERPOLATION.sub(filled, ESCAPE.sub(unescaped, quoted[1:-1]))
