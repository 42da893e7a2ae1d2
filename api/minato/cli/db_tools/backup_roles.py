"""The roles of a hosted project's backup: those that are not there yet are made, with the attributes, settings and
memberships the backup gives them. Those that are there stay as they are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from psycopg2 import sql
from psycopg2.extensions import cursor as Cursor

from minato.cli.db_tools.backup_dump import unquoted

_NAME: Final = rb'("(?:[^"]|"")+"|[\w$]+)'
_CREATE: Final = re.compile(rb"CREATE ROLE " + _NAME + rb";")
_ALTER: Final = re.compile(
    rb"ALTER ROLE "
    + _NAME
    + rb" WITH ([A-Z ]+?)(?: CONNECTION LIMIT (\d+))?(?: PASSWORD '([^']*)')?(?: VALID UNTIL '[^']*')?;"
)
_MEMBER: Final = re.compile(rb"GRANT " + _NAME + rb" TO " + _NAME + rb"(?: WITH [A-Z ,]+?)?(?: GRANTED BY .+)?;")
# Of a backup's role none may be more than `postgres` is.
_ATTRIBUTES: Final = frozenset({"INHERIT", "NOINHERIT", "LOGIN", "NOLOGIN", "CREATEDB", "CREATEROLE", "BYPASSRLS"})
# Whose member a new role may become, besides other new ones.
_OPEN: Final = frozenset(
    {"anon", "authenticated", "service_role", "authenticator", "postgres"}
    | {"pg_read_all_data", "pg_write_all_data", "pg_monitor", "pg_signal_backend"}
)


@dataclass
class BackupRoles:
    """`names` in their order; `attributes` with the password's digest or None; `members` are pairs of group and
    member."""

    names: list[str] = field(default_factory=list)
    attributes: dict[str, tuple[list[str], str | None]] = field(default_factory=dict)
    members: list[tuple[str, str]] = field(default_factory=list)


def read_roles(lines: Iterable[bytes]) -> BackupRoles:
    """What stands before the first database. Whatever is no such statement is passed over."""
    found = BackupRoles()
    for line in _globals(lines):
        if create := _CREATE.fullmatch(line):
            found.names.append(unquoted(create[1]))
        elif alter := _ALTER.fullmatch(line):
            words = [word for word in alter[2].decode().split() if word in _ATTRIBUTES]
            found.attributes[unquoted(alter[1])] = (words, alter[4].decode() if alter[4] else None)
        elif member := _MEMBER.fullmatch(line):
            found.members.append((unquoted(member[1]), unquoted(member[2])))
    return found


def _globals(lines: Iterable[bytes]) -> Iterator[bytes]:
    for line in lines:
        if line.startswith((b"\\connect ", b"-- Name: ")):
            return
        yield line.rstrip(b"\r\n")


def make_roles(cursor: Cursor, roles: BackupRoles) -> frozenset[str]:
    """Make those that are missing, as the superuser; their names."""
    cursor.execute("select rolname from pg_catalog.pg_roles")
    present = {name for (name,) in cursor.fetchall()}
    new = [name for name in dict.fromkeys(roles.names) if name not in present and not name.startswith("pg_")]
    for name in new:
        words, password = roles.attributes.get(name, ([], None))
        statement = sql.SQL("create role {} {}").format(sql.Identifier(name), sql.SQL(" ".join(words)))
        if password is not None:
            statement += sql.SQL(" password {}").format(sql.Literal(password))
        cursor.execute(statement)
    for group, member in roles.members:
        is_ours = (group in new and (member in new or member in _OPEN)) or (member in new and group in _OPEN)
        if is_ours:
            cursor.execute(sql.SQL("grant {} to {}").format(sql.Identifier(group), sql.Identifier(member)))
    return frozenset(new)
