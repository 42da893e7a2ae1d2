"""A project's configuration with what overrides it: every key has a value, its default where nothing else is said.

Weakest first: the defaults, the file, `SUPABASE_<SECTION>_<KEY>`. A text that is `env(NAME)` as a whole stands for the
variable. Keys have the names of the CLI's version 3; those of before are read as them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from minato.project.config_document import ignored_file, read_document
from minato.project.config_keys import KEYS, Key, Kind, Value
from minato.project.encrypted import PREFIX, NotDecrypted, decrypted, private_keys
from minato.project.errors import ProjectError
from minato.project.workdir import Workdir, sanitized_id
from minato.renamed_keys import Name, of_before, of_today

_ENVIRONMENT = re.compile(r"env\((\w+)\)")
_SIZE = re.compile(r"(\d+)\s*([kmgt]?)(i?)b?", re.IGNORECASE)
_MOST_PORT = 65_535
_UNITS = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4}
_BOOLEANS = {**dict.fromkeys(("1", "t", "true"), True), **dict.fromkeys(("0", "f", "false"), False)}
# Sections for other projects than the local one.
_ELSEWHERE = frozenset({"remotes"})


@dataclass
class ProjectConfig:
    """`given` are the names that the file or the environment speaks of; `warnings` are for standard error."""

    project_id: str = ""
    values: dict[Name, Value] = field(default_factory=dict)
    given: set[Name] = field(default_factory=set)
    warnings: list[str] = field(default_factory=list)

    def flag(self, name: str) -> bool:
        return self.values.get(_name(name)) is True

    def number(self, name: str) -> int:
        value = self.values.get(_name(name))
        return value if isinstance(value, int) else 0

    def text(self, name: str) -> str:
        value = self.values.get(_name(name))
        return value if isinstance(value, str) else ""

    def items(self, name: str) -> list[str]:
        value = self.values.get(_name(name))
        return value if isinstance(value, list) else []

    def below(self, section: str) -> dict[str, dict[str, Value]]:
        """The tables of a section whose names the file chose: `storage.buckets` by bucket, in the file's order."""
        prefix = _name(section)
        tables: dict[str, dict[str, Value]] = {}
        for name, value in self.values.items():
            if name[: len(prefix)] == prefix and len(name) > len(prefix):
                tables.setdefault(name[len(prefix)], {})[".".join(name[len(prefix) + 1 :])] = value
        return tables


def read_config(workdir: Workdir, environment: Mapping[str, str]) -> ProjectConfig:
    """The configuration of a project; without a file the defaults. Raises `ProjectError` in the CLI's words."""
    hidden, file = ignored_file(workdir.supabase), workdir.config_file
    found = _Reading(environment, file.name).config(_parse(file), workdir)
    if hidden:
        found.warnings.append(
            f"Ignoring supabase/{hidden} because supabase/{file.name} takes precedence. Delete the file you don't use."
        )
    return found


def find_key(name: Name) -> Key | None:
    """The row of a key's name, `<…>` standing for any part.

    >>> find_key(("storage", "buckets", "a.b", "public")).name
    'storage.buckets.<name>.public'
    """
    return _EXACT.get(name) or next((key for pattern, key in _PATTERNS if _fits(pattern, name)), None)


def size_in_bytes(text: str) -> int:
    """As the CLI counts: 1024 in every unit.

    >>> size_in_bytes("50MiB"), size_in_bytes("5MB"), size_in_bytes("7")
    (52428800, 5242880, 7)
    """
    match = _SIZE.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"{text!r} is no size")
    return int(match[1]) << (10 * _UNITS[match[2].lower()])


def _name(text: str) -> Name:
    return tuple(text.split("."))


def _fits(pattern: Name, name: Name) -> bool:
    same_length = len(pattern) == len(name)
    return same_length and all(wanted in ("<name>", part) for wanted, part in zip(pattern, name, strict=True))


_EXACT = {_name(key.name): key for key in KEYS if "<name>" not in key.name}
_PATTERNS = [(_name(key.name), key) for key in KEYS if "<name>" in key.name]


def _parse(path: Path) -> Mapping[str, object]:
    try:
        return read_document(path)
    except (OSError, ValueError, RecursionError) as error:
        raise ProjectError(f"failed to parse config: {path}: {error}") from None


def _flatten(table: Mapping[str, object], prefix: Name = ()) -> Iterator[tuple[Name, object]]:
    for name, value in table.items():
        path = (*prefix, name.lower())
        known = find_key(path)
        if isinstance(value, dict) and (known is None or known.kind != "map"):
            yield from _flatten(value, path)
        elif path[0] not in _ELSEWHERE:
            yield path, value


def _of_today(document: Mapping[str, object]) -> list[tuple[Name, object]]:
    """Everything in the file by its name of today: what stands there by both names, by that one."""
    found = list(_flatten(document))
    names = {name for name, _ in found}
    return [(of_today(name), value) for name, value in found if of_today(name) == name or of_today(name) not in names]


