"""Which database a command works on: the embedded one of the data folder, or the one `DATABASE_URL` names."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import psycopg2
from psycopg2.extensions import connection as Connection

from minato.cli.environment import process_environment
from minato.config import Settings
from minato.database.address import DatabaseAddress, address_from_url, authenticator_password
from minato.postgres.address import PostgresAddress, running_address
from minato.postgres.cluster import CONNECTIONS, EmbeddedOptions
from minato.postgres.embedded import EmbeddedPostgres
from minato.postgres.layout import Layout
from minato.postgres.lock import holder

# The project owner's role, which people and tools log in as.
OWNER = "postgres"
# Of a process that serves, with all its services at work.
CONNECTIONS_OF_A_WORKER = 40


@dataclass(frozen=True)
class Target:
    """`address` is for us, `url` for people, `owner` for a project's own SQL; a secret of ours that a role needs as its
    password is in `passwords`.

    On a server of ours `owner` logs in as `postgres`, so that RESET ROLE gives nothing. On another's it is the login we
    were given, which then only sets the role.
    """

    address: DatabaseAddress
    url: str
    owner: str
    embedded: bool
    passwords: dict[str, str] = field(repr=False)


def embedded_postgres(settings: Settings, durable: bool = True) -> EmbeddedPostgres | None:
    """The PostgreSQL to start, None when `DATABASE_URL` names another. Not `durable` is for data that nobody keeps."""
    if settings.database.database_url is not None:
        return None
    database = settings.database
    folder, program, port = settings.server.data_dir, database.postgres_bin, database.postgres_port
    leave_out = database.missing_extensions == "skip"
    # The parent of workers keeps some, too.
    connections = max(CONNECTIONS, CONNECTIONS_OF_A_WORKER * (settings.server.workers + 1))
    return EmbeddedPostgres(
        EmbeddedOptions(
            folder,
            program,
            port,
            durable,
            environment=process_environment(),
            leave_out_extensions=leave_out,
            connections=connections,
        )
    )


def embedded_target(postgres: PostgresAddress) -> Target:
    """The embedded PostgreSQL. The socket trusts every role; only people need a password."""
    address = DatabaseAddress(postgres.socket_url(), postgres.socket_url("authenticator"), trusting=True)
    owner, passwords = postgres.socket_url(OWNER), {OWNER: postgres.owner_password or postgres.password}
    return Target(address, postgres.tcp_url(OWNER), owner, embedded=True, passwords=passwords)


def foreign_target(settings: Settings, secret: str) -> Target:
    """A PostgreSQL somebody else runs, past its pooler.

    `AUTHENTICATOR_URL` spares us giving `authenticator` a password.
    """
    given = settings.database.direct_url or settings.database.database_url
    assert given is not None, "only with DATABASE_URL"
    url = given.get_secret_value()
    if settings.database.authenticator_url is not None:
        address = DatabaseAddress(url, settings.database.authenticator_url.get_secret_value())
        return Target(address, url, url, embedded=False, passwords={})
    password = authenticator_password(secret)
    return Target(address_from_url(url, password), url, url, embedded=False, passwords={"authenticator": password})


@contextmanager
def opened_target(settings: Settings, secret: str) -> Iterator[Target]:
    """The database for one command: a server's that runs already, else started for as long as the command lasts."""
    postgres = embedded_postgres(settings)
    if postgres is None:
        yield foreign_target(settings, secret)
        return
    layout = Layout(settings.server.data_dir)
    # Without a holder of the lock, what the files say is left from a crash.
    running = running_address(layout) if holder(layout.lock) is not None else None
    if running is not None:
        yield embedded_target(running)
        return
    try:
        yield embedded_target(postgres.start_now())
    finally:
        postgres.stop_now()


def open_superuser(target: Target) -> Connection:
    """A session of the login that owns the database, which finds nothing of the project's there: what has the name of a
    function that is meant, and fits better, would run with this session's rights. Raises psycopg2.Error."""
    connection: Connection = psycopg2.connect(target.address.admin)
    with connection.cursor() as cursor:
        cursor.execute("set search_path = pg_catalog, pg_temp")
    connection.commit()
    return connection
