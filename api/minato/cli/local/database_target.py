"""Which database a command of the CLI speaks to: the project's own (`--local`), that of a hosted project (`--linked`),
or any other (`--db-url`).

The project's own is the one that its running server has; nothing else that listens on the port of `config.toml` is
taken for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Annotated, Final, Literal
from urllib.parse import quote

import psycopg2
import typer
from psycopg2.extensions import connection as Connection
from psycopg2.extensions import make_dsn, parse_dsn

from minato.cli.local.cobra import exclude_each_other
from minato.cli.local.data_folder import State
from minato.cli.local.failures import CommandFailure, named
from minato.cli.local.notices import Notices
from minato.cli.local.plan import Place, load_config, say
from minato.cli.local.settings import PASSWORD
from minato.cli.local.start import running_state
from minato.project.config_file import ProjectConfig
from minato.project.dotenv import project_environment

# The three flags, as every such command has them; None is "not typed".
DbUrl = Annotated[
    str | None,
    typer.Option("--db-url", help="The database of a connection string (percent-encoded).", show_default=False),
]
Linked = Annotated[bool | None, typer.Option("--linked", help="The linked project's.", show_default=False)]
Local = Annotated[bool | None, typer.Option("--local", help="The local database.", show_default=False)]
Password = Annotated[
    str | None, typer.Option("--password", "-p", help="Password of the linked project's.", show_default=False)
]
Default = Literal["local", "linked"]

GROUP: Final = ("db-url", "linked", "local")
LOCAL_TIMEOUT, TIMEOUT = 2, 10
START_FIRST: Final = "Start the project first: minato start"
# Logins that the platform gives out, or that may more than a migration should: they step down.
_STEPS_DOWN: Final = re.compile(r"supabase_admin$|cli_login_")
_REF: Final = re.compile(r"[a-z]{20}")
# libpq does not say the code of a refused login.
_FATAL: Final = (
    ("password authentication failed", "28P01"),
    ('database ".*" does not exist', "3D000"),
    ('role ".*" does not exist|no pg_hba.conf entry', "28000"),
    ("too many", "53300"),
)
_LOOPBACK: Final = frozenset({"127.0.0.1", "localhost", "::1"})


@dataclass(frozen=True)
class Chosen:
    """What was typed of the three flags, and which counts when none was."""

    db_url: str | None = None
    linked: bool | None = None
    local: bool | None = None
    password: str | None = None
    default: Default = "local"

    @property
    def way(self) -> str:
        """`db-url`, `local` or `linked`, in that order where several were typed."""
        typed = {"db-url": self.db_url, "local": self.local, "linked": self.linked}
        return next((name for name, value in typed.items() if value is not None), self.default)

    def require_one(self) -> None:
        """Raises `CommandFailure` where flags were typed together that exclude each other."""
        given = {"db-url": self.db_url, "linked": self.linked, "local": self.local, "password": self.password}
        typed = {name: value is not None for name, value in given.items()}
        exclude_each_other(GROUP, typed)
        exclude_each_other(("db-url", "password"), typed)


@dataclass(frozen=True)
class DatabaseTarget:
    """`dsn` is for libpq and shown in no repr; `state` is what the project's server says, None when it does not run.

    `is_local` says that it is the project's own database. `environment` has the project's `.env` files behind it.
    """

    dsn: str = field(repr=False)
    is_local: bool
    place: Place
    config: ProjectConfig
    state: State | None
    environment: Mapping[str, str] = field(repr=False)

    def require_running(self) -> State:
        """The state of the project's server. Raises `CommandFailure` when none runs."""
        if self.state is None:
            raise CommandFailure(f"{named('supabase start')} is not running.", START_FIRST)
        return self.state


def choose_database(place: Place, environment: Mapping[str, str], chosen: Chosen) -> DatabaseTarget:
    """Read the project's settings and find the database; nothing is connected to. Raises `CommandFailure` and
    `ProjectError`."""
    ref = project_ref(place, environment) if chosen.way == "linked" else ""
    config = load_config(place.workdir, environment)
    for sentence in config.warnings:
        if sentence.startswith("WARN:"):
            say(sentence)
    state = running_state(place.folder)
    variables = project_environment(place.workdir, environment)
    if chosen.way == "db-url":
        dsn = _parsed(chosen.db_url or "", environment)
        is_local = _is_ours(parse_dsn(dsn), config, state, environment)
    elif chosen.way == "linked":
        dsn, is_local = _hosted(ref, chosen.password or variables.get("SUPABASE_DB_PASSWORD", "")), False
    else:
        dsn, is_local = local_dsn(config, state, environment), True
    chosen.require_one()
    return DatabaseTarget(dsn, is_local, place, config, state, variables)


@contextmanager
def connected(target: DatabaseTarget, tell: Callable[[str], None] = say) -> Iterator[Connection]:
    """A session in autocommit whose notices go to standard error, as `postgres` where it is the project's own database.

    Raises `CommandFailure` when there is none to be had.
    """
    tell("Connecting to local database..." if target.is_local else "Connecting to remote database...")
    connection = open_session(target)
    try:
        yield connection
    finally:
        connection.close()


