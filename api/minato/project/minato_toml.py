"""`supabase/minato.toml`: what a project asks of Minato beyond the Supabase CLI's `config.toml`, where a section of
others is an error.

`[web]` is what `/config.js` tells the page, `[db]` and `[auth]` are settings, `[development]` settings for development
alone, all of them below those of the environment, `[mail]` and `[storage]` name functions of the project's schema that
the server calls, `[start]` is of `minato start`, and `[advisors]` says which findings of `minato db advisors` are meant
to be as they are. Whatever else stands there is refused, so that a mistyped word is not taken for its absence.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NoReturn

from minato.project.errors import ProjectError
from minato.project.folder import Project

NAME: Final = "minato.toml"
# What a page may be told. All of it is public: no secret has a name here.
WEB_SETTINGS: Final = (
    *("public_url", "anon_key", "publishable_key"),
    *("app_name", "demo_mode", "admin_email", "admin_signup_enabled"),
)
# What supabase-js needs.
DEFAULT_WEB: Final[Mapping[str, str]] = {"url": "public_url", "anonKey": "anon_key"}
SECTIONS: Final = ("web", "db", "auth", "development", "mail", "storage", "start", "advisors")
_PAGE_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_FUNCTION = re.compile(r"[a-z_][a-z0-9_]*\.[a-z_][a-z0-9_]*")
_SECTION = re.compile(r"\s*\[\s*[\"']?([^\]\"']*?)[\"']?\s*\]")


@dataclass(frozen=True)
class MinatoToml:
    """`web`: the setting behind each name of the page. `database`, `auth` and `development`: settings by their
    environment names. `functions`: what the server calls, as `mail.next`. `data_dir`: where `minato start` keeps the
    data, absolute; None leaves it beside the file. `advisors`: the reason behind each `lint schema.object`."""

    web: Mapping[str, str] = field(default_factory=lambda: DEFAULT_WEB)
    database: Mapping[str, str] = field(default_factory=dict)
    auth: Mapping[str, str] = field(default_factory=dict)
    development: Mapping[str, str] = field(default_factory=dict)
    functions: Mapping[str, str] = field(default_factory=dict)
    data_dir: Path | None = None
    advisors: Mapping[str, str] = field(default_factory=dict)

    def settings(self, *, development: bool) -> dict[str, str]:
        """What the project sets, in this mode."""
        return {**self.database, **self.auth, **(self.development if development else {})}


def read_minato_toml(project: Project | None) -> MinatoToml:
    """A project's file; without one, and without a project, what holds for everybody. Raises `ProjectError`."""
    path = project.folder / NAME if project is not None else None
    if path is None or not path.is_file():
        return MinatoToml()
    try:
        text = path.read_text(encoding="utf-8-sig")
        document = tomllib.loads(text)
    except (OSError, ValueError) as error:
        raise ProjectError(f"{path}: {error}") from None
    return _Reading(path, text).read(document)


