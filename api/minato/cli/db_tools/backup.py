"""`db start --from-backup`: the backup of a hosted project in a new data folder, in place of migrations and seeds.

The platform's own schemas stay Minato's; accounts, buckets and objects are put into them as rows. Everything else runs
as `postgres`, in one transaction.
"""

from __future__ import annotations

import subprocess
import tempfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

import psycopg2

from minato.cli.db_tools.backup_dump import Present, ProjectPart
from minato.cli.db_tools.backup_roles import make_roles, read_roles
from minato.cli.db_tools.dump_rules import WITHOUT_ROWS
from minato.cli.db_tools.programs import find_program
from minato.cli.db_tools.restore import guarded
from minato.cli.local.backup_file import opened
from minato.cli.target import Target
from minato.entropy import Entropy
from minato.postgres.programs import connection_variables
from minato.project.errors import ProjectError

_FLAGS: Final = ("--no-psqlrc", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1", "--output=/dev/null")
# Accounts and objects refer to one another in any order, and what triggers would do was done where they come from.
_AS_A_COPY: Final = b"set session_replication_role = replica;\nset client_min_messages = error;\n"
_COLUMNS: Final = """
select n.nspname || '.' || c.relname, array_agg(a.attname::text)
from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
where n.nspname in ('auth', 'storage') and c.relkind = 'r' and a.attgenerated = ''
group by 1
"""


def restore_backup(target: Target, backup: Path, environment: Mapping[str, str], tell: Callable[[str], None]) -> None:
    """Put the backup into a database that holds the platform alone. Raises `ProjectError`: nothing of it is kept."""
    tell(f"Restoring {backup.name}...")
    try:
        left_out = _restored(target, backup, environment)
    except (OSError, EOFError, zlib.error, psycopg2.Error) as error:
        raise ProjectError(f"failed to restore {backup.name}: {str(error).strip()}") from None
    for what, count in sorted(left_out.items()):
        if what and count:
            tell(f"WARN: not restored: {what} ({count})")


def _restored(target: Target, backup: Path, environment: Mapping[str, str]) -> Counter[str]:
    with opened(backup) as source:
        roles = read_roles(source)
    connection = psycopg2.connect(target.address.admin)
    try:
        with connection, connection.cursor() as cursor:
            part = ProjectPart(_present(cursor, make_roles(cursor, roles)))
            cursor.execute("grant set on parameter session_replication_role to postgres")
        program = find_program("psql", connection.server_version, environment)
    finally:
        connection.close()
    with opened(backup) as source:
        _run(program, target, environment, part.lines(source), backup.name)
    return part.left_out


def _present(cursor: psycopg2.extensions.cursor, new: frozenset[str]) -> Present:
    cursor.execute("select rolname from pg_catalog.pg_roles")
    roles = {name for (name,) in cursor.fetchall()}
    cursor.execute(_COLUMNS)
    columns = {table: frozenset(names) for table, names in cursor.fetchall() if table not in WITHOUT_ROWS}
    return Present(roles, new, columns)


def _run(program: Path, target: Target, environment: Mapping[str, str], lines: Iterator[bytes], name: str) -> None:
    variables = connection_variables(target.owner, {**environment, "PGCLIENTENCODING": "UTF8"})
    key = Entropy().bytes(16).hex().encode()
    with tempfile.TemporaryFile() as said:
        command = [str(program), *_FLAGS, "--file=-"]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=said, env=variables) as child:
            assert child.stdin is not None
            try:
                for line in guarded(_AS_A_COPY, lines, key):
                    child.stdin.write(line)
                child.stdin.close()
            except BrokenPipeError:
                # It gave up, and has said why.
                pass
            except BaseException:
                # At the end of what it was given it would commit that.
                child.kill()
                with suppress(BrokenPipeError):
                    child.stdin.close()
                raise
            status = child.wait()
        said.seek(0)
        if status != 0:
            raise ProjectError(f"failed to restore {name}: {_first_error(said.read())}")


def _first_error(said: bytes) -> str:
    """What PostgreSQL said, from the error on; the line is of what was sent, and tells nobody anything."""
    text = said.decode(errors="replace").strip()
    return text[text.find("ERROR:") :] if "ERROR:" in text else text
