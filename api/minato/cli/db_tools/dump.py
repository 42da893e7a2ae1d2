"""`db dump`: PostgreSQL's own dump of definitions, rows or roles, rewritten for a platform that is there already."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from minato.cli.db_tools.dump_rules import (
    INTERNAL_SCHEMAS,
    WITHOUT_DATA,
    WITHOUT_ROWS,
    Rules,
    data_rules,
    role_rules,
    schema_rules,
)
from minato.cli.db_tools.programs import find_program
from minato.cli.local.database_target import DatabaseTarget, open_session
from minato.cli.local.failures import CommandFailure, bold
from minato.cli.local.plan import say
from minato.postgres.programs import connection_variables

# Rows a statement, so that a dump of rows is not one statement a row.
ROWS: Final = 100000
REPLICA: Final = "SET session_replication_role = replica;\n\n"
RESET: Final = "RESET ALL;\n"
_ROLES: Final = (
    *("--roles-only", "--role", "postgres", "--quote-all-identifiers", "--no-role-passwords", "--no-comments"),
)


@dataclass(frozen=True)
class DumpOptions:
    """What was asked for; neither `data_only` nor `role_only` means definitions."""

    file: str = ""
    data_only: bool = False
    role_only: bool = False
    use_copy: bool = False
    exclude: tuple[str, ...] = ()
    keep_comments: bool = False
    schemas: tuple[str, ...] = ()
    dry_run: bool = False

    def refuse_contradictions(self) -> None:
        """Raises `CommandFailure` for flags that say nothing together."""
        if (self.use_copy or self.exclude) and not self.data_only:
            raise CommandFailure('required flag(s) "data-only" not set')

    @property
    def noun(self) -> str:
        return "data" if self.data_only else "roles" if self.role_only else "schemas"


@dataclass(frozen=True)
class Dump:
    """A program with its arguments, and what surrounds and rewrites what it prints."""

    program: str
    arguments: tuple[str, ...]
    rules: Rules
    before: str = ""
    after: str = ""


def dump(target: DatabaseTarget, options: DumpOptions) -> None:
    """Write it to standard output or to a file. Raises `CommandFailure`."""
    wanted = planned(options)
    place = "local" if target.is_local else "remote"
    if options.dry_run:
        say("DRY RUN: *only* printing the pg_dump script to console.")
        say(f"Dumping {options.noun} from {place} database...")
        sys.stdout.write(shown(wanted, target))
    else:
        say(f"Dumping {options.noun} from {place} database...")
        path = target.place.workdir.root / options.file if options.file else None
        with _written(path) as write:
            for text in dumped(target, wanted):
                write(text)
    if options.file:
        say(f"Dumped schema to {bold(str(target.place.workdir.root / options.file))}.")


def planned(options: DumpOptions) -> Dump:
    """What is to be run."""
    if options.data_only:
        return _data(options)
    if options.role_only:
        return Dump("pg_dumpall", _ROLES, role_rules(options.keep_comments), after=RESET)
    excluded = () if options.schemas else INTERNAL_SCHEMAS
    chosen = (f"--schema={'|'.join(options.schemas)}",) if options.schemas else _excluding(excluded)
    arguments = ("--schema-only", "--quote-all-identifiers", "--role", "postgres", *chosen)
    return Dump("pg_dump", arguments, schema_rules(excluded, options.keep_comments))


def _data(options: DumpOptions) -> Dump:
    chosen = (f"--schema={'|'.join(options.schemas)}",) if options.schemas else _excluding(WITHOUT_DATA)
    rows = () if options.use_copy else ("--column-inserts", f"--rows-per-insert={ROWS}")
    without = [f"--exclude-table={name}" for name in WITHOUT_ROWS]
    without += [f'--exclude-table="{name.replace(".", chr(34) + "." + chr(34))}"' for name in options.exclude]
    arguments = ("--data-only", "--quote-all-identifiers", "--role", "postgres", *chosen, *without, *rows)
    return Dump("pg_dump", arguments, data_rules(), REPLICA, RESET)


def _excluding(schemas: Iterable[str]) -> tuple[str, ...]:
    return (f"--exclude-schema={'|'.join(schemas)}",)


def dumped(target: DatabaseTarget, wanted: Dump) -> Iterator[str]:
    """The dump, line by line. Raises `CommandFailure` when the program fails; it has said why on standard error."""
    connection = open_session(target)
    version = connection.server_version
    connection.close()
    program = find_program(wanted.program, version, target.environment)
    variables = connection_variables(target.dsn, {**target.environment, "PGCLIENTENCODING": "UTF8"})
    with subprocess.Popen([program, *wanted.arguments], stdout=subprocess.PIPE, env=variables) as child:
        assert child.stdout is not None
        yield wanted.before
        # Bytes, whose lines end at line feeds alone: rows may hold other ends.
        yield from wanted.rules.applied(line.decode("utf-8", "surrogateescape") for line in child.stdout)
        status = child.wait()
    if status != 0:
        raise CommandFailure(f"error running {wanted.program}: exit {status}")
    yield wanted.after


def shown(wanted: Dump, target: DatabaseTarget) -> str:
    """The same as a script for bash; the password is the caller's to set."""
    variables = connection_variables(target.dsn, {})
    names = [name for name in ("PGHOST", "PGPORT", "PGUSER", "PGDATABASE", "PGSSLMODE") if name in variables]
    lines = ["#!/usr/bin/env bash", "set -euo pipefail", ""]
    lines += [f"export {name}={shlex.quote(variables[name])}" for name in names]
    lines += ['export PGPASSWORD="${PGPASSWORD:?}"', ""]
    lines += [f"echo {shlex.quote(wanted.before.rstrip())}", ""] if wanted.before else []
    pipe = [shlex.join([wanted.program, *wanted.arguments])]
    pipe += [f"sed -E {shlex.quote(f's/{_slashed(old)}/{_slashed(new)}/g')}" for old, new in wanted.rules.changes]
    pipe += [f"sed -E {shlex.quote(f'/{wanted.rules.deleted}/d')}"] if wanted.rules.deleted else []
    pipe += ["uniq"] if wanted.rules.once else []
    lines += [" \\\n| ".join(pipe)]
    lines += ["", f"echo {shlex.quote(wanted.after.rstrip())}"] if wanted.after else []
    return "\n".join(lines) + "\n"