class _Reading:
    """One reading of a file, which is refused at the first thing that is wrong, with its line."""

    def __init__(self, path: Path, text: str) -> None:
        self._path = path
        self._text = text
        self._kinds: Mapping[str, Callable[[str, str, object], str]] = {
            "text": self._as_text,
            "bool": self._as_bool,
            "path": self._as_path,
            "list": self._as_list,
            "missing": self._as_missing,
            "function": self._as_function,
        }

    def read(self, document: Mapping[str, object]) -> MinatoToml:
        tables = {name: self._table(name, value) for name, value in document.items()}
        database = self._values("db", tables.get("db", {}), DATABASE)
        auth = self._values("auth", tables.get("auth", {}), AUTH)
        development = self._values("development", tables.get("development", {}), DEVELOPMENT)
        start = self._values("start", tables.get("start", {}), START)
        return MinatoToml(
            web=self._web(tables["web"]) if "web" in tables else DEFAULT_WEB,
            database={DATABASE[key][1]: value for key, value in database.items()},
            auth={AUTH[key][1]: value for key, value in auth.items()},
            development={DEVELOPMENT[key][1]: value for key, value in development.items()},
            functions=self._functions(tables),
            data_dir=Path(start["data_dir"]) if "data_dir" in start else None,
            advisors=self._reasons(tables.get("advisors", {})),
        )

    def _table(self, name: str, value: object) -> Mapping[str, object]:
        place = (name, "") if isinstance(value, dict) else ("", name)
        if name not in SECTIONS:
            known = ", ".join(f"[{section}]" for section in SECTIONS)
            self._refuse(*place, f"{name} is not known here; known are {known}.")
        if not isinstance(value, dict):
            self._refuse(*place, f"{name} is a section: [{name}].")
        return value

    def _web(self, table: Mapping[str, object]) -> dict[str, str]:
        found = {}
        for name, setting in table.items():
            if not _PAGE_NAME.fullmatch(name):
                self._refuse("web", name, f"web.{name} is no name for a page: letters, digits and _, a letter first.")
            # What stands there stays out of the sentence: it may be the key itself.
            if not isinstance(setting, str) or setting not in WEB_SETTINGS:
                known = ", ".join(WEB_SETTINGS)
                self._refuse("web", name, f"web.{name} wants the name of a setting that a page may be told: {known}.")
            found[name] = setting
        return found

    def _functions(self, tables: Mapping[str, Mapping[str, object]]) -> dict[str, str]:
        mail = self._values("mail", tables.get("mail", {}), MAIL)
        if len(mail) == 1:
            self._refuse(
                "mail", next(iter(mail)), "[mail] wants both next and done: a mail that nobody settles goes twice."
            )
        storage = self._values("storage", tables.get("storage", {}), STORAGE)
        sections = (("mail", mail), ("storage", storage))
        return {f"{section}.{key}": name for section, found in sections for key, name in found.items()}

    def _reasons(self, table: Mapping[str, object]) -> dict[str, str]:
        found = {}
        for key, reason in table.items():
            lint, _, place = key.partition(" ")
            if not lint or not place:
                self._refuse("advisors", key, f'advisors.{key} wants a lint and a place: "lint schema.object" = "why".')
            if not isinstance(reason, str) or not reason.strip():
                self._refuse("advisors", key, f"advisors.{key} wants the reason why, in quotes.")
            found[key] = reason
        return found

    def _values(
        self, section: str, table: Mapping[str, object], known: Mapping[str, tuple[str, str]]
    ) -> dict[str, str]:
        """The values as texts, as variables of the environment have them."""
        found = {}
        for key, value in table.items():
            if key not in known:
                self._refuse(section, key, f"{section}.{key} is not known; known are {', '.join(known)}.")
            found[key] = self._kinds[known[key][0]](section, key, value)
        return found

    def _as_text(self, section: str, key: str, value: object) -> str:
        if not isinstance(value, str):
            self._refuse(section, key, f'{section}.{key} wants a text, in quotes: {key} = "…".')
        return value

    def _as_bool(self, section: str, key: str, value: object) -> str:
        if not isinstance(value, bool):
            self._refuse(section, key, f"{section}.{key} wants true or false, without quotes.")
        return str(value).lower()

    def _as_path(self, section: str, key: str, value: object) -> str:
        if not isinstance(value, str) or not value or Path(value).is_absolute():
            self._refuse(section, key, f"{section}.{key} wants a path relative to this file, in quotes.")
        return str((self._path.parent / value).resolve())

    def _as_list(self, section: str, key: str, value: object) -> str:
        if not isinstance(value, list) or not all(isinstance(item, str) and "," not in item for item in value):
            self._refuse(section, key, f'{section}.{key} wants texts in brackets: {key} = ["…"].')
        return ",".join(value)

    def _as_missing(self, section: str, key: str, value: object) -> str:
        if value not in ("refuse", "skip"):
            self._refuse(section, key, f'{section}.{key} wants "refuse" or "skip".')
        return str(value)

    def _as_function(self, section: str, key: str, value: object) -> str:
        if not isinstance(value, str) or not _FUNCTION.fullmatch(value):
            self._refuse(section, key, f'{section}.{key} wants a function with its schema: {key} = "private.{key}".')
        return value

    def _refuse(self, section: str, key: str, sentence: str) -> NoReturn:
        number = line_of(self._text, section, key)
        raise ProjectError(f"{self._path}{f':{number}' if number else ''}: {sentence}")


# How a value is written, and the setting it is by its name in the environment.
AUTH: Final[Mapping[str, tuple[str, str]]] = {
    "require_current_password": ("bool", "GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD"),
    "token_hash_paths": ("list", "GOTRUE_MAILER_TOKEN_HASH_PATHS"),
}
DEVELOPMENT: Final[Mapping[str, tuple[str, str]]] = {
    "admin_email": ("text", "MINATO_ADMIN_EMAIL"),
    "demo_mode": ("bool", "MINATO_DEMO_MODE"),
    "web_root": ("path", "MINATO_WEB_ROOT"),
    "hs256_tokens": ("bool", "MINATO_HS256_TOKENS"),
    "require_current_password": ("bool", "GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD"),
}
DATABASE: Final[Mapping[str, tuple[str, str]]] = {"missing_extensions": ("missing", "MINATO_MISSING_EXTENSIONS")}
MAIL: Final[Mapping[str, tuple[str, str]]] = {"next": ("function", ""), "done": ("function", "")}
STORAGE: Final[Mapping[str, tuple[str, str]]] = {"unused_objects": ("function", "")}
START: Final[Mapping[str, tuple[str, str]]] = {"data_dir": ("path", "")}


def line_of(text: str, section: str, key: str) -> int | None:
    """The line a key stands on, or its section's when there is none such; None for what is written another way.

    >>> line_of("[web]\\nurl = 'x'\\n", "web", "url"), line_of("[web]\\n", "web", ""), line_of("a.b = 1", "a", "b")
    (2, 1, None)
    """
    wanted = re.compile(rf"\s*[\"']?{re.escape(key)}[\"']?\s*=")
    current, found = "", None
    for number, line in enumerate(text.splitlines(), 1):
        header = _SECTION.match(line)
        if header:
            current = header[1]
            found = number if current == section else found
        elif key and current == section and wanted.match(line):
            return number
    return found
