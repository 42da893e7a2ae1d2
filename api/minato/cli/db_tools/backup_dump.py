"""What of a hosted project's backup is the project's own: read entry by entry, as `pg_dumpall` wrote them.

The platform is there already, so its definitions are left out by the schema in each entry's heading; accounts, buckets
and objects come in as rows, and what a project may add to the platform's tables (policies, triggers) as it stands.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Final

from minato.cli.db_tools.dump_rules import INTERNAL_SCHEMAS
from minato.project.errors import ProjectError

_HEADING: Final = re.compile(
    rb"-- (?:Data for )?Name: (.*); Type: ([A-Z ]+); Schema: (.*?); Owner: (.*?)(?:; Tablespace: .*)?\n"
)
_FIRST: Final = re.compile(rb"-- PostgreSQL database (?:cluster )?dump")
_CONNECT: Final = re.compile(rb"\\connect (?:-reuse-previous=on \"dbname='(.*)'\"|\"?([^\"\n]+)\"?)\n")
_COPY: Final = re.compile(rb"COPY (\S+) \((.*)\) FROM stdin;\n")
_ROLE: Final = rb'("(?:[^"]|"")+"|[\w$]+)'
_OWNED: Final = re.compile(rb"(ALTER .+ OWNER TO )" + _ROLE + rb";\n")
_GRANTED: Final = re.compile(
    rb"(?:GRANT|REVOKE|ALTER DEFAULT PRIVILEGES) .* (?:TO|FROM) " + _ROLE + rb"(?: WITH GRANT OPTION)?;\n"
)
_CALLS: Final = re.compile(rb"EXECUTE FUNCTION \"?(\w+)\"?\.")
_SETTING: Final = re.compile(rb"SET [a-z_]+ = |SELECT pg_catalog\.set_config\(")
_AS_ANOTHER: Final = re.compile(rb"(?:RE)?SET SESSION AUTHORIZATION\b")
# Queues and the history of migrations are the project's own.
_OWN: Final = ("pgmq", "supabase_migrations", "dbdev")
_PLATFORM: Final = tuple(name for name in INTERNAL_SCHEMAS if name not in _OWN)
_PLATFORM_EXTENSIONS: Final = frozenset({"plpgsql", "pg_graphql", "pgsodium", "supabase_vault", "pg_tle"})
# Of the server, or a superuser's.
_NEVER: Final = frozenset({"DATABASE", "DATABASE PROPERTIES", "EVENT TRIGGER", "SECURITY LABEL", "SUBSCRIPTION"})
_DATA: Final = "TABLE DATA"
_ACL: Final = frozenset({"ACL", "DEFAULT ACL"})
# What a person would look for: it can't come along, for its key or its rights are another server's.
_MISSED: Final = {("vault", "secrets"): "secrets of the vault", ("cron", "job"): "jobs of pg_cron"}


def whole(dump: Iterable[bytes]) -> Iterator[bytes]:
    """The same lines. Raises `ProjectError` behind them where the dump says what it is and lacks its own last line:
    what came before would be taken for all of it."""
    last, lines = b"", iter(dump)
    for line in lines:
        said = line.rstrip()
        if not last and _FIRST.fullmatch(said):
            last = said + b" complete"
        elif last and said == last:
            yield line
            yield from lines
            return
        yield line
    if last:
        raise ProjectError(f"the backup lacks its last line, {last.decode()}: get it again.")


@dataclass(frozen=True)
class Entry:
    """A heading of a dump; `kind` is its type, as `TABLE DATA`, and `schema` is `-` for what lies in none."""

    name: str
    kind: str
    schema: str
    owner: str

    @property
    def is_platforms(self) -> bool:
        """Whether it lies in a schema of the platform's."""
        place = self.name.removeprefix("SCHEMA ") if self.schema == "-" else self.schema
        return is_platform_schema(place)


@dataclass(frozen=True)
class Present:
    """What the restored part meets: the `roles` there are, which of them are the `new` ones, and the writable columns
    of the platform's tables whose rows are taken, as `auth.users`."""

    roles: AbstractSet[str]
    new: AbstractSet[str]
    columns: Mapping[str, AbstractSet[str]]


