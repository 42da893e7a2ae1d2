"""`supabase/users.toml`: the people of a developer's server, so that a test can say "as anna" and mean somebody.

What it says wins over what the accounts became; an account that it does not name stays as it is. Passwords stand in
the file: it is read in development alone.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final, Literal, Self
from uuid import UUID, uuid5

from pydantic import AfterValidator, AwareDatetime, BaseModel, Field, ValidationError, model_validator

from minato.config.server import ServerSettings
from minato.project.errors import ProjectError

NAME: Final = "users.toml"
# Whoever has no id has the same one on every machine and in every branch.
NAMESPACE: Final = UUID("9a0f6c1e-6d1b-5f0e-8a43-6d696e61746f")
LONGEST_PASSWORD = 72
# Not at another provider.
OWN = ("email", "phone")
_HEADER = re.compile(r"\s*\[\[\s*user\s*(\.\s*(\w+)\s*)?\]\]")
_PHONE = re.compile(r"[1-9][0-9]{1,14}")
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+")


def _address(text: str) -> str:
    if not _EMAIL.fullmatch(text):
        raise ValueError("an e-mail address is wanted")
    return text.lower()


def _number(text: str) -> str:
    digits = text.removeprefix("+").replace(" ", "")
    if not _PHONE.fullmatch(digits):
        raise ValueError("a phone number is wanted, with the country first: +81 90 1234 5678")
    return digits


def _secret(text: str) -> str:
    secret = text.upper().replace(" ", "").rstrip("=")
    try:
        base64.b32decode(secret + "=" * (-len(secret) % 8))
    except binascii.Error:
        raise ValueError("a secret in base32 is wanted, letters and the digits 2 to 7") from None
    if len(secret) % 8:
        raise ValueError("a secret in base32 is wanted whose length is a multiple of eight")
    return secret


def _password(text: str) -> str:
    if len(text.encode()) > LONGEST_PASSWORD or "\0" in text:
        raise ValueError(f"a password has at most {LONGEST_PASSWORD} bytes")
    return text


def _is_text(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


Phone = Annotated[str, AfterValidator(_number)]
Metadata = dict[str, object]


class FileIdentity(BaseModel, extra="forbid"):
    """A way to sign in at another provider, which calls the person `id`."""

    provider: str = Field(min_length=1)
    id: str | None = None


class FileFactor(BaseModel, extra="forbid"):
    """A second factor that is proven already: an authenticator app by its secret, or a phone by its number."""

    type: Literal["totp", "phone"] = "totp"
    name: str = ""
    secret: Annotated[str, AfterValidator(_secret)] | None = None
    phone: Phone | None = None

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        wanted = "secret" if self.type == "totp" else "phone"
        if getattr(self, wanted) is None:
            raise ValueError(f"a factor of the type {self.type} wants {wanted}")
        return self


class FileUser(BaseModel, extra="forbid"):
    """One person. `name` is what tests call them; the account does not know it."""

    name: str | None = Field(None, pattern=r"^[^@\x00-\x20+0-9][^@\x00-\x20]*$")
    id: UUID | None = None
    email: Annotated[str, AfterValidator(_address)] | None = None
    phone: Phone | None = None
    password: Annotated[str, AfterValidator(_password)] | None = Field(None, repr=False)
    confirmed: bool = True
    user_metadata: Metadata | None = None
    app_metadata: Metadata = Field(default_factory=dict)
    role: str | None = None
    banned_until: AwareDatetime | None = None
    identities: list[FileIdentity] = Field(default_factory=list)
    factors: list[FileFactor] = Field(default_factory=list)

    @model_validator(mode="after")
    def _is_somebody(self) -> Self:
        if self.email is None and self.phone is None:
            raise ValueError("email or phone is wanted")
        return self

    @property
    def uuid(self) -> UUID:
        """The id: the one that is given, else one that follows from the name or the address."""
        return self.id or uuid5(NAMESPACE, self.name or self.email or self.phone or "")

    @property
    def providers(self) -> list[str]:
        """Where they sign in, in the order of the account: by address and password only where that is so."""
        listed = [identity.provider for identity in self.identities]
        others = [provider for provider in listed if provider not in OWN]
        own = [name for name in OWN if getattr(self, name) and (self.password or not others or name in listed)]
        return list(dict.fromkeys([*own, *others]))


class UsersFile(BaseModel, extra="forbid"):
    """The whole file: `[[user]]` by `[[user]]`."""

    user: list[FileUser] = Field(default_factory=list)

    @model_validator(mode="before")
    @classmethod
    def _can_be_kept(cls, given: object) -> object:
        """As JSON that PostgreSQL stores."""
        text = json.dumps(given, default=str, allow_nan=False, ensure_ascii=False)
        if "\\u0000" in text or not _is_text(text):
            raise ValueError("a letter stands there that a database does not store")
        return json.loads(text)

    @model_validator(mode="after")
    def _are_different(self) -> Self:
        for key in ("name", "uuid", "email", "phone"):
            values = [value for user in self.user if (value := getattr(user, key)) is not None]
            twice = next((value for value in values if values.count(value) > 1), None)
            if twice is not None:
                raise ValueError(f"{'id' if key == 'uuid' else key} {twice} stands there twice")
        return self

    def named(self, name: str) -> FileUser | None:
        """Whom tests call so."""
        return next((user for user in self.user if user.name == name), None)


def users_path(server: ServerSettings) -> Path | None:
    """Where the file is: what the settings name, else beside the project's other files."""
    if server.users is not None:
        return server.users
    return server.project / "supabase" / NAME if server.project is not None else None


