"""The PostgreSQL that all mutants share: started and migrated once, its address in the environment.

`python -m tests.mutation.database` is that PostgreSQL: it prints the variable and serves until its input ends.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg2

if TYPE_CHECKING:
    from minato.postgres.address import PostgresAddress

VARIABLE = "MUTANTS_POSTGRES"
TEMPLATE = "minato_template"
ADMINISTRATOR = "supabase_admin"


@dataclass(frozen=True)
class Shared:
    """A running PostgreSQL and the template that tests clone on it."""

    folder: str
    port: int
    template: str = TEMPLATE

    @staticmethod
    def of_environment() -> Shared | None:
        said = os.environ.get(VARIABLE)
        return Shared(**json.loads(said)) if said else None

    def announce(self) -> None:
        """Let the tests of this process use it."""
        os.environ[VARIABLE] = self.said()

    def said(self) -> str:
        return json.dumps(asdict(self))

    @property
    def postgres(self) -> PostgresAddress:
        # only here: a fork that is to read a wrong line must not have read the right one
        from minato.postgres.address import PostgresAddress

        return PostgresAddress(Path(self.folder), self.port, "")

    def run(self, statement: str, database: str = "postgres", *values: object) -> list[tuple[object, ...]]:
        """A statement of the superuser's."""
        connection = psycopg2.connect(host=self.folder, port=self.port, user=ADMINISTRATOR, dbname=database)
        try:
            connection.autocommit = True
            with connection.cursor() as cursor:
                cursor.execute(statement, values or None)
                return cursor.fetchall() if cursor.description else []
        finally:
            connection.close()

    def copied(self, name: str, statement: str) -> Shared:
        """The same with a template of its own, on which `statement` was run."""
        self.run(f"create database {name} template {self.template}")
        self.run(statement, name)
        return replace(self, template=name)

    def forget(self, process: int) -> None:
        """Drop what a process that was ended has left behind."""
        names = self.run("select datname from pg_database where datname ~ %s", "postgres", f"^mutant_{process}_")
        for (name,) in names:
            self.drop(str(name))

    def drop(self, name: str) -> None:
        assert re.fullmatch(r"\w+", name)
        slots = "select pg_terminate_backend(active_pid) from pg_replication_slots where database = %s and active"
        self.run(slots, "postgres", name)
        self.run(
            "select pg_drop_replication_slot(slot_name) from pg_replication_slots where database = %s and not active",
            "postgres",
            name,
        )
        self.run(f"drop database if exists {name} with (force)")


@contextmanager
def shared_postgres() -> Iterator[Shared]:
    """One PostgreSQL, in a process of its own, until the block ends."""
    command = [sys.executable, "-m", "tests.mutation.database"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            yield Shared(**json.loads(process.stdout.readline()))
        finally:
            process.stdin.close()
            process.wait(60)


async def serve() -> None:
    from minato.postgres.cluster import EmbeddedOptions
    from minato.postgres.embedded import EmbeddedPostgres

    from tests.support.folders import use_temporary_folder
    from tests.support.postgres import Cluster

    use_temporary_folder()
    with tempfile.TemporaryDirectory() as folder:
        postgres = EmbeddedPostgres(EmbeddedOptions(Path(folder) / "postgres", None, durable=False))
        try:
            cluster = Cluster(await postgres.start())
            await cluster.migrate_template()
            sys.stdout.write(Shared(str(cluster.postgres.socket_folder), cluster.postgres.port).said() + "\n")
            sys.stdout.flush()
            sys.stdin.read()
        finally:
            await postgres.stop()


if __name__ == "__main__":
    import asyncio

    asyncio.run(serve())