class ProjectPart:
    """The lines of a dump that are the project's. Afterwards `left_out` counts what a person would miss."""

    def __init__(self, present: Present) -> None:
        self._present = present
        self.left_out: Counter[str] = Counter()

    def lines(self, dump: Iterable[bytes]) -> Iterator[bytes]:
        """Of the database `postgres`; of a dump of one database, of that. Raises `ProjectError`."""
        entry: Entry | None = None
        database, text, source = "postgres", list[bytes](), whole(dump)
        for line in source:
            heading, connect = _HEADING.fullmatch(line), _CONNECT.fullmatch(line)
            if heading or connect:
                yield from self._written(entry, text)
                entry, text = None, []
            if connect:
                database = (connect[1] or connect[2]).decode()
            elif database != "postgres":
                continue
            elif heading:
                entry = Entry(*(part.decode() for part in heading.groups()))
            elif entry is not None and entry.kind == _DATA and (copy := _COPY.fullmatch(line)):
                yield from self._rows(entry, line, copy, source)
            elif entry is not None or _SETTING.match(line):
                text.append(line)
        yield from self._written(entry, text)

    def _rows(self, entry: Entry, line: bytes, copy: re.Match[bytes], source: Iterator[bytes]) -> Iterator[bytes]:
        rows = _rows_of(source, f"{entry.schema}.{entry.name}")
        if not entry.is_platforms:
            yield line
            yield from rows
            yield b"\\.\n"
            return
        known = self._present.columns.get(f"{entry.schema}.{entry.name}")
        if known is None:
            missed = _MISSED.get((entry.schema, entry.name), "")
            self.left_out[missed] += sum(1 for _ in rows)
            return
        names = copy[2].split(b", ")
        kept = [at for at, name in enumerate(names) if unquoted(name) in known]
        yield b"COPY %s (%s) FROM stdin;\n" % (copy[1], b", ".join(names[at] for at in kept))
        for row in rows:
            values = row.rstrip(b"\n").split(b"\t")
            if len(values) != len(names):
                raise ProjectError(f"the backup has a row of {entry.schema}.{entry.name} with {len(values)} values.")
            yield b"\t".join(values[at] for at in kept) + b"\n"
        yield b"\\.\n"

    def _written(self, entry: Entry | None, text: list[bytes]) -> Iterator[bytes]:
        if entry is None:
            yield from text
        elif self._is_wanted(entry, b"".join(text)):
            for line in text:
                yield from self._suited(entry, line)
        elif entry.kind == "EVENT TRIGGER" and entry.owner == "postgres":
            self.left_out["event triggers"] += 1

    def _is_wanted(self, entry: Entry, text: bytes) -> bool:
        if entry.kind in _NEVER or entry.name.startswith(("EXTENSION ", "DATABASE ", "EVENT TRIGGER ")):
            return False
        if entry.kind == "EXTENSION":
            return entry.name not in _PLATFORM_EXTENSIONS
        if entry.kind == "SCHEMA":
            return entry.name != "public" and not is_platform_schema(entry.name)
        if entry.kind == "PUBLICATION" or entry.name.startswith("PUBLICATION "):
            return not entry.name.removeprefix("PUBLICATION ").startswith("supabase_realtime")
        if entry.kind == "DEFAULT ACL":
            return entry.owner == "postgres" and not entry.is_platforms
        return not entry.is_platforms or self._is_added(entry, text)

    def _is_added(self, entry: Entry, text: bytes) -> bool:
        """Whether it is a project's, though it lies in a schema of the platform's."""
        if entry.kind == "POLICY":
            return entry.schema in ("auth", "storage", "realtime")
        if entry.kind == "TRIGGER":
            called = _CALLS.search(text)
            return called is not None and not is_platform_schema(called[1].decode())
        if entry.kind == "SEQUENCE SET":
            return entry.schema == "auth"
        return entry.kind == _DATA and f"{entry.schema}.{entry.name}" in self._present.columns

    def _suited(self, entry: Entry, line: bytes) -> Iterator[bytes]:
        owned, granted = _OWNED.fullmatch(line), _GRANTED.fullmatch(line)
        if _AS_ANOTHER.match(line):
            return
        if owned and unquoted(owned[2]) not in self._present.new:
            # What the dashboard made belongs to a superuser there.
            yield owned[1] + b"postgres;\n"
        elif entry.kind not in _ACL or granted is None or self._is_known(unquoted(granted[1])):
            yield line

    def _is_known(self, role: str) -> bool:
        return role == "PUBLIC" or role in self._present.roles


def _rows_of(source: Iterator[bytes], table: str) -> Iterator[bytes]:
    """The rows that follow a COPY. Raises `ProjectError` where the file ends among them."""
    for row in source:
        if row == b"\\.\n":
            return
        if not row.endswith(b"\n"):
            break
        yield row
    raise ProjectError(f"the backup ends in the middle of {table}: it is not whole.")


def is_platform_schema(name: str) -> bool:
    """Whether Minato makes the schema, or an extension that it has."""
    return any(fnmatchcase(name, pattern) for pattern in _PLATFORM)


def unquoted(name: bytes) -> str:
    """An identifier as pg_dump writes it, without its quotes.

    >>> unquoted(b'"a""b"'), unquoted(b"id")
    ('a"b', 'id')
    """
    text = name.decode()
    return text[1:-1].replace('""', '"') if text.startswith('"') else text
