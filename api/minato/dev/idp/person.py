"""Who stands before the provider."""

from __future__ import annotations

import json
from hashlib import sha256

from pydantic import BaseModel, Field, field_validator

from minato.entropy import Entropy
from minato.json_text import JsonObject
from minato.project.users_file import FileUser, UsersFile


class Person(BaseModel, extra="forbid"):
    """What the provider knows. `sub` follows from the address where it is not given; `claims` are said in ID tokens
    beside.

    >>> Person(email="anna@example.com").known.sub == Person(email="anna@example.com").known.sub
    True
    """

    sub: str = ""
    email: str = ""
    email_verified: bool = True
    name: str = ""
    picture: str = ""
    claims: JsonObject = Field(default_factory=dict)

    @field_validator("claims")
    @classmethod
    def _can_be_told(cls, given: JsonObject) -> JsonObject:
        json.dumps(given, ensure_ascii=False, allow_nan=False).encode()
        return given

    @property
    def known(self) -> Person:
        """The same with everything that follows."""
        sub = self.sub or sha256((self.email or self.name).encode()).hexdigest()[:16]
        return self.model_copy(update={"sub": sub, "name": self.name or self.email.partition("@")[0] or sub})

    @property
    def number(self) -> int:
        """The subject of providers that number their people."""
        is_number = self.sub.isascii() and self.sub.isdecimal() and len(self.sub) < 16
        return int(self.sub) if is_number else int(sha256(self.sub.encode()).hexdigest()[:10], 16)

    @property
    def given_name(self) -> str:
        return self.name.partition(" ")[0]

    @property
    def family_name(self) -> str:
        return self.name.partition(" ")[2]


def of_file(user: FileUser, provider: str) -> Person:
    """Somebody of the users file, whom the provider calls as the file says."""
    told = user.user_metadata or {}
    name = next((str(told[key]) for key in ("full_name", "name") if told.get(key)), user.name or "")
    sub = next((one.id for one in user.identities if one.provider == provider and one.id), str(user.uuid))
    picture = str(told.get("avatar_url") or told.get("picture") or "")
    return Person(sub=sub, email=user.email or "", email_verified=user.confirmed, name=name, picture=picture)


def find(file: UsersFile, asked: str) -> FileUser | None:
    """Somebody of the file, by name, address or id."""
    return next((one for one in file.user if asked.lower() in (one.name, one.email, str(one.uuid))), None)


def somebody_new(entropy: Entropy, domain: str) -> Person:
    """Nobody has ever seen them; their address is at `domain`."""
    name = f"new-{entropy.base32(8)}"
    return Person(sub=name, email=f"{name}@{domain}", name="Somebody New")
