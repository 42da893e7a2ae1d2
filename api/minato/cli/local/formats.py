"""The formats of `-o`: the same data, written as the CLI's libraries write a flat map."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping

Values = Mapping[str, str]

_IN_ENV = re.compile(r'(["\\!$`])')
_INTEGER = re.compile(r"[+-]?\d+")
# What YAML would read as something else than a text.
_YAML_PLAIN = re.compile(r"[A-Za-z0-9_/][A-Za-z0-9_./+-]*(?::[A-Za-z0-9_./+-][A-Za-z0-9_./@:+%=?&-]*)*")
_YAML_WORD = re.compile(
    r"(?:true|false|yes|no|on|off|y|n|null|~|[-+]?[0-9.][0-9_.eE+:xXoO-]*|[0-9]{4}-[0-9-]+.*)", re.IGNORECASE
)
_TOML_BARE = re.compile(r"[A-Za-z0-9_-]+")


def render(values: Values, form: str) -> str:
    """`values` in one of FORMATS, each ending with a line break."""
    return FORMATS[form](values)


def _env(values: Values) -> str:
    upper = {name.upper().replace(".", "_"): value for name, value in values.items()}
    return "".join(f"{line}\n" for line in sorted(f"{name}={_env_value(value)}" for name, value in upper.items()))


def _env_value(value: str) -> str:
    if _INTEGER.fullmatch(value):
        return str(int(value))
    escaped = _IN_ENV.sub(r"\\\1", value).replace("\n", "\\n").replace("\r", "\\r")
    return f'"{escaped}"'


def _json(values: Values) -> str:
    text = json.dumps(dict(sorted(values.items())), indent=2, ensure_ascii=False)
    for sign in "&<>":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return f"{text}\n"


def _yaml(values: Values) -> str:
    return "".join(f"{yaml_text(name)}: {yaml_text(value)}\n" for name, value in sorted(values.items()))


def yaml_text(value: object) -> str:
    """A text or a truth value."""
    if isinstance(value, str) and _YAML_PLAIN.fullmatch(value) and not _YAML_WORD.fullmatch(value):
        return value
    return json.dumps(value, ensure_ascii=False)


def _toml(values: Values) -> str:
    return "".join(f"{_toml_key(name)} = {toml_text(value)}\n" for name, value in sorted(values.items()))


def _toml_key(name: str) -> str:
    return name if _TOML_BARE.fullmatch(name) else toml_text(name)


def toml_text(value: object) -> str:
    """A text or a truth value."""
    return json.dumps(value, ensure_ascii=False)


FORMATS: Mapping[str, Callable[[Values], str]] = {"env": _env, "json": _json, "yaml": _yaml, "toml": _toml}
