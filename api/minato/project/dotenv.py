"""The `.env` files of a project, in the order the Supabase CLI reads them; nothing is written to the environment."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from minato.project.errors import ProjectError
from minato.project.workdir import Workdir

_NAME = re.compile(r"(?:export\s+)?([^\s=:#]+)\s*[=:][ \t]*")
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_.]*")
_ESCAPES = {"n": "\n", "r": "\r"}
_REFERENCE = re.compile(r"(\\)?\$(?:\{(\w+)\}|(\w+))")


def project_environment(workdir: Workdir, environment: Mapping[str, str]) -> dict[str, str]:
    """`environment`, and what the files say of variables it lacks. Raises `ProjectError`."""
    found = dict(environment)
    for path in _files(workdir, environment):
        for name, value in read_dotenv(path).items():
            found.setdefault(name, value)
    return found


def read_dotenv(path: Path) -> dict[str, str]:
    """The variables of one file. Raises `ProjectError`."""
    try:
        return parse_dotenv(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ProjectError(f"failed to parse environment file: {path.name} ({error})") from None


def parse_dotenv(text: str) -> dict[str, str]:
    """
    >>> parse_dotenv("A=1 # one\\nexport B='a $A'\\nC=\\"x\\\\n${A}\\"\\nD: y#z")
    {'A': '1', 'B': 'a $A', 'C': 'x\\n1', 'D': 'y#z'}
    """
    found: dict[str, str] = {}
    position = 0
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    while (position := _next_entry(text, position)) < len(text):
        match = _NAME.match(text, position)
        if match is None:
            raise ValueError("syntax error")
        if _WORD.fullmatch(match[1]) is None:
            wrong = next(sign for sign in match[1] if not re.match(r"[A-Za-z0-9_.]", sign) or sign.isdigit())
            raise ValueError(f"unexpected character {wrong!r} in variable name")
        found[match[1]], position = _value(text, match.end(), found)
    return found


def _files(workdir: Workdir, environment: Mapping[str, str]) -> Iterator[Path]:
    kind = environment.get("SUPABASE_ENV") or "development"
    names = [f".env.{kind}.local", *([".env.local"] if kind != "test" else []), f".env.{kind}", ".env"]
    for folder in (workdir.supabase, workdir.root):
        yield from (folder / name for name in names if (folder / name).is_file())


def _next_entry(text: str, position: int) -> int:
    """Behind white space and lines of comment."""
    match = re.compile(r"(?:\s+|#[^\n]*)*").match(text, position)
    return match.end() if match else position


def _value(text: str, position: int, known: Mapping[str, str]) -> tuple[str, int]:
    quote = text[position : position + 1]
    if quote in ("'", '"'):
        return _quoted(text, position, quote, known)
    line = text[position:].split("\n", 1)[0]
    return _expanded(re.split(r"\s#", f" {line}", maxsplit=1)[0].strip(), known), position + len(line)


def _quoted(text: str, position: int, quote: str, known: Mapping[str, str]) -> tuple[str, int]:
    match = re.compile(rf"{quote}((?:[^{quote}\\]|\\.)*){quote}", re.DOTALL).match(text, position)
    if match is None:
        raise ValueError("unterminated quoted value")
    if quote == "'":
        return match[1], match.end()
    plain = re.sub(r"\\([^$])", lambda found: _ESCAPES.get(found[1], found[1]), match[1])
    return _expanded(plain, known), match.end()


def _expanded(value: str, known: Mapping[str, str]) -> str:
    """Variables of the same file in place of `$NAME` and `${NAME}`."""
    return _REFERENCE.sub(
        lambda match: match[0][1:] if match[1] else known.get(match[2] or match[3], ""),
        value,
    )
