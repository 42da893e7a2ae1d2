"""Who comes next: somebody of the users file, somebody described, somebody new, or an error in their place."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import BaseModel, Field, model_validator

from minato.backend import Backend
from minato.dev.idp.person import Person, find, of_file, somebody_new
from minato.http.errors import ApiError
from minato.project.errors import ProjectError
from minato.project.users_file import UsersFile, read_users_file, users_path

NEW = "somebody new"
DENIED = "access_denied"
LONGEST_ERROR = 100


class IdpError(ApiError):
    """A refusal of the calls."""

    def __init__(self, status: int, code: str, message: str, hint: str = "") -> None:
        super().__init__(status, code, message)
        self.hint = hint


class Answerer(BaseModel, extra="forbid"):
    """Who answers a provider's question: somebody of the users file by name, address or id, a person, or an error
    instead."""

    user: str | Person | None = None
    error: Annotated[str, Field(pattern=r"^[\x20-\x21\x23-\x5b\x5d-\x7e]+$", max_length=LONGEST_ERROR)] | None = None

    @model_validator(mode="after")
    def _is_one_thing(self) -> Self:
        if (self.user is None) == (self.error is None):
            raise ValueError("either user or error is wanted")
        return self

    def at(self, backend: Backend, provider: str) -> Person | str:
        """The person as `provider` knows them, or the error. Raises IdpError."""
        return self.error or person(backend, provider, self.user)


def person(backend: Backend, provider: str, user: str | Person | None) -> Person:
    """Whom `user` names or describes. Raises IdpError."""
    if isinstance(user, Person):
        return user.known
    file = people(backend)
    found = find(file, user or "")
    if found is not None:
        return of_file(found, provider).known
    known = ", ".join(str(one.name or one.email) for one in file.user[:5])
    hint = f"Known: {known}." if known else "There is no users.toml."
    raise IdpError(404, "user_not_found", f'The users file has no "{(user or "")[:100]}".', hint)


def people(backend: Backend) -> UsersFile:
    """Those of the users file. Raises IdpError."""
    try:
        return read_users_file(users_path(backend.settings.server))
    except ProjectError as error:
        raise IdpError(400, "bad_request", str(error)) from None


def chosen(backend: Backend, provider: str, key: str, domain: str = "example.com") -> Person | str:
    """Whom the page offered as `key`; somebody new has an address at `domain`."""
    if key == NEW:
        return somebody_new(backend.entropy, domain)
    return person(backend, provider, key) if key else DENIED
