"""Where the database is and how each of our logins reaches it."""

from __future__ import annotations

import base64
import hashlib
import hmac
from dataclasses import dataclass
from urllib.parse import quote, unquote, urlsplit, urlunsplit


@dataclass(frozen=True)
class DatabaseAddress:
    """Connection strings (`postgresql://…`) of the two logins; they carry passwords, so they are never logged.

    Where the server is `trusting`, as the embedded one is over its socket, every role logs in without a password.
    """

    admin: str
    authenticator: str
    trusting: bool = False


def address_from_url(url: str, authenticator_password: str) -> DatabaseAddress:
    """The address of a PostgreSQL somebody else runs: same place, `authenticator` with a password of its own."""
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    login = f"authenticator:{quote(authenticator_password, safe='')}@{host}"
    return DatabaseAddress(admin=url, authenticator=urlunsplit(parts._replace(netloc=login)))


def login_at(url: str, authenticator: str) -> str:
    """How requests log in at `url`, a replica or a pooler: as they do at the primary, whoever `url` names.

    >>> login_at("postgresql://owner:a@replica/shop", "postgresql://authenticator:b@primary:5433/shop")
    'postgresql://authenticator:b@replica/shop'
    """
    parts = urlsplit(url)
    login = urlsplit(authenticator).netloc.rpartition("@")[0]
    return urlunsplit(parts._replace(netloc=f"{login}@{parts.netloc.rpartition('@')[2]}"))


def authenticator_password(jwt_secret: str) -> str:
    """The password of `authenticator` on a foreign PostgreSQL, derived so that `DATABASE_URL` alone is enough."""
    digest = hmac.new(jwt_secret.encode(), b"minato authenticator login", hashlib.sha256).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def login_of(address: DatabaseAddress, role: str) -> str:
    """The address of `role`'s own login in the same database.

    >>> login_of(DatabaseAddress("postgresql://admin@/shop?port=5432", "", trusting=True), "supabase_auth_admin")
    'postgresql://supabase_auth_admin@/shop?port=5432'
    """
    return address_of(address.admin, role, unquote(urlsplit(address.admin).path.removeprefix("/")))


def address_of(url: str, role: str, database: str) -> str:
    """The address of `database` beside `url`, for `role`: with the password only if it is that role's.

    >>> address_of("postgresql://supabase_admin:secret@db.example:5432/postgres", "app login", "other")
    'postgresql://app%20login@db.example:5432/other'
    """
    parts = urlsplit(url)
    login, _, host = parts.netloc.rpartition("@")
    name, colon, password = login.partition(":")
    own = f"{quote(role, safe='')}{colon}{password}" if unquote(name) == role else quote(role, safe="")
    return urlunsplit(parts._replace(netloc=f"{own}@{host}", path="/" + quote(database, safe="")))