def read_users_file(path: Path | None) -> UsersFile:
    """The people of a file; nobody where there is none. Raises `ProjectError` with its line."""
    if path is None or not path.is_file():
        return UsersFile()
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise ProjectError(f"{path}: {error}") from None
    return parse_users(text, str(path))


def parse_users(text: str, place: str) -> UsersFile:
    """The people of a text: TOML, or the same as JSON. Raises `ProjectError` that names `place` and the line."""
    try:
        return UsersFile.model_validate(json.loads(text) if text.lstrip()[:1] == "{" else tomllib.loads(text))
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        number = line_of_user(text, first["loc"])
        said = first["msg"].removeprefix("Value error, ")
        at = ".".join(map(str, first["loc"]))
        raise ProjectError(f"{place}{f':{number}' if number else ''}: {f'{at}: ' if at else ''}{said}") from None
    except (ValueError, RecursionError) as error:
        raise ProjectError(f"{place}: {error}") from None


def line_of_user(text: str, place: Sequence[int | str]) -> int | None:
    """The line of `("user", 1, "emial")`, or of its section where the key stands nowhere.

    >>> line_of_user("[[user]]\\nemail = 'a@b.c'\\n[[user]]\\nemial = 'x'", ("user", 1, "emial"))
    4
    >>> line_of_user("[[user]]\\n[[user.factors]]\\nsecret = ''", ("user", 0, "factors", 0, "secret"))
    3
    """
    if len(place) < 2 or not isinstance(place[1], int):
        return None
    table, key = _table_and_key(place)
    user, counts, found = -1, dict[str, int](), None
    section: tuple[str, int] = ("", 0)
    for number, line in enumerate(text.splitlines(), 1):
        header = _HEADER.match(line)
        if header:
            inner = header[2] or ""
            user, counts = (user + 1, {}) if not inner else (user, counts)
            counts[inner] = counts.get(inner, -1) + 1
            section = (inner, counts[inner] if inner else 0)
        here = user == place[1] and section == table
        found = number if header and here else found
        if here and key and re.match(rf"\s*[\"']?{re.escape(key)}[\"']?\s*[=.]", line):
            return number
    return found


def _table_and_key(place: Sequence[int | str]) -> tuple[tuple[str, int], str]:
    inner = place[3] if len(place) > 3 else None
    if isinstance(inner, int):
        return (str(place[2]), inner), str(place[4]) if len(place) > 4 else ""
    return ("", 0), str(place[2]) if len(place) > 2 else ""
