"""`minato gen types`: which database, which schemas, which language."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

import psycopg2
import typer
from psycopg2.extensions import connection as Connection
from psycopg2.extensions import make_dsn, parse_dsn

from minato.cli.gen_types.languages import Style, render
from minato.cli.gen_types.load import load_catalog
from minato.cli.local.cobra import exclude_each_other
from minato.cli.local.database_target import choose_database, open_session, project_ref
from minato.cli.local.failures import CommandFailure
from minato.cli.local.plan import Place, load_config, say
from minato.cli.local.target_flags import Chosen
from minato.cli.options import load_settings
from minato.cli.secrets_file import jwt_secret
from minato.cli.target import opened_target

HOSTED: Final = (
    "Types of a hosted project are made by its own API, which Minato does not ask.",
    "Try using --db-url flag instead.",
)
# Flags of databases that are asked directly exclude those of hosted projects.
_GROUPS: Final = (
    ("linked", "project-id", "postgrest-v9-compat"),
    ("linked", "project-id", "query-timeout"),
    ("linked", "project-id", "swift-access-control"),
    ("local", "linked", "project-id", "db-url"),
)


@dataclass(frozen=True)
class Asked:
    """What was typed; None is "not typed". `data_dir` is ours: a data folder whose server need not run."""

    local: bool | None = None
    linked: bool | None = None
    project_id: str | None = None
    db_url: str | None = field(default=None, repr=False)
    data_dir: Path | None = None
    language: str | None = None
    word: str | None = None
    schemas: Sequence[str] = ()
    access_control: str | None = None
    is_for_postgrest_9: bool = False
    seconds: float | None = None

    def require_sense(self) -> None:
        """Refuse flags that exclude each other, and languages named where the CLI once had them. Raises
        `CommandFailure`."""
        if self.is_for_postgrest_9 and self.db_url is None:
            raise CommandFailure("--postgrest-v9-compat must used together with --db-url")
        if self.word not in (None, "typescript") and self.language is None:
            raise CommandFailure("use --lang flag to specify the typegen language")
        typed = {
            "local": self.local is not None,
            "linked": self.linked is not None,
            "project-id": self.project_id is not None,
            "db-url": self.db_url is not None,
            "postgrest-v9-compat": self.is_for_postgrest_9,
            "query-timeout": self.seconds is not None,
            "swift-access-control": self.access_control is not None,
        }
        for group in _GROUPS:
            exclude_each_other(group, typed)

    @property
    def style(self) -> Style:
        return Style(not self.is_for_postgrest_9, self.access_control or "internal")


def generate_types(place: Place, environment: Mapping[str, str], asked: Asked) -> None:
    """Print the types. Raises `CommandFailure`, `CommandError` and `psycopg2.Error`."""
    asked.require_sense()
    schemas = named_schemas(asked.schemas) or _exposed(place, environment)
    with asked_session(place, environment, asked) as session:
        catalog = load_catalog(session, schemas)
    # The file's own line break, and that of printing it, as there.
    typer.echo(render(catalog, asked.language or "typescript", asked.style))


def named_schemas(given: Sequence[str]) -> list[str]:
    """The schemas of a repeated flag, each a line of CSV.

    >>> named_schemas(["public,auth", '"odd,name"'])
    ['public', 'auth', 'odd,name']
    """
    return [name for names in csv.reader(given) for name in names]


def _exposed(place: Place, environment: Mapping[str, str]) -> list[str]:
    """`public` and what the data API shows."""
    return list(dict.fromkeys(["public", *load_config(place.workdir, environment).items("api.schemas")]))


@contextmanager
def asked_session(place: Place, environment: Mapping[str, str], asked: Asked) -> Iterator[Connection]:
    """A session of the database that was asked for. Raises `CommandFailure`, `CommandError` and `psycopg2.Error`."""
    session = _opened_folder(asked.data_dir) if asked.data_dir is not None else _opened(place, environment, asked)
    with session as connection:
        with connection.cursor() as cursor:
            cursor.execute("select set_config('statement_timeout', %s, false)", (f"{_milliseconds(asked)}ms",))
        yield connection


def _milliseconds(asked: Asked) -> int:
    return round(1000 * (15 if asked.seconds is None else asked.seconds))


@contextmanager
def _opened(place: Place, environment: Mapping[str, str], asked: Asked) -> Iterator[Connection]:
    if asked.project_id is not None or asked.linked is not None:
        raise _hosted(place, environment, asked)
    target = choose_database(place, environment, Chosen(asked.db_url, local=asked.local))
    if target.is_local:
        target.require_running()
    parts = parse_dsn(target.dsn)
    say(f"Connecting to {parts.get('host', '')} {parts.get('port', '5432')}")
    # Without a name of a database, libpq would take the user's.
    connection = open_session(replace(target, dsn=make_dsn(target.dsn, dbname=parts.get("dbname") or "postgres")))
    try:
        yield connection
    finally:
        connection.close()


@contextmanager
def _opened_folder(data_dir: Path) -> Iterator[Connection]:
    """The database of `minato serve` on that folder, started where it does not run."""
    settings = load_settings(data_dir)
    with opened_target(settings, jwt_secret(settings.server)) as target:
        connection = psycopg2.connect(target.owner)
        try:
            connection.autocommit = True
            yield connection
        finally:
            connection.close()


def _hosted(place: Place, environment: Mapping[str, str], asked: Asked) -> CommandFailure:
    """Why not. Raises `CommandFailure` itself for a folder that is not linked and for an odd reference."""
    named = {**environment, "SUPABASE_PROJECT_ID": asked.project_id} if asked.project_id is not None else environment
    project_ref(place, named)
    language = asked.language or "typescript"
    if language != "typescript":
        return CommandFailure(f"Unable to generate {language} types for selected project. {HOSTED[1]}")
    return CommandFailure(*HOSTED)