class _Reading:
    """One reading: the variables, the file's name, and what is wrong so far."""

    def __init__(self, environment: Mapping[str, str], file: str) -> None:
        self._environment, self._file = environment, file
        self._wrong: list[str] = []
        self._found = ProjectConfig()

    def config(self, document: Mapping[str, object], workdir: Workdir) -> ProjectConfig:
        found = self._found
        raw: dict[Name, object] = {_name(key.name): key.default for key in KEYS if "<" not in key.name}
        for name, value in [*_of_today(document), *self._overrides(document)]:
            raw[name] = value
            found.given.add(name)
        for name, value in raw.items():
            self._take(name, value)
        self._name_remotes(document.get("remotes"))
        if self._wrong:
            said = "\n".join(f"* {sentence}" for sentence in self._wrong)
            raise ProjectError(f"failed to parse config: decoding failed due to the following error(s):\n\n{said}")
        self._require_ports()
        found.project_id = self._project_id(workdir)
        return found

    def _overrides(self, document: Mapping[str, object]) -> Iterator[tuple[Name, object]]:
        names = [_name(key.name) for key in KEYS if "<" not in key.name]
        for name in [*names, *(name for name, _ in _of_today(document) if name not in names)]:
            for spelled in (of_before(name), name):
                value = self._environment.get(f"SUPABASE_{'_'.join(spelled).upper()}")
                if value is not None:
                    yield name, value

    def _take(self, name: Name, raw: object) -> None:
        key, found = find_key(name), self._found
        shown = ".".join(name)
        if key is None:
            found.warnings.append(f"{shown} in {self._file} is not known and is left out.")
            return
        value = self._resolved(raw, key, name)
        try:
            found.values[name] = _decoded(key.kind, value)
        except (ValueError, TypeError):
            self._wrong.append(f"'{shown}' expected type {key.kind}")
            return
        if key.setting and name[-1].endswith("port") and found.number(shown) > _MOST_PORT:
            self._wrong.append(f"'{shown}' must be at most {_MOST_PORT}")
        if key.why and name in found.given and found.values[name] not in (None, key.default):
            found.warnings.append(f"{shown} in {self._file} has no counterpart here: {key.why}.")

    def _name_remotes(self, remotes: object) -> None:
        for name in remotes if isinstance(remotes, dict) else {}:
            self._found.warnings.append(f"[remotes.{name}] in {self._file} is of a hosted project and is left out.")

    def _resolved(self, raw: object, key: Key, name: Name) -> object:
        """With variables in place of `env(…)` and secrets decrypted; one that is still `env(…)` counts as not set."""
        if isinstance(raw, list):
            return [self._resolved(item, key, name) for item in raw]
        if key.kind == "secret" and isinstance(raw, str) and raw.startswith(PREFIX):
            return self._decrypted(raw, name)
        match = _ENVIRONMENT.fullmatch(raw) if isinstance(raw, str) else None
        if match is None:
            return raw
        value = self._environment.get(match[1])
        if value:
            return self._resolved(value, key, name) if value.startswith(PREFIX) else value
        if name in self._found.given and not key.why and not self._is_off(name):
            self._found.warnings.append(f"WARN: environment variable is unset: {match[1]}")
        return None if key.kind == "secret" else raw

    def _decrypted(self, value: str, name: Name) -> str | None:
        """Without a private key an encrypted secret counts as not set; the CLI does not start then."""
        shown, keys = ".".join(name), private_keys(self._environment)
        if not keys:
            self._found.warnings.append(
                f"{shown} in {self._file} is encrypted: it counts as not set without DOTENV_PRIVATE_KEY."
            )
            return None
        try:
            return decrypted(value, keys)
        except NotDecrypted as error:
            self._wrong.append(f"error decoding '{shown}': {error}")
            return None

    def _is_off(self, name: Name) -> bool:
        """Whether it is of something that is switched off: `enabled` stands first in its table."""
        return self._found.values.get((*name[:-1], "enabled")) is False

    def _require_ports(self) -> None:
        mail = ["local_smtp.port"] if self._found.flag("local_smtp.enabled") else []
        for name in ("api.port", "db.port", *mail):
            if not self._found.number(name):
                raise ProjectError(f"Missing required field in config: {name}")

    def _project_id(self, workdir: Workdir) -> str:
        given = self._found.text("project_id")
        clean = sanitized_id(given or workdir.root.name)
        if not clean:
            raise ProjectError("Missing required field in config: project_id")
        if given and clean != given:
            self._found.warnings.insert(0, f"WARN: project_id field in config is invalid. Auto-fixing to {clean}")
        return clean


def _decoded(kind: Kind, value: object) -> Value:
    """A value by its type; texts are read as the types they stand for. Raises ValueError and TypeError."""
    if value is None:
        return None
    if kind == "bool":
        return value if isinstance(value, bool) else _boolean(value)
    if kind == "int":
        number = int(value) if isinstance(value, str) else value
        if isinstance(number, bool) or not isinstance(number, int) or number < 0:
            raise ValueError
        return number
    if kind == "size":
        return size_in_bytes(str(value))
    if kind == "list":
        return _list(value)
    if kind == "map":
        return {str(name): str(item) for name, item in value.items()} if isinstance(value, dict) else None
    if isinstance(value, bool | list | dict):
        raise TypeError
    return str(value)


def _boolean(value: object) -> bool:
    found = _BOOLEANS.get(str(value).lower())
    if found is None:
        raise ValueError
    return found


def _list(value: object) -> list[str]:
    if isinstance(value, str):
        return [item for item in value.split(",") if item]
    if not isinstance(value, list):
        raise TypeError
    return [str(item) for item in value]