def _slashed(text: str) -> str:
    return text.replace("/", r"\/")


@contextmanager
def _written(path: Path | None) -> Iterator[_Write]:
    """Standard output, or a file that appears whole or not at all. Raises `CommandFailure`."""
    if path is None:
        yield _Write(sys.stdout.fileno())
    elif path.exists() and not path.is_file():
        with _opened(path) as write:
            yield write
    else:
        # Where a link leads: the link itself stays.
        with _drafted(path, path.resolve()) as write:
            yield write


@contextmanager
def _opened(path: Path) -> Iterator[_Write]:
    """A device or a pipe, which no file may take the place of."""
    try:
        descriptor = os.open(path, os.O_WRONLY)
    except OSError as error:
        raise CommandFailure(f"failed to open dump file: open {path}: {_reason(error)}") from None
    try:
        yield _Write(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def _drafted(named: Path, path: Path) -> Iterator[_Write]:
    try:
        descriptor, draft = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    except OSError as error:
        raise CommandFailure(f"failed to open dump file: open {named}: {_reason(error)}") from None
    try:
        yield _Write(descriptor)
        # As a plain open would have made it: 0644 less what the umask takes.
        mask = os.umask(0)
        os.umask(mask)
        os.fchmod(descriptor, 0o644 & ~mask)
        _put(Path(draft), path)
    except BaseException:
        Path(draft).unlink(missing_ok=True)
        raise
    finally:
        os.close(descriptor)


def _put(draft: Path, path: Path) -> None:
    try:
        draft.replace(path)
    except OSError as error:
        raise CommandFailure(f"failed to open dump file: open {path}: {_reason(error)}") from None


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()


class _Write:
    """Bytes as they came, whatever they are."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def __call__(self, text: str) -> None:
        rest = text.encode("utf-8", "surrogateescape")
        while rest:
            rest = rest[os.write(self._descriptor, rest) :]