def open_session(target: DatabaseTarget) -> Connection:
    """The same without a word; whoever asks closes it."""
    if target.is_local and target.state is None:
        raise CommandFailure(_refusal(target.dsn, _nobody(target.dsn)), START_FIRST)
    connection = _opened(target)
    connection.autocommit = True
    connection.notices = Notices(say)
    role = session_role(target)
    if role is not None:
        with connection.cursor() as cursor:
            cursor.execute(f"set session role {role}")
    return connection


def session_role(target: DatabaseTarget) -> str | None:
    """The role a session steps down to; None for one that stays who it logged in as."""
    if target.is_local:
        return "postgres"
    user = parse_dsn(target.dsn).get("user", "").partition(".")[0].lower()
    return "postgres" if _STEPS_DOWN.match(user) else None


def project_ref(place: Place, environment: Mapping[str, str]) -> str:
    """The hosted project that the folder is linked to. Raises `CommandFailure`."""
    ref = environment.get("SUPABASE_PROJECT_ID", "")
    if not ref:
        try:
            ref = (place.workdir.supabase / ".temp" / "project-ref").read_text().strip()
        except OSError:
            raise CommandFailure(
                f"Cannot find project ref. Have you run {named('supabase link')}?",
                "--local speaks to the project's own database, --db-url to any other.",
            ) from None
    if not _REF.fullmatch(ref):
        raise CommandFailure("Invalid project ref format. Must be like `abcdefghijklmnopqrst`.")
    return ref


def local_dsn(config: ProjectConfig, state: State | None, environment: Mapping[str, str]) -> str:
    """Where the project's own database is, or would be."""
    if state is not None:
        return str(make_dsn(state.values["db.url"], connect_timeout=LOCAL_TIMEOUT))
    url = f"postgresql://postgres:{PASSWORD}@{_hostname(environment)}:{config.number('db.port')}/postgres"
    return str(make_dsn(url, connect_timeout=LOCAL_TIMEOUT))


def _hostname(environment: Mapping[str, str]) -> str:
    return environment.get("SUPABASE_SERVICES_HOSTNAME") or "127.0.0.1"


def _parsed(given: str, environment: Mapping[str, str]) -> str:
    """A connection string with everything it leaves open. No session falls back from TLS to none, except to this
    machine; the string is not shown, for it may hold a password."""
    try:
        parts = parse_dsn(given)
    except psycopg2.ProgrammingError as error:
        reason = str(error).strip().splitlines()[0].split('"')[0].strip(" :")
        raise CommandFailure(f"failed to parse connection string: {reason or 'invalid'}") from None
    if not parts:
        raise CommandFailure("failed to parse connection string: it is empty")
    host = parts.get("host") or environment.get("PGHOST", "")
    if "sslmode" not in parts and "PGSSLMODE" not in environment:
        parts["sslmode"] = "prefer" if host in _LOOPBACK or host.startswith(("/", "@")) or not host else "require"
    if "connect_timeout" not in parts and "PGCONNECT_TIMEOUT" not in environment:
        parts["connect_timeout"] = str(TIMEOUT)
    return str(make_dsn(**parts))


def _hosted(ref: str, password: str) -> str:
    """The direct address of a hosted project's database."""
    if not password:
        raise CommandFailure(
            "Hosted projects are reached by their database's password alone.",
            "Connect to your database by setting the env var correctly: SUPABASE_DB_PASSWORD",
        )
    url = f"postgresql://postgres:{quote(password, safe='')}@db.{ref}.supabase.co:5432/postgres"
    return str(make_dsn(url, sslmode="require", connect_timeout=TIMEOUT))


def _is_ours(
    parts: Mapping[str, str], config: ProjectConfig, state: State | None, environment: Mapping[str, str]
) -> bool:
    """Whether an address is that of the project's own database."""
    own = parse_dsn(local_dsn(config, state, environment))
    ports = {own.get("port", "5432"), str(config.number("db.shadow_port"))}
    return parts.get("host") == own.get("host") and parts.get("port", "5432") in ports


def _opened(target: DatabaseTarget) -> Connection:
    try:
        return psycopg2.connect(target.dsn)
    except psycopg2.OperationalError as error:
        said = str(error).strip()
    suggestion = START_FIRST if target.is_local else ""
    if "password authentication failed" in said:
        suggestion = "The password in the connection string is another than the database's."
    raise CommandFailure(_refusal(target.dsn, _reason(said, target.dsn)), suggestion)


def _refusal(dsn: str, reason: str) -> str:
    """As pgx says it; never the password."""
    parts = parse_dsn(dsn)
    host, user, database = (parts.get(name, "") for name in ("host", "user", "dbname"))
    place = f"`host={host} user={user} database={database or user}`"
    return f"failed to connect to postgres: failed to connect to {place}: {reason}"


def _nobody(dsn: str) -> str:
    parts = parse_dsn(dsn)
    return f"dial error (dial tcp {parts.get('host', '')}:{parts.get('port', '5432')}: connect: connection refused)"


def _reason(said: str, dsn: str) -> str:
    """libpq's reason in pgx's words, where those are known."""
    if "Connection refused" in said:
        return _nobody(dsn)
    fatal = re.search(r"FATAL:\s+(.+)", said)
    if fatal is None:
        return " ".join(said.split())
    code = next((code for words, code in _FATAL if re.search(words, fatal[1])), "")
    shown = f"FATAL: {fatal[1]}{f' (SQLSTATE {code})' if code else ''}"
    return f"failed SASL auth ({shown})" if code == "28P01" else f"server error ({shown})"
