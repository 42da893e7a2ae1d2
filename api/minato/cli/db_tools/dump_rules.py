"""What of a dump is changed, line by line, so that it can be run by `postgres` on a platform that is there already.

The rules are the Supabase CLI's (pkg/migration/scripts); each is an extended regular expression and what stands in its
place, in sed's language, for `--dry-run` prints them as a script.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

# The platform's schemas and those of extensions; `*` as pg_dump reads it.
INTERNAL_SCHEMAS: Final = (
    *("information_schema", "pg_*", "_analytics", "_realtime", "_supavisor", "auth", "etl", "extensions"),
    *("pgbouncer", "realtime", "storage", "supabase_functions", "supabase_migrations", "cron", "dbdev", "graphql"),
    *("graphql_public", "net", "pgmq", "pgsodium", "pgsodium_masks", "pgtle", "repack", "tiger", "tiger_data"),
    *("timescaledb_*", "_timescaledb_*", "topology", "vault", "minato", "minato_events"),
    "storage_vectors",
)
# Data are also taken of schemas that hold a project's own: accounts, files, jobs.
WITHOUT_DATA: Final = (
    *("information_schema", "pg_*", "graphql", "graphql_public", "pgsodium", "pgsodium_masks", "pgtle", "repack"),
    *("tiger", "tiger_data", "timescaledb_*", "_timescaledb_*", "topology", "vault", "etl", "extensions"),
    *("pgbouncer", "realtime", "supabase_migrations", "_analytics", "_realtime", "_supavisor", "minato"),
    *("minato_events", "storage_vectors"),
)
# What the platform notes of itself, and indexes whose vectors are not in the dump.
WITHOUT_ROWS: Final = (
    *("auth.schema_migrations", "storage.migrations", "supabase_functions.migrations"),
    "storage.vector_indexes",
)
RESERVED_ROLES: Final = (
    *("anon", "authenticated", "authenticator", "cli_login_.*", "dashboard_user", "pgbouncer", "postgres"),
    *("service_role", "supabase_.*", "pgsodium_keyholder", "pgsodium_keyiduser", "pgsodium_keymaker", "pgtle_admin"),
    # The login a database gets where another has the role already.
    "authenticator_.*",
)
# What may be set for reserved roles all the same.
ALLOWED_SETTINGS: Final = ("pgaudit.*", "pgrst.*", "session_replication_role", "statement_timeout", "track_io_timing")
# psql's own commands have no place in a migration.
_NO_COMMANDS: Final = (r"^\\(un)?restrict .*$", "-- &")
NO_COMMENTS: Final = "^--"


@dataclass(frozen=True)
class Rules:
    """`changes` in their order, then the lines that `deleted` fits go, then those that are like the one before."""

    changes: tuple[tuple[str, str], ...]
    deleted: str | None = None
    once: bool = False

    def applied(self, lines: Iterable[str]) -> Iterator[str]:
        """`lines` end with a line feed."""
        steps = [_substitution(pattern, text) for pattern, text in self.changes]
        gone = re.compile(self.deleted) if self.deleted else None
        last = None
        for line in lines:
            changed = line.rstrip("\n")
            for step in steps:
                changed = step(changed)
            if (gone and gone.search(changed)) or (self.once and changed == last):
                continue
            last = changed
            yield changed + "\n"


def schema_rules(schemas: tuple[str, ...], keep_comments: bool) -> Rules:
    """For the definitions of all but `schemas`."""
    internal = "|".join(schemas)
    return Rules(
        (
            _NO_COMMANDS,
            (r'^CREATE SCHEMA "', 'CREATE SCHEMA IF NOT EXISTS "'),
            (r'^CREATE TABLE "', 'CREATE TABLE IF NOT EXISTS "'),
            (r'^CREATE SEQUENCE "', 'CREATE SEQUENCE IF NOT EXISTS "'),
            (r'^CREATE VIEW "', 'CREATE OR REPLACE VIEW "'),
            (r'^CREATE FUNCTION "', 'CREATE OR REPLACE FUNCTION "'),
            (r'^CREATE TRIGGER "', 'CREATE OR REPLACE TRIGGER "'),
            (r'^CREATE PUBLICATION "supabase_realtime', "-- &"),
            (r"^CREATE EVENT TRIGGER ", "-- &"),
            (r"^         WHEN TAG IN ", "-- &"),
            (r"^   EXECUTE FUNCTION ", "-- &"),
            (r"^ALTER EVENT TRIGGER ", "-- &"),
            (r'^ALTER PUBLICATION "supabase_realtime_', "-- &"),
            (r"^ALTER FOREIGN DATA WRAPPER (.+) OWNER TO ", "-- &"),
            (r'^ALTER DEFAULT PRIVILEGES FOR ROLE "supabase_admin"', "-- &"),
            (r'^GRANT ALL ON FOREIGN DATA WRAPPER (.+) TO "postgres" WITH GRANT OPTION', "-- &"),
            (rf'^GRANT (.+) ON (.+) "({internal})"', "-- &"),
            (rf'^REVOKE (.+) ON (.+) "({internal})"', "-- &"),
            (r'^(CREATE EXTENSION IF NOT EXISTS "pg_tle").+', r"\1;"),
            (r'^(CREATE EXTENSION IF NOT EXISTS "pgsodium").+', r"\1;"),
            (r'^(CREATE EXTENSION IF NOT EXISTS "pgmq").+', r"\1;"),
            (r"^COMMENT ON EXTENSION (.+)", "-- &"),
            (r'^CREATE POLICY "cron_job_', "-- &"),
            (r'^ALTER TABLE "cron"', "-- &"),
            (r"^SET transaction_timeout = 0;", "-- &"),
        ),
        None if keep_comments else NO_COMMENTS,
    )


def data_rules() -> Rules:
    """For rows: a text of several lines may hold anything, so nothing else is touched."""
    return Rules((_NO_COMMANDS,))


def role_rules(keep_comments: bool) -> Rules:
    """For roles: the platform's own are made by itself, and attributes that only a superuser gives are left out."""
    reserved, allowed = "|".join(RESERVED_ROLES), "|".join(ALLOWED_SETTINGS)
    return Rules(
        (
            _NO_COMMANDS,
            (rf'^CREATE ROLE "({reserved})"', "-- &"),
            (rf'^ALTER ROLE "({reserved})"', "-- &"),
            (r" (NOSUPERUSER|NOREPLICATION)", ""),
            (rf'^-- (.* SET "({allowed})" .*)', r"\1"),
            (rf'GRANT ".*" TO "({reserved})"', "-- &"),
        ),
        None if keep_comments else NO_COMMENTS,
        once=True,
    )


def _substitution(pattern: str, replacement: str) -> Callable[[str], str]:
    """sed's `s/pattern/replacement/g`: `&` is the whole match.

    >>> _substitution("^CREATE (.)", "-- &")("CREATE x"), _substitution("a(b)c", r"\\1")("abc")
    ('-- CREATE x', 'b')
    """
    compiled = re.compile(pattern)
    text = replacement.replace("&", r"\g<0>")
    return lambda line: compiled.sub(text, line)
