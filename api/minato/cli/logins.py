"""Lets requests log in to a PostgreSQL that somebody else runs, without locking out another installation there.

Roles belong to the whole cluster, so `authenticator` has one password for all its databases. It is given ours only
where the login we know fails and no other database could need another; else this database gets a login role of its
own, a member of `authenticator`. Decision 0014.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from urllib.parse import quote, urlsplit, urlunsplit

import psycopg2
from psycopg2 import sql
from psycopg2.extensions import cursor as Cursor

from minato.cli.errors import CommandError
from minato.cli.progress import Progress
from minato.cli.target import Target, open_superuser

AUTHENTICATOR = "authenticator"

# A database that was migrated holds grants to these roles, and PostgreSQL notes for the whole cluster who needs them.
IS_SHARED = """
select exists (
    select from pg_shdepend d join pg_roles r on r.oid = d.refobjid and d.refclassid = 'pg_authid'::regclass
    where r.rolname in ('anon', 'authenticator')
    and d.dbid not in (0, (select oid from pg_database where datname = current_database()))), current_database()
"""
# A role's settings hold for who logs in as it, not for its members.
SETTINGS = """
select split_part(setting, '=', 1), substr(setting, strpos(setting, '=') + 1)
from pg_db_role_setting d join pg_roles r on r.oid = d.setrole cross join unnest(d.setconfig) as setting
where r.rolname = 'authenticator'
and d.setdatabase in (0, (select oid from pg_database where datname = current_database()))
order by d.setdatabase
"""


def with_login(target: Target, progress: Progress) -> Target:
    """`target` with an authenticator that can log in. Raises `CommandError` where we may not see to that."""
    password = target.passwords.get(AUTHENTICATOR)
    if password is None or _logs_in(target.address.authenticator):
        return target
    connection = open_superuser(target)
    try:
        with connection, connection.cursor() as cursor:
            cursor.execute(IS_SHARED)
            shared, database = cursor.fetchone() or (False, "")
            if not shared:
                set_password(cursor, AUTHENTICATOR, password)
                return target
            role = own_role(database)
            _prepare_own_login(cursor, role, password)
    except psycopg2.errors.InsufficientPrivilege as error:
        raise CommandError(f"{str(error).strip()}: set AUTHENTICATOR_URL to a login of that role.") from None
    finally:
        connection.close()
    progress.warn(
        "Another database of this PostgreSQL has the role authenticator log in with another password. Requests log in "
        f"as {role} here; what is set for authenticator (ALTER ROLE … SET) reaches it at the next start. Give both "
        "installations an AUTHENTICATOR_URL to share the role."
    )
    return _with_role(target, role)


def set_password(cursor: Cursor, role: str, password: str) -> None:
    """Let `role` log in with `password`."""
    statement = sql.SQL("alter role {} with login password {}")
    cursor.execute(statement.format(sql.Identifier(role), sql.Literal(password)))


def own_role(database: str) -> str:
    """The name of a database's own login; the same again after the database was dropped and made anew.

    >>> own_role("shop")
    'authenticator_8d9001d32c'
    """
    return f"{AUTHENTICATOR}_{hashlib.sha256(database.encode()).hexdigest()[:10]}"


def _prepare_own_login(cursor: Cursor, role: str, password: str) -> None:
    """Make the role unless it is there; it may and is told what authenticator may and is told."""
    cursor.execute("select from pg_roles where rolname = %s", (role,))
    name = sql.Identifier(role)
    if cursor.fetchone() is None:
        # It inherits what authenticator was granted, and no more: authenticator itself inherits nothing.
        cursor.execute(sql.SQL("create role {} inherit in role authenticator").format(name))
    set_password(cursor, role, password)
    cursor.execute(sql.SQL("alter role {} reset all").format(name))
    cursor.execute(SETTINGS)
    for setting, value in cursor.fetchall():
        # From the current value, because a list written as one text would become a list of one.
        cursor.execute("select set_config(%s, %s, true)", (setting, value))
        parts = sql.SQL(".").join(map(sql.Identifier, setting.split(".")))
        cursor.execute(sql.SQL("alter role {} set {} from current").format(name, parts))


def _with_role(target: Target, role: str) -> Target:
    parts = urlsplit(target.address.authenticator)
    login = f"{role}:{quote(target.passwords[AUTHENTICATOR], safe='')}@{parts.netloc.rpartition('@')[2]}"
    authenticator = urlunsplit(parts._replace(netloc=login))
    return replace(target, address=replace(target.address, authenticator=authenticator))


def _logs_in(dsn: str) -> bool:
    try:
        psycopg2.connect(dsn, connect_timeout=5).close()
    except psycopg2.OperationalError:
        return False
    return True
